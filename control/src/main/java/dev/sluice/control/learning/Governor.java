package dev.sluice.control.learning;

/**
 * Keeps refusals below what makes a provider lose patience: services throw out clients of whose
 * requests in the last minute too many were refused. So never more are in flight than could all be
 * refused without harm: of the last minute's requests, {@value #SHARE} may be refused or
 * unanswered, and {@value #FEW} in any case: nobody is judged by so few.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Governor {
  private static final long MEMORY = 62_000_000_000L;
  private static final double SHARE = 0.07;
  private static final int FEW = 2;

  private final RecentCount sent = new RecentCount(MEMORY);
  private final RecentCount refused = new RecentCount(MEMORY);

  void sent(long now) {
    sent.add(now);
  }

  /** One that was counted as sent never was. */
  void unsent(long now) {
    sent.takeBack(now);
  }

  void refused(long now) {
    refused.add(now);
  }

  /** How many may be in flight; at least 1. */
  int slots(long now) {
    return Math.max(1, (int) allowed(now) - refused.at(now));
  }

  /** The earliest time to send; {@code now} if at once. */
  long notBefore(long now) {
    return refused.at(now) + 1 > allowed(now) ? refused.forgetsAt(now) : now;
  }

  private double allowed(long now) {
    return Math.max(FEW, SHARE * sent.at(now));
  }
}
