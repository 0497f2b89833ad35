package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.paging.LoopGuard;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Facts;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.runs.bookmark.Mode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.IntNode;

/**
 * Windows of time, each a slice that is read whole. Bookmarks are the edges between them. Windows
 * that have not settled are read, but the bookmark stays before them, so that they are read again.
 *
 * @param from where catch-up begins
 * @param newestFirst whether catch-up goes backwards, from the horizon to its beginning
 */
record WindowSlices(
    AllPages pages, WindowRule rule, RecordForm records, Optional<String> from, boolean newestFirst)
    implements Slices {

  @Override
  public boolean canShrink(SliceStart start) {
    return rule.canShrink(start.mode() == Mode.STEADY, start.shrink());
  }

  @Override
  public void check(SliceStart start) {
    Place place = Place.parse(start.cursor());
    for (Optional<String> edge : List.of(place.at(), place.page(), start.horizon())) {
      if (edge.isPresent()) {
        Instant unused = rule.format().read(edge.get());
      }
    }
  }

  @Override
  public SliceEnd read(SliceStart start, Names names, Requests requests, Records out)
      throws ProviderException, ReadAgainException, IOException, InterruptedException {
    Optional<Instant> horizon = start.horizon().map(rule.format()::read);
    if (horizon.isEmpty()) {
      throw new IllegalArgumentException("windows need a horizon");
    }
    Window window = new Window(start, names, requests, out, horizon.get());
    if (start.mode() == Mode.STEADY) {
      return window.steady();
    }
    return newestFirst ? window.backwards() : window.forwards();
  }

  /** The reading of one slice. */
  private final class Window {
    private final SliceStart start;
    private final Names names;
    private final Requests requests;
    private final Records out;
    private final Instant horizon;

    Window(SliceStart start, Names names, Requests requests, Records out, Instant horizon) {
      this.start = start;
      this.names = names;
      this.requests = requests;
      this.out = out;
      this.horizon = horizon;
    }

    SliceEnd forwards()
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      Instant begin =
          start.cursor().or(WindowSlices.this::from).map(rule.format()::read).orElse(horizon);
      if (!begin.isBefore(horizon)) {
        return SliceEnd.at(rule.format().write(horizon), false);
      }
      Instant end = read(begin, horizon, false);
      return SliceEnd.at(rule.format().write(end), end.isBefore(horizon));
    }

    SliceEnd backwards()
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      Instant first = from.map(rule.format()::read).orElse(horizon);
      Instant end = start.cursor().map(rule.format()::read).orElse(horizon);
      if (!first.isBefore(end)) {
        return SliceEnd.at(rule.format().write(first), false);
      }
      Instant begin = later(rule.begin(end, start.shrink()), first);
      readWhole(begin, end);
      return SliceEnd.at(rule.format().write(begin), first.isBefore(begin));
    }

    SliceEnd steady()
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      Place place = Place.parse(start.cursor());
      Instant begin =
          place
              .page()
              .or(place::at)
              .map(rule.format()::read)
              .orElseGet(() -> rule.floor(horizon.minus(rule.settle())));
      Instant top = rule.floor(start.now()).plus(rule.step());
      if (!begin.isBefore(top)) {
        return SliceEnd.at(rule.format().write(begin), false);
      }
      Instant end = read(begin, top, true);
      Instant settled = later(rule.floor(start.now().minus(rule.settle())), begin);
      Instant hold = end.isAfter(settled) ? settled : end;
      String kept = place.page().isPresent() ? place.at().orElseThrow() : rule.format().write(hold);
      if (!end.isBefore(top)) {
        return SliceEnd.at(kept, false);
      }
      String edge = rule.format().write(end);
      return kept.equals(edge)
          ? SliceEnd.at(kept, true)
          : new SliceEnd(
              new Place(Optional.of(kept), Optional.of(edge), Optional.empty(), LoopGuard.START)
                  .text(),
              true);
    }

    /** Reads the window from a beginning; its end, which is never beyond the top. */
    private Instant read(Instant begin, Instant top, boolean steady)
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      Instant end = rule.end(begin, steady, start.shrink());
      Instant within = end.isAfter(top) ? top : end;
      readWhole(begin, within);
      return within;
    }

    /** Reads it, unless a smaller one is wanted. The smallest is read in any case. */
    private void readWhole(Instant begin, Instant end)
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      Map<Spot, String> asked =
          Map.of(rule.from(), rule.format().write(begin), rule.to(), rule.asked(end));
      Outlet outlet = new Outlet(records, names, out, stop());
      boolean smallest = !begin.plus(rule.step()).isBefore(end);
      pages.read(
          names,
          asked,
          requests,
          outlet::accept,
          smallest || rule.shrinkWhen().isEmpty()
              ? AllPages.Watch.NONE
              : (page, number) -> check(rule.shrinkWhen().get(), page, number));
    }

    private Optional<String> stop() {
      return records
          .cursor()
          .filter(cursor -> start.mode() == Mode.CATCH_UP)
          .filter(cursor -> cursor.field().equals(rule.by()) && cursor.type().isTime())
          .map(cursor -> cursor.type().of(horizon));
    }
  }

  private static void check(Condition tooLarge, Page page, int number) throws ReadAgainException {
    Facts body = Facts.of(page.body());
    if (tooLarge.holds(path -> path.equals("pages") ? IntNode.valueOf(number) : body.find(path))) {
      throw ReadAgainException.tooLarge();
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
