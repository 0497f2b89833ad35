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
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What has changed since the provider issued a token, one page a slice. The token that it issues
 * then is the bookmark, as it came, once the last page is there: until then the walk goes on from
 * the one before.
 */
record TokenSlices(
    RequestForm form, PageReader reader, Pages pages, TokenRule token, RecordForm records)
    implements Slices {

  @Override
  public void check(SliceStart start) {
    Place unused = Place.parse(start.cursor());
  }

  @Override
  public SliceEnd read(SliceStart start, Names names, Requests requests, Records out)
      throws ProviderException, IOException, InterruptedException {
    Place place = Place.parse(start.cursor());
    while (true) {
      try {
        return read(place, names, requests, out);
      } catch (ProviderException refused) {
        place = before(place, refused);
      }
    }
  }

  /** Where to go back to; every step leads nearer to the beginning of all, and there it ends. */
  private Place before(Place place, ProviderException refused) throws ProviderException {
    if (place.page().isPresent()) {
      if (pages.restartsWhenTokenDies() && PageSlices.DEAD_TOKEN.contains(refused.status())) {
        return place.restarted();
      }
    } else if (place.at().isPresent() && token.expired().contains(refused.status())) {
      if (token.startsAnew()) {
        return Place.from(Optional.empty());
      }
      throw new ProviderException(
          Reason.Failure.CURSOR_EXPIRED,
          refused.status(),
          "it no longer honours the token that it issued last time (status %d); cursor.when-expired: start-anew reads everything again"
              .formatted(refused.status()));
    }
    throw refused;
  }

  private SliceEnd read(Place place, Names names, Requests requests, Records out)
      throws ProviderException, IOException, InterruptedException {
    Page page = reader.read(requests, request(place, names));
    Outlet outlet = new Outlet(records, names, out, Optional.empty());
    for (ObjectNode record : page.records()) {
      outlet.accept(record);
    }
    Optional<Walk.Step> step = pages.begin().afterOrFail(page);
    if (step.isPresent()) {
      String next = step.get().token();
      LoopGuard guard = place.guard().next(next, page);
      return new SliceEnd(
          new Place(place.at(), Optional.of(next), Optional.empty(), guard).text(), true);
    }
    Optional<String> issued = token.source().find(page).or(place::at);
    if (issued.isEmpty()) {
      throw ProviderException.unexpected(
          "the last page has no token from which a later run could go on; check cursor.token");
    }
    return new SliceEnd(Place.from(issued).text(), false);
  }

  private WebRequest request(Place place, Names names) throws ProviderException {
    Next next =
        place.page().flatMap(pages::resumed).orElseGet(() -> new Next.Asked(pages.begin().first()));
    return switch (next) {
      case Next.Link link ->
          form.following(
              form.base(), link.address(), names, token.asking(place.at(), Map.of(), names));
      case Next.Asked asked -> form.asking(names, token.asking(place.at(), asked.values(), names));
    };
  }
}
