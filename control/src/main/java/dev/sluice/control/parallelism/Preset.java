package dev.sluice.control.parallelism;

import dev.sluice.control.signal.WireName;

/** A pair of execution-time options that suits a kind of job; an explicit option wins over it. */
public enum Preset implements WireName {
  /** Production bulk jobs. */
  CONSERVATIVE(180, 7_000),
  /** General purpose; the default. */
  BALANCED(200, 8_000),
  /** Development and test, with somebody watching. */
  AGGRESSIVE(320, 11_000);

  private final int executionTimeCeilingFactor;
  private final int slowBatchThresholdMs;

  Preset(int executionTimeCeilingFactor, int slowBatchThresholdMs) {
    this.executionTimeCeilingFactor = executionTimeCeilingFactor;
    this.slowBatchThresholdMs = slowBatchThresholdMs;
  }

  /** Seconds of execution in flight at once; divided by a batch's seconds it is the ceiling. */
  public int executionTimeCeilingFactor() {
    return executionTimeCeilingFactor;
  }

  /** The average batch, in milliseconds, from which the ceiling applies. */
  public int slowBatchThresholdMs() {
    return slowBatchThresholdMs;
  }
}
