package dev.sluice.collect.run;

import dev.sluice.runs.gap.MissingDetail;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What a run counts while it goes on. Thread-safe. */
final class Progress {
  private static final int MOST_MISSED = 1_000;

  private final AtomicLong slices = new AtomicLong();
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong recovered = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();
  private final AtomicLong quarantined = new AtomicLong();
  private final AtomicReference<String> at = new AtomicReference<>("");
  private final Queue<MissingDetail> missed = new ConcurrentLinkedQueue<>();

  void begin(String what) {
    at.set(what);
  }

  void committed(long recordsOfSlice, long gapsOfSlice) {
    slices.incrementAndGet();
    records.addAndGet(recordsOfSlice);
    gaps.addAndGet(gapsOfSlice);
  }

  void recovered(int gapsFilled, long recordsOfGaps) {
    recovered.addAndGet(gapsFilled);
    records.addAndGet(recordsOfGaps);
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
        "records", records.get(),
        "gaps", gaps.get(),
        "recovered", recovered.get());
  }

  CollectionProgress snapshot(long requests, RequestCounts met) {
    return new CollectionProgress(
        at.get(), slices.get(), records.get(), requests, gaps.get(), recovered.get(), met);
  }
}
