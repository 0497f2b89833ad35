package dev.sluice.load.run;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Ends a load when more records are rejected than it allows. Thread-safe. */
final class RejectWatch {
  private final RejectLimit limit;
  private final long before;
  private final Runnable stop;
  private final AtomicLong settled = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();
  private final AtomicBoolean exceeded = new AtomicBoolean();

  /**
   * For one run.
   *
   * @param before records that earlier runs of the load rejected
   * @param stop sends nothing more; called once
   */
  RejectWatch(RejectLimit limit, long before, Runnable stop) {
    this.limit = limit;
    this.before = before;
    this.stop = stop;
  }

  /** So many records are in, and so many were rejected. */
  void settled(long done, long refused) {
    settled.addAndGet(done + refused);
    rejected(refused);
  }

  /** So many records count as rejected after all, because their look-ups could not be set. */
  void amended(long refused) {
    rejected(refused);
  }

  private void rejected(long refused) {
    long inRun = rejected.addAndGet(refused);
    if (refused > 0
        && limit.isExceeded(before + inRun, inRun, settled.get())
        && exceeded.compareAndSet(false, true)) {
      stop.run();
    }
  }

  /** Whether the load had to end. */
  boolean exceeded() {
    return exceeded.get();
  }

  /** What happened, in numbers: a clause for people. */
  String words() {
    long inRun = rejected.get();
    return "%,d of the %,d records that this run has settled were rejected%s"
        .formatted(
            inRun, settled.get(), before == 0 ? "" : ", and %,d before it".formatted(before));
  }
}
