package dev.sluice.control.policy;

import org.jspecify.annotations.Nullable;

/** One request between its start and its settlement, as a policy sees it. */
public interface Attempt {

  /** When it was granted, in monotonic nanoseconds. */
  long sentAt();

  /** What it does and how much of that is left. */
  Work work();

  /**
   * The call that this is an attempt of, told from others by identity; null if it is the only
   * attempt of its call. Retries of one call do not count twice against the provider's health.
   */
  default @Nullable Object call() {
    return null;
  }
}
