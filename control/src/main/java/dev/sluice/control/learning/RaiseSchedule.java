package dev.sluice.control.learning;

import dev.sluice.control.policy.Figures;

/**
 * When more is tried than a rate that goes well. A step that fails costs the refusals of an
 * episode, so that it waits for a number of successes for each of them; and steps are apart by a
 * while, or a window would not have felt the last one. More is tried soon while the rate is a first
 * guess, and while it is far below what was granted lately.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class RaiseSchedule {
  private static final double CLEAN_PER_REFUSAL = 200;
  private static final int TRIAL = 50;
  private static final long REST = 15_000_000_000L;

  // Soon: after this many successes, or this many seconds' worth of them if that is less.
  private static final int SOON = 20;
  private static final int SOON_SECONDS = 20;
  private static final int SOON_LEAST = 3;
  private static final long SOON_REST = 2_000_000_000L;

  /** At a very low rate, seconds of successes: it may be left from troubles that are over. */
  private static final int SLOW_SECONDS = 60;

  /** Below this share of what was granted lately, a rate is far below it. */
  private static final double BEHIND = 0.7;

  /** How long "lately" is. */
  private static final long LATELY = 600_000_000_000L;

  /** Successes after which what was learned is sure. */
  private static final double SURE = 200;

  private final Ladder rate;
  private final RecentCount successes = new RecentCount(LATELY);
  private int clean; // successes since the last step or refusal
  private int refusals; // in the latest episode
  private double cost = 1; // refusals of an episode, smoothed
  private boolean guess; // whether the rate is a first guess
  private long restedFrom;

  RaiseSchedule(Ladder rate, long now) {
    this.rate = rate;
    this.restedFrom = now;
  }

  void succeeded(long now) {
    clean++;
    successes.add(now);
  }

  /** A request was refused. */
  void refused(boolean first) {
    if (first) {
      cost = Math.max(1, (cost + refusals) / 2);
      refusals = 0;
    }
    clean = 0;
    refusals++;
  }

  /** The rate was set: by a first guess, or by what was measured. */
  void guessed(boolean isGuess) {
    guess = isGuess;
  }

  boolean isGuess() {
    return guess;
  }

  /** From now on it rests. */
  void rest(long now) {
    restedFrom = now;
  }

  boolean isDue(long now) {
    return clean >= cleanNeeded() && now - restedFrom >= restNeeded();
  }

  /** More is tried. */
  void raise(long now) {
    clean = 0;
    rest(now);
    rate.rise();
  }

  private boolean isSoon() {
    return guess || rate.value() < BEHIND * successes.perSecond();
  }

  private long restNeeded() {
    return isSoon() ? SOON_REST : REST;
  }

  private double cleanNeeded() {
    if (rate.isSlow()) {
      return SLOW_SECONDS * rate.value() * rate.patience();
    }
    if (isSoon()) {
      double soon = Math.clamp(SOON_SECONDS * rate.value(), SOON_LEAST, SOON);
      return guess ? soon : soon * rate.patience();
    }
    return rate.isTrying() ? TRIAL : CLEAN_PER_REFUSAL * cost * rate.patience();
  }

  /** Requests per second that went well: at this rate, or on average over the last minutes. */
  double proven() {
    return Math.max(rate.proven(), successes.perSecond());
  }

  /** How far to trust that, from 0 to 1. */
  double sure() {
    return rate.isTrying() ? 1 : Math.min(1, clean / SURE);
  }

  /** When more is tried, for people. */
  String next(long now) {
    long wait = restedFrom + restNeeded() - now;
    int successes = (int) Math.max(1, cleanNeeded() - clean);
    return wait > 0
        ? "; more is tried in " + Figures.time(wait) + " if requests succeed"
        : "; more is tried after %d more successes".formatted(successes);
  }
}
