package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.paging.LoopGuard;
import dev.sluice.collect.yaml.paging.Pages;
import dev.sluice.collect.yaml.paging.Walk;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * One page is one slice, for pages that lead to each other by the provider's own tokens: those are
 * kept in the bookmark. A token that is no longer taken sends the walk back to its beginning.
 */
record PageSlices(
    RequestForm form, PageReader reader, Pages pages, Beginning beginning, RecordForm records)
    implements Slices {
  /** With these a provider may say that it does not know a token any more. */
  static final Set<Integer> DEAD_TOKEN = Set.of(400, 404, 410, 422);

  @Override
  public void check(SliceStart start) {
    beginning.check(start, Place.parse(start.cursor()).at());
  }

  @Override
  public Optional<String> beginningOf(Optional<String> cursor) {
    return Place.from(Place.parse(cursor).at()).text();
  }

  @Override
  public SliceEnd read(SliceStart start, Names names, Requests requests, Records out)
      throws ProviderException, IOException, InterruptedException {
    Place place = Place.parse(start.cursor());
    if (place.page().isPresent()) {
      try {
        return read(start, place, names, requests, out);
      } catch (ProviderException refused) {
        if (!pages.restartsWhenTokenDies() || !DEAD_TOKEN.contains(refused.status())) {
          throw refused;
        }
        place = place.restarted();
      }
    }
    return read(start, place, names, requests, out);
  }

  private SliceEnd read(SliceStart start, Place place, Names names, Requests requests, Records out)
      throws ProviderException, IOException, InterruptedException {
    Optional<String> at = beginning.at(start, place.at());
    Map<Spot, String> asked = beginning.asking(beginning.asked(start, at));
    Page page = reader.read(requests, request(place, names, asked));
    Outlet outlet = new Outlet(records, names, out, beginning.stop(start), start.now());
    for (ObjectNode record : page.records()) {
      outlet.accept(record);
    }
    Optional<String> latest = outlet.latest(place.seen());
    Optional<Walk.Step> step = pages.begin().afterOrFail(page);
    if (step.isPresent()) {
      String token = step.get().token();
      LoopGuard guard = place.guard().next(token, page);
      Place next = new Place(at, Optional.of(token), latest, guard);
      return new SliceEnd(next.text(), true);
    }
    return end(start, at, latest);
  }

  private SliceEnd end(SliceStart start, Optional<String> at, Optional<String> latest) {
    Optional<String> stop = beginning.stop(start);
    if (stop.isPresent()) {
      return new SliceEnd(stop, false);
    }
    Optional<String> reached =
        at.isPresent() && latest.isPresent() && beginning.cursor().isPresent()
            ? Optional.of(beginning.cursor().get().later(latest.get(), at.get()))
            : latest.or(() -> at);
    return new SliceEnd(Place.from(reached).text(), false);
  }

  private WebRequest request(Place place, Names names, Map<Spot, String> asked)
      throws ProviderException {
    Optional<Next> resumed = place.page().flatMap(pages::resumed);
    if (resumed.isEmpty()) {
      Map<Spot, String> all = new LinkedHashMap<>(asked);
      all.putAll(pages.begin().first());
      return form.asking(names, all);
    }
    return switch (resumed.get()) {
      case Next.Link link -> form.following(form.base(), link.address(), names, asked);
      case Next.Asked more -> {
        Map<Spot, String> all = new LinkedHashMap<>(asked);
        all.putAll(more.values());
        yield form.asking(names, all);
      }
    };
  }
}
