package dev.sluice.simulator.provider;

import dev.sluice.simulator.provider.Verdict.Kind;

/** What became of the requests to one account. Single-threaded. */
public final class Counters {
  private long admitted;
  private long failed;
  private long unavailable;
  private long throttled;
  private long objectLocked;
  private long creditSpent;
  private long suspended;
  private long pressed;
  private long longestTold;
  private long neighbourAdmitted;
  private long neighbourRefused;

  void count(Kind kind) {
    switch (kind) {
      case ADMITTED -> admitted++;
      case FAILED -> failed++;
      case UNAVAILABLE -> unavailable++;
      case THROTTLED -> throttled++;
      case OBJECT_LOCKED -> objectLocked++;
      case CREDIT_SPENT -> creditSpent++;
      case SUSPENDED -> suspended++;
    }
  }

  void press() {
    pressed++;
  }

  void tell(long wait) {
    longestTold = Math.max(longestTold, wait);
  }

  void neighbour(boolean wasAdmitted) {
    if (wasAdmitted) {
      neighbourAdmitted++;
    } else {
      neighbourRefused++;
    }
  }

  /** How many requests came to this. */
  public long of(Kind kind) {
    return switch (kind) {
      case ADMITTED -> admitted;
      case FAILED -> failed;
      case UNAVAILABLE -> unavailable;
      case THROTTLED -> throttled;
      case OBJECT_LOCKED -> objectLocked;
      case CREDIT_SPENT -> creditSpent;
      case SUSPENDED -> suspended;
    };
  }

  /** How many were served. */
  public long admitted() {
    return admitted;
  }

  /** How many were throttled. */
  public long throttled() {
    return throttled;
  }

  /** How many came while told to wait, late enough to know. */
  public long pressed() {
    return pressed;
  }

  /** The longest wait that was ever told, in nanoseconds; 0 if none was. */
  public long longestTold() {
    return longestTold;
  }

  /** How many of a neighbour's requests were served. */
  public long neighbourAdmitted() {
    return neighbourAdmitted;
  }

  /** How many of a neighbour's requests were refused. */
  public long neighbourRefused() {
    return neighbourRefused;
  }
}
