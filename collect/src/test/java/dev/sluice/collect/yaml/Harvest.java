package dev.sluice.collect.yaml;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceRead;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What a run would do with one stream, without a store: slice after slice, with a bookmark. */
final class Harvest {
  final Map<String, CollectedRecord> byKey = new LinkedHashMap<>();
  final List<CollectedRecord> all = new ArrayList<>();
  final List<SliceEnd> slices = new ArrayList<>();
  private final ListStream stream;
  private final Requests requests;
  private final Time time;
  private final Map<Mode, Optional<String>> bookmarks = new LinkedHashMap<>();
  private final Optional<String> horizon;

  Harvest(Connector connector, ProviderTwin twin, Time time) {
    this(connector.streams().getFirst(), twin.requests(connector.provider().authorization()), time);
  }

  Harvest(ListStream stream, Requests requests, Time time) {
    this.stream = stream;
    this.requests = requests;
    this.time = time;
    this.horizon = stream.horizon(time.instant());
  }

  Optional<String> horizon() {
    return horizon;
  }

  Optional<String> bookmark(Mode mode) {
    return bookmarks.getOrDefault(mode, Optional.empty());
  }

  /** Reads slices until there are no more. */
  void run(Mode mode) throws ProviderException, IOException, InterruptedException {
    while (slice(mode)) {
      // The next one.
    }
  }

  /** Reads one slice; whether there are more. */
  boolean slice(Mode mode) throws ProviderException, IOException, InterruptedException {
    return slice(mode, 0);
  }

  boolean slice(Mode mode, int shrink) throws ProviderException, IOException, InterruptedException {
    List<CollectedRecord> found = new ArrayList<>();
    SliceStart start =
        new SliceStart(
            stream.splits().getFirst(), mode, bookmark(mode), horizon, time.instant(), shrink);
    SliceEnd end = SliceRead.of(stream, start, requests, new Found(found)).end();
    for (CollectedRecord record : found) {
      all.add(record);
      CollectedRecord before = byKey.get(record.key());
      if (before == null || before.cursor().compareTo(record.cursor()) <= 0) {
        byKey.put(record.key(), record);
      }
    }
    slices.add(end);
    bookmarks.put(mode, end.cursor());
    return end.more();
  }

  ObjectNode body(String key) {
    return Objects.requireNonNull(byKey.get(key), key).body();
  }

  /** Keeps records until they are known to count. */
  record Found(List<CollectedRecord> records) implements SliceRead.Draft {
    @Override
    public void accept(CollectedRecord record) {
      records.add(record);
    }

    @Override
    public void forget() {
      records.clear();
    }
  }
}
