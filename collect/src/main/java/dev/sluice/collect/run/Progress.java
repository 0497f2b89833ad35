package dev.sluice.collect.run;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What a run counts while it goes on. Thread-safe. */
final class Progress {
  private final AtomicLong slices = new AtomicLong();
  private final AtomicLong records = new AtomicLong();
  private final AtomicLong recovered = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();
  private final AtomicLong quarantined = new AtomicLong();
  private final AtomicReference<String> at = new AtomicReference<>("");

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

  CollectionProgress snapshot(long requests, Duration rests, Duration unanswered) {
    return new CollectionProgress(
        at.get(),
        slices.get(),
        records.get(),
        requests,
        gaps.get(),
        recovered.get(),
        rests,
        unanswered);
  }
}
