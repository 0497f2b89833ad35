package dev.sluice.dataverse.bulk;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.bulk.BulkProgress.IdleCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Counts what a job does. Not thread-safe. Times are nanoseconds of one monotonic clock. */
final class Tally {
  private static final long SECOND = 1_000_000_000L;
  private static final int RECENT = 30;

  private final long started;
  private final int failuresKept;
  private final List<RecordOutcome.Rejected> failures = new ArrayList<>();
  private final Map<String, Long> repeated = new HashMap<>();
  private final Map<Signal.Facet, Long> throttles = new EnumMap<>(Signal.Facet.class);
  private final Map<IdleCause, Duration> idle = new EnumMap<>(IdleCause.class);
  private final long[] recent = new long[RECENT];
  private long recentSecond;
  private long done;
  private long rejected;
  private long deferred;
  private long messages;
  private long halved;
  private final LongSupplier heldTime;
  private int inFlight;
  private long idleSince;
  private long heldBefore;

  /**
   * Counts from {@code now} on.
   *
   * @param heldTime for how long all lanes were held at the same time so far
   */
  Tally(long now, int failuresKept, LongSupplier heldTime) {
    this.heldTime = heldTime;
    this.heldBefore = heldTime.getAsLong();
    this.started = now;
    this.idleSince = now;
    this.failuresKept = failuresKept;
  }

  void settled(RecordOutcome outcome, long now) {
    switch (outcome) {
      case RecordOutcome.Done in -> done++;
      case RecordOutcome.Deferred back -> deferred++;
      case RecordOutcome.Rejected refused -> {
        rejected++;
        if (failures.size() < failuresKept) {
          failures.add(refused);
        }
      }
    }
    turnTo(now);
    recent[(int) (recentSecond % RECENT)]++;
  }

  /**
   * A message leaves. If none was out, it waited at the gate for most of that time, held or paced,
   * or {@code cause} says why.
   *
   * @param atGateSince since when it has asked for a permit
   */
  void sent(IdleCause cause, long atGateSince, long now) {
    messages++;
    if (inFlight++ == 0) {
      long lost = now - idleSince;
      boolean atGate = now - atGateSince > lost / 2;
      long held = atGate ? Math.clamp(heldTime.getAsLong() - heldBefore, 0, lost) : 0;
      lost(IdleCause.HELD, held);
      lost(atGate ? IdleCause.PACED : cause, lost - held);
    }
  }

  private void lost(IdleCause cause, long nanos) {
    if (nanos > 0) {
      idle.merge(cause, Duration.ofNanos(nanos), Duration::plus);
    }
  }

  void answered(Signal signal) {
    if (signal instanceof Signal.Throttled throttled) {
      throttles.merge(throttled.facet(), 1L, Long::sum);
    }
  }

  /** A message came back, or will not. */
  void returned(long now) {
    if (--inFlight == 0) {
      idleSince = now;
      heldBefore = heldTime.getAsLong();
    }
  }

  void halved() {
    halved++;
  }

  void repeated(String cause) {
    repeated.merge(cause, 1L, Long::sum);
  }

  long settled() {
    return done + rejected + deferred;
  }

  List<RecordOutcome.Rejected> failures() {
    return failures;
  }

  BulkProgress progress(int batchSize, String reason, long now) {
    turnTo(now);
    double elapsed = Math.max(1, now - started);
    long settled = done + rejected;
    long latest = Arrays.stream(recent).sum();
    double span = Math.min(elapsed, (RECENT - 1) * (double) SECOND + (now - started) % SECOND);
    return new BulkProgress(
        done,
        rejected,
        deferred,
        inFlight,
        batchSize,
        Duration.ofNanos(now - started),
        settled * SECOND / elapsed,
        latest * SECOND / Math.max(1, span),
        messages,
        halved,
        repeated,
        throttles,
        idle,
        reason);
  }

  /** Forgets the seconds that have passed out of sight. */
  private void turnTo(long now) {
    long second = (now - started) / SECOND;
    if (second - recentSecond >= RECENT) {
      Arrays.fill(recent, 0);
      recentSecond = second;
    }
    while (recentSecond < second) {
      recentSecond++;
      recent[(int) (recentSecond % RECENT)] = 0;
    }
  }
}
