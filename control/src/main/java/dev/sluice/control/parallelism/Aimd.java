package dev.sluice.control.parallelism;

import dev.sluice.control.policy.LevelSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One connection's search for its parallelism: additive increase, multiplicative decrease.
 *
 * <p>It starts at a share of the maximum. After enough successes and enough time it takes a step
 * up, a larger one while below the level at which it was last throttled, less one step (<em>last
 * known good</em>). A throttle takes it down to a share of the level in force. An {@link
 * ExecutionTimeCeiling} caps the level whenever it is read; steps never climb above that cap, so
 * that a cap which lifts reveals no level that was never tried.
 *
 * <p>Single-threaded. Times are monotonic nanoseconds; one earlier than the latest seen is taken
 * for the latest, so a clock that jumps back can delay a step but never hasten it.
 */
final class Aimd {
  /** About 73 years: sums and differences of a few of these do not overflow. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

  private final AdaptiveRateOptions options;
  private final ExecutionTimeCeiling ceiling;
  private final long minIncreaseInterval;
  private final long lastKnownGoodTtl;
  private final long idleResetPeriod;

  private int max;
  private int level;
  private int lastKnownGood;
  private long lastKnownGoodAt;
  private long successes;
  private long lastStep;
  private long latest;
  private long lastActivity;

  /** The later of the last activity and the end of the last hold. */
  private long idleSince;

  private long throttles;
  private long lastThrottle;
  private boolean increased;
  private long lastIncrease;

  Aimd(AdaptiveRateOptions options, int max, long now) {
    this.options = options;
    ceiling =
        new ExecutionTimeCeiling(
            options.executionTimeCeilingFactor(), options.slowBatchThresholdMs());
    minIncreaseInterval = nanos(options.minIncreaseInterval());
    lastKnownGoodTtl = nanos(options.lastKnownGoodTtl());
    idleResetPeriod = nanos(options.idleResetPeriod());
    this.max = max;
    latest = now;
    lastActivity = now;
    idleSince = now;
    reset(now);
  }

  int max() {
    return max;
  }

  /** Adopts a new maximum, at least 1; level and last known good are moved within it. */
  void max(int value) {
    max = value;
    level = Math.clamp(level, least(), max);
    lastKnownGood = Math.clamp(lastKnownGood, least(), max);
  }

  /** The level in force; changes nothing. */
  int level(long now) {
    return options.enabled() ? Math.min(level, effective(later(now))) : max;
  }

  /** Whether nothing has happened for the idle period, holds not counted. */
  boolean idle(long now) {
    return later(now) - idleSince > idleResetPeriod;
  }

  /** Something happened: not idle. */
  void touch(long now) {
    lastActivity = advance(now);
    held(lastActivity);
  }

  /** Nothing is sent before {@code until}: that time is not idle. */
  void held(long until) {
    if (until - idleSince > 0) {
      idleSince = until;
    }
  }

  /** Takes a successful batch's duration into the average behind the execution-time ceiling. */
  void took(long duration) {
    ceiling.record(duration);
  }

  /**
   * A success that says something about the level: may take a step up.
   *
   * @param inUse whether enough of the level was in use for that
   * @return whether a step was taken (at the ceiling it leads nowhere)
   */
  boolean success(boolean inUse, long now) {
    touch(now);
    successes++;
    if (latest - lastKnownGoodAt > lastKnownGoodTtl) {
      rememberGood(level);
    }
    boolean due =
        inUse
            && successes >= options.stabilizationBatches()
            && latest - lastStep >= minIncreaseInterval;
    if (due) {
      step();
    }
    return due;
  }

  /** A throttle that says something about the level: counted, and the level decreases. */
  void throttle(long retryAfter, long now) {
    countThrottle(retryAfter, now);
    int inForce = level(latest);
    ceiling.throttled(inForce, retryAfter, latest);
    rememberGood(inForce - options.increaseRate());
    level = Math.clamp(Levels.roundDown(inForce * options.decreaseFactor()), least(), max);
    successes = 0;
  }

  /** A throttle that says nothing new about the level: counted, no more. */
  void countThrottle(long retryAfter, long now) {
    touch(now);
    held(latest + retryAfter);
    throttles++;
    lastThrottle = latest;
  }

  /** Starts afresh; what was counted in all remains. */
  void reset(long now) {
    advance(now);
    level = Math.clamp(Levels.roundDown(max * options.initialParallelismFactor()), least(), max);
    rememberGood(level);
    successes = 0;
    lastStep = latest;
    ceiling.clear();
  }

  /** What is known at {@code now}, which the wall clock calls {@code wall}; changes nothing. */
  AdaptiveRateStatistics statistics(String connection, long now, Instant wall) {
    long time = later(now);
    return new AdaptiveRateStatistics(
        connection,
        level(time),
        max,
        lastKnownGood,
        time - lastKnownGoodAt > lastKnownGoodTtl,
        successes,
        throttles,
        throttles > 0 ? Optional.of(wall.minusNanos(time - lastThrottle)) : Optional.empty(),
        increased ? Optional.of(wall.minusNanos(time - lastIncrease)) : Optional.empty(),
        wall.minusNanos(time - lastActivity));
  }

  /** How far the search has come; changes nothing. */
  LevelSearch search(long now) {
    return new LevelSearch(
        max,
        lastKnownGood,
        later(now) - lastKnownGoodAt > lastKnownGoodTtl,
        OptionalLong.of(successes),
        increased ? OptionalLong.of(lastIncrease) : OptionalLong.empty());
  }

  /** A duration in nanoseconds; too long ones are cut off, negative ones are zero. */
  static long nanos(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
  }

  private void step() {
    double multiplier = level < lastKnownGood ? options.recoveryMultiplier() : 1;
    long increase = Math.max(1, Levels.roundDown(options.increaseRate() * multiplier));
    int reached = (int) Math.min(level + increase, effective(latest));
    if (reached > level) {
      level = reached;
      increased = true;
      lastIncrease = latest;
    }
    successes = 0;
    lastStep = latest;
  }

  private void rememberGood(int value) {
    lastKnownGood = Math.clamp(value, least(), max);
    lastKnownGoodAt = latest;
  }

  private int effective(long now) {
    return ceiling.effective(least(), max, now);
  }

  /** A service that allows less than the minimum is obeyed. */
  private int least() {
    return Math.min(options.minParallelism(), max);
  }

  private long advance(long now) {
    latest = later(now);
    return latest;
  }

  private long later(long now) {
    return now - latest > 0 ? now : latest;
  }
}
