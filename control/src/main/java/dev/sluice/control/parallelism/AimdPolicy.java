package dev.sluice.control.parallelism;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.LevelSearch;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.signal.Signal;
import java.time.Instant;
import java.util.function.IntSupplier;

/**
 * The policy {@code aimd}: searches for the parallelism that the service sustains, by additive
 * increase and multiplicative decrease below an execution-time ceiling. It does not pace.
 *
 * <p>Knowing when each request was sent, it draws conclusions only from requests that met the
 * present level:
 *
 * <ul>
 *   <li>A throttle opens an episode and decreases the level once. Throttles of requests sent before
 *       that decrease, or at that very moment, are counted and change nothing else.
 *   <li>Their successes are not recovery (their durations still count).
 *   <li>A step up needs at least half of the level to have been in flight since the last one.
 *   <li>Time held back or with requests in flight is not idle.
 * </ul>
 *
 * <p>Answers that are neither success nor throttle leave the level as it is. Options that switch
 * adaptation off make this a fixed policy at the maximum. Single-threaded, like every policy.
 */
public final class AimdPolicy implements Policy {
  private final Aimd aimd;
  private IntSupplier max;
  private int inFlight;

  /** The most in flight at once since the last step up. */
  private int mostInFlight;

  private boolean decreased;
  private long decreasedAt;

  /**
   * Starts a search.
   *
   * @param max the ceiling, such as the service's recommended degree of parallelism
   * @throws IllegalArgumentException if {@code max} is less than 1
   */
  public AimdPolicy(AdaptiveRateOptions options, int max, long now) {
    this(options, Levels.fixed(max), now);
  }

  /** Starts a search below a ceiling that changes; what is less than 1 counts as 1. */
  public AimdPolicy(AdaptiveRateOptions options, IntSupplier max, long now) {
    this.max = max;
    this.aimd = new Aimd(options, Math.max(1, max.getAsInt()), now);
  }

  /**
   * Adopts a new ceiling; the level is moved below it at once.
   *
   * @throws IllegalArgumentException if {@code max} is less than 1
   */
  public void max(int max) {
    this.max = Levels.fixed(max);
    aimd.max(max);
  }

  /** {@inheritDoc} Starts afresh if the lane was idle; asking is no activity. */
  @Override
  public int level(long now) {
    int told = Math.max(1, max.getAsInt());
    if (told != aimd.max()) {
      aimd.max(told);
    }
    resetIfIdle(now);
    return aimd.level(now);
  }

  @Override
  public long notBefore(long now) {
    return now;
  }

  @Override
  public void started(Attempt attempt, long now) {
    resetIfIdle(now);
    aimd.touch(now);
    inFlight++;
    mostInFlight = Math.max(mostInFlight, inFlight);
  }

  @Override
  public void settled(Attempt attempt, Signal signal, long now) {
    aimd.touch(now);
    inFlight--;
    switch (signal) {
      case Signal.Success success -> succeeded(attempt, success, now);
      case Signal.Throttled throttled -> throttled(attempt, throttled, now);
      default -> {} // says nothing about how many at once
    }
  }

  @Override
  public void abandoned(Attempt attempt, long now) {
    aimd.touch(now);
    if (mostInFlight == inFlight) {
      mostInFlight--;
    }
    inFlight--;
  }

  @Override
  public void held(long until) {
    aimd.held(until);
  }

  @Override
  public LevelSearch search(long now) {
    return aimd.search(now);
  }

  /** {@inheritDoc} It starts at its share of the maximum again; totals remain. */
  @Override
  public void reset(long now) {
    aimd.reset(now);
    mostInFlight = inFlight;
  }

  /**
   * Where the search stands; changes nothing.
   *
   * @param connection the name to report it under
   * @param now monotonic nanoseconds
   * @param wall what the wall clock says at {@code now}
   */
  public AdaptiveRateStatistics statistics(String connection, long now, Instant wall) {
    return aimd.statistics(connection, now, wall);
  }

  private void succeeded(Attempt attempt, Signal.Success success, long now) {
    aimd.took(success.durationSince(attempt.sentAt(), now));
    if (metPresentLevel(attempt)) {
      boolean inUse = 2L * mostInFlight >= aimd.level(now);
      if (aimd.success(inUse, now)) {
        mostInFlight = inFlight;
      }
    }
  }

  private void throttled(Attempt attempt, Signal.Throttled throttled, long now) {
    long retryAfter = throttled.retryAfter().map(Aimd::nanos).orElse(0L);
    if (metPresentLevel(attempt)) {
      aimd.throttle(retryAfter, now);
      decreased = true;
      decreasedAt = now;
      mostInFlight = inFlight; // what was in use before says nothing about the new level
    } else {
      aimd.countThrottle(retryAfter, now);
    }
  }

  private boolean metPresentLevel(Attempt attempt) {
    return !decreased || attempt.sentAt() - decreasedAt > 0;
  }

  private void resetIfIdle(long now) {
    if (inFlight == 0 && aimd.idle(now)) {
      reset(now);
    }
  }
}
