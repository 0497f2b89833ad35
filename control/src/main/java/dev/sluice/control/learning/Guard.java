package dev.sluice.control.learning;

/**
 * Keeps refusals below what makes a provider suspend a client: providers look at the share of the
 * last minute's requests that were refused. So no more requests are in flight than could all be
 * refused without harm: {@value #FEW} refused or unanswered requests are never too many, nor is
 * {@value #SHARE} of what was sent.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Guard {
  private static final int FEW = 9;
  private static final double SHARE = 0.04;

  /** The share of refusals up to which a provider that told a wait is asked again after it. */
  private static final double TOLD_SHARE = 0.06;

  /**
   * It is assumed that no provider suspends a client of whose requests it refused less than a
   * tenth; above this share the next request could be the one too many.
   */
  private static final double DANGER = 0.09;

  // A little less than a minute of what was sent, and a little more of what was refused.
  private final RecentCount sent = new RecentCount(58_000_000_000L);
  private final RecentCount refused = new RecentCount(62_000_000_000L);

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

  /** How many requests were refused in the last minute. */
  int refusals(long now) {
    return refused.at(now);
  }

  /** How many may be in flight; at least 1. */
  int slots(long now) {
    return Math.max(1, room(now));
  }

  /**
   * The earliest time to send; {@code now} if at once.
   *
   * @param probing whether the provider is closed, so that the next request may be refused, too
   * @param told whether it told until when
   */
  long notBefore(boolean probing, boolean told, long now) {
    int count = refused.at(now) + (probing ? 1 : 0);
    double share = probing ? (told ? TOLD_SHARE : SHARE) : DANGER;
    return count > FEW && count > share * (sent.at(now) + 1) ? refused.forgetsAt(now) : now;
  }

  /** How many were refused, for people. */
  String reason(long now) {
    return "%d of the last %d requests were refused".formatted(refused.at(now), sent.at(now));
  }

  private int room(long now) {
    return (int) Math.max(FEW, SHARE * sent.at(now)) - refused.at(now);
  }
}
