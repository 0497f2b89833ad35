package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.paging.LoopGuard;
import dev.sluice.collect.yaml.paging.Walk;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The reading of one slice by seeking. Used once, by one task. */
final class Seek {
  private final SeekSlices stream;
  private final Names names;
  private final Requests requests;
  private final Outlet outlet;
  private final Instant now;
  private final Optional<String> stop;
  private final Optional<String> bookmark;

  /** Everything before it was handed on; null at the beginning of all. */
  private @Nullable String position;

  Seek(SeekSlices stream, SliceStart start, Names names, Requests requests, Outlet outlet) {
    this.stream = stream;
    this.names = names;
    this.requests = requests;
    this.outlet = outlet;
    this.now = start.now();
    this.stop = stream.beginning().stop(start);
    this.bookmark = stream.beginning().at(start, start.cursor());
    this.position = stream.beginning().asked(start, bookmark).orElse(null);
  }

  /**
   * Reads until there is something behind the bookmark. The overlap before it may take several
   * pages; then as many are read behind it, so that a busy overlap doubles the work and no more.
   * What claims to be of the future is read to its end: no bookmark may lie there.
   */
  SliceEnd read() throws ProviderException, IOException, InterruptedException {
    int within = 0;
    int beyond = 0;
    while (true) {
      Map<Spot, String> asked = stream.beginning().asking(Optional.ofNullable(position));
      Page page = stream.reader().read(requests, stream.form().asking(names, asked));
      List<Item> items = items(page);
      Optional<SliceEnd> end =
          isLast(page, stream.pages().begin())
              ? Optional.of(emptied(items))
              : advance(page, items, asked);
      if (end.isPresent()) {
        return end.get();
      }
      if (bookmark.isPresent() && compare(position(), bookmark.get()) <= 0) {
        within++;
      } else if (++beyond > within && !stream.cursor().isAhead(position(), now)) {
        return SliceEnd.at(position(), true);
      }
    }
  }

  /** The end of the stream: nothing is left for another slice. */
  private SliceEnd emptied(List<Item> items)
      throws ProviderException, IOException, InterruptedException {
    for (Item item : items) {
      outlet.accept(item.record());
    }
    return new SliceEnd(stop.or(() -> outlet.latest(bookmark)), false);
  }

  /** Moves the position to the last value of a full page; an end if that is the stream's. */
  private Optional<SliceEnd> advance(Page page, List<Item> items, Map<Spot, String> asked)
      throws ProviderException, IOException, InterruptedException {
    if (items.isEmpty()) {
      throw LoopGuard.loop(
          "a whole page lies before the %s that was asked for; does the service know %s?"
              .formatted(
                  stream.cursor().field(), asked.keySet().stream().map(Spot::name).toList()));
    }
    String first = items.getFirst().value();
    String last = items.getLast().value();
    boolean done = stop.isPresent() && compare(last, stop.get()) >= 0;
    if (compare(first, last) == 0 && !done) {
      return ties(page, items, asked);
    }
    for (Item item : items) {
      if (done || compare(item.value(), last) < 0) {
        outlet.accept(item.record());
      }
    }
    position = last;
    return done ? Optional.of(new SliceEnd(stop, false)) : Optional.empty();
  }

  /** Reads on while a whole page shares one value. */
  private Optional<SliceEnd> ties(Page first, List<Item> items, Map<Spot, String> asked)
      throws ProviderException, IOException, InterruptedException {
    String shared = items.getFirst().value();
    if (stream.pages().ties().isEmpty()) {
      throw ProviderException.unexpected(
          "a whole page of %d shares one %s, and pages.ties does not say how to read on"
              .formatted(stream.pages().size(), stream.cursor().field()));
    }
    Walk walk = stream.pages().begin();
    LoopGuard guard = LoopGuard.START;
    Page page = first;
    List<Item> these = items;
    while (true) {
      for (Item item : these) {
        if (compare(item.value(), shared) > 0) {
          position = item.value();
          return Optional.empty();
        }
        outlet.accept(item.record());
      }
      Optional<Walk.Step> step = walk.afterOrFail(page);
      if (step.isEmpty()) {
        return Optional.of(new SliceEnd(stop.or(() -> outlet.latest(bookmark)), false));
      }
      guard = guard.next(step.get().token(), page);
      page =
          stream
              .reader()
              .read(requests, stream.form().following(page, step.get().next(), names, asked));
      these = items(page);
    }
  }

  /** A page is the last if it is not full, unless it leads on nevertheless. */
  private boolean isLast(Page page, Walk walk) throws ProviderException {
    return page.records().isEmpty()
        || (page.records().size() < stream.pages().size()
            && !(stream.pages().tokens() && walk.afterOrFail(page).isPresent()));
  }

  /** What a page has from the position on; what lies before it was handed on already. */
  private List<Item> items(Page page) throws ProviderException {
    List<Item> items = new ArrayList<>();
    String before = null;
    for (ObjectNode record : page.records()) {
      String value = stream.cursor().value(record);
      if (before != null && compare(value, before) < 0) {
        throw ProviderException.unexpected(
            "a page is not sorted by %s from the earliest to the latest, but seeking needs that"
                .formatted(stream.cursor().field()));
      }
      before = value;
      if (position == null || compare(value, position) >= 0) {
        items.add(new Item(record, value));
      }
    }
    return items;
  }

  private String position() {
    if (position == null) {
      throw new IllegalStateException("no page was read");
    }
    return position;
  }

  private int compare(String one, String other) {
    return stream.cursor().type().compare(one, other);
  }

  private record Item(ObjectNode record, String value) {}
}
