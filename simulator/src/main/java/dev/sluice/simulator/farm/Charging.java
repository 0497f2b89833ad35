package dev.sluice.simulator.farm;

/** When a request's execution time counts; the documentation does not say, so both can be had. */
public enum Charging {
  /** All at once, when the request ends. */
  AT_COMPLETION,
  /** Second by second, while it runs. */
  AS_IT_ACCRUES
}
