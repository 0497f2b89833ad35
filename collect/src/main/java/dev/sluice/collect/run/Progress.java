package dev.sluice.collect.run;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.MissingDetail;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What a run counts while it goes on. Thread-safe. */
final class Progress {
  private static final int MOST_MISSED = 1_000;

  private final AtomicLong slices = new AtomicLong();
  private final Map<Part, Long> records = new ConcurrentHashMap<>();
  private final AtomicLong recovered = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();
  private final AtomicLong quarantined = new AtomicLong();
  private final AtomicReference<String> at = new AtomicReference<>("");
  private final Queue<MissingDetail> missed = new ConcurrentLinkedQueue<>();

  /** What is written to a track: records of its list, or of one of the list's details. */
  private record Part(Track track, String stream) {}

  void begin(String what) {
    at.set(what);
  }

  void committed(long gapsOfSlice) {
    slices.incrementAndGet();
    gaps.addAndGet(gapsOfSlice);
  }

  void recovered(int gapsFilled) {
    recovered.addAndGet(gapsFilled);
  }

  /** Records of a track's slice are there for good, so many by stream. */
  void written(Track track, Map<String, Long> slice) {
    slice.forEach((stream, count) -> records.merge(new Part(track, stream), count, Long::sum));
  }

  /** How many records of its own list a track had, without their details. */
  long records(Track track) {
    return records.getOrDefault(new Part(track, track.stream()), 0L);
  }

  /** How many records of each stream there were, whichever track they came with. */
  Map<String, Long> recordsByStream() {
    Map<String, Long> streams = new TreeMap<>();
    records.forEach((part, count) -> streams.merge(part.stream, count, Long::sum));
    return streams;
  }

  private long records() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Details failed, and may not fail another time; {@value #MOST_MISSED} of them are kept. */
  void missed(MissingDetail detail) {
    if (missed.size() < MOST_MISSED) {
      missed.add(detail);
    }
  }

  /** Which. */
  List<MissingDetail> missed() {
    return List.copyOf(missed);
  }

  /** Details that were missing no longer are, whoever fetched them. */
  void gapClosed() {
    closed.incrementAndGet();
  }

  /** How many. */
  long gapsClosed() {
    return closed.get();
  }

  /** Details were refused so often that they wait for a person. */
  void gapQuarantined() {
    quarantined.incrementAndGet();
  }

  /** How many. */
  long gapsQuarantined() {
    return quarantined.get();
  }

  /** By the names under which a store keeps them. */
  Map<String, Long> counts() {
    return Map.of(
        "slices", slices.get(),
        "records", records(),
        "gaps", gaps.get(),
        "recovered", recovered.get());
  }

  CollectionProgress snapshot(long requests, RequestCounts met) {
    return new CollectionProgress(
        at.get(), slices.get(), records(), requests, gaps.get(), recovered.get(), met);
  }
}
