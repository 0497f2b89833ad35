package dev.sluice.control.pacing;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal;
import java.util.ArrayList;
import java.util.List;

/**
 * What a provider says about its quota, as a time before which the next request is not sent. It may
 * lower a pace, never raise one: each {@link ToldLimit} is spent evenly, and of several the one
 * that asks for the longest wait counts. Only a success tells of more left than before; any other
 * answer may only lower it.
 *
 * <p>Hints about a single object, about requests in flight, or about anything but requests do not
 * concern the pace. Single-threaded; without hints nothing is allocated.
 */
final class QuotaCeiling {
  private static final int MOST_LIMITS = 16;

  private final List<ToldLimit> limits = new ArrayList<>(1);
  private int inFlight;
  private int knownStarts; // how many of the last two starts are known: 0, 1 or 2
  private long lastStart;
  private long startBefore;

  /** A request starts. */
  void started(long now) {
    inFlight++;
    startBefore = lastStart;
    lastStart = now;
    knownStarts = Math.min(knownStarts + 1, 2);
    if (!limits.isEmpty()) {
      limits.removeIf(limit -> !limit.started(now));
    }
  }

  /** The request of {@code sentAt} was never sent; its place is free if it was the last. */
  void abandoned(long sentAt) {
    inFlight--;
    if (knownStarts > 0 && sentAt == lastStart) {
      lastStart = startBefore;
      knownStarts--;
    }
  }

  /** What came back for the request of {@code sentAt}. */
  void settled(long sentAt, Signal signal, long now) {
    inFlight--;
    boolean success = signal instanceof Signal.Success;
    for (int i = 0; i < limits.size() && !success; i++) {
      limits.get(i).failed(sentAt, signal instanceof Signal.Throttled);
    }
    if (signal.quota().isEmpty()) {
      return;
    }
    for (QuotaHint hint : signal.quota()) {
      if (hint.scope().reach() != Reach.OBJECT
          && hint.scope().unit() == Unit.REQUESTS
          && ToldLimit.tells(hint)) {
        heard(hint, success, sentAt, now);
      }
    }
  }

  private void heard(QuotaHint hint, boolean success, long sentAt, long now) {
    for (ToldLimit limit : limits) {
      if (limit.isOf(hint)) {
        if (success) {
          limit.heard(hint, sentAt, now);
        } else {
          limit.lowered(hint, sentAt);
        }
        return;
      }
    }
    if (limits.size() < MOST_LIMITS) {
      ToldLimit limit = new ToldLimit(hint, sentAt);
      limit.heard(hint, sentAt, now);
      limits.add(limit);
    }
  }

  /** The earliest time of the next request; {@code now} if the quota has nothing to say. */
  long notBefore(long now) {
    long latest = now;
    if (knownStarts > 0) {
      for (int i = 0; i < limits.size(); i++) {
        long time = limits.get(i).notBefore(lastStart, inFlight, now);
        latest = time - latest > 0 ? time : latest;
      }
    }
    return latest;
  }

  /** The limit that allows least, for people; empty if none was told. */
  String reason() {
    ToldLimit least = null;
    for (ToldLimit limit : limits) {
      least = least == null || limit.rate() < least.rate() ? limit : least;
    }
    return least == null ? "" : least.reason();
  }

  /** The highest rate that it allows on the whole, in permits per second; infinite if any. */
  double rate() {
    double lowest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < limits.size(); i++) {
      lowest = Math.min(lowest, limits.get(i).rate());
    }
    return lowest;
  }
}
