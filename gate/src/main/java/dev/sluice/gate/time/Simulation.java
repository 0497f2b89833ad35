package dev.sluice.gate.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A simulation to be run: its seed and its few options. Immutable; it can be run any number of
 * times, with the same result. Build one with {@link SimulatedTime#with(long)}.
 *
 * @param seed decides the order in which tasks run, and what their generators give
 * @param origin what {@link Time#nanos()} reads at the start (default 0). Any value will do; a
 *     negative one, or one shortly before {@link Long#MAX_VALUE}, finds code that compares times
 *     instead of their differences
 * @param wallClock what {@link Time#instant()} reads at the start (default the first of January
 *     2026, midnight UTC)
 * @param limit how much simulated time may pass (default, and at most, 100 years)
 * @param steps how many turns may be given to tasks (default 100 million, some minutes)
 * @param traced whether the trace keeps its events (default no)
 */
public record Simulation(
    long seed, long origin, Instant wallClock, Duration limit, long steps, boolean traced) {

  private static final Duration LONGEST = Duration.ofDays(36_525);

  /** What runs in simulated time; it may throw what it likes. */
  @FunctionalInterface
  public interface Body {
    /** Runs as the first task, named {@code main}. */
    void run(SimulatedTime time) throws Exception;
  }

  /**
   * What runs in simulated time and comes to a result.
   *
   * @param <T> the type of the result
   */
  @FunctionalInterface
  public interface Question<T extends @Nullable Object> {
    /** Runs as the first task, named {@code main}. */
    T answer(SimulatedTime time) throws Exception;
  }

  /** Checks the options. */
  public Simulation {
    if (limit.compareTo(Duration.ZERO) <= 0 || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "limit is %s, but must be more than 0 and at most %s (how much simulated time may pass)"
              .formatted(limit, LONGEST));
    }
    if (steps < 1) {
      throw new IllegalArgumentException(
          "steps is %d, but must be at least 1 (how many turns may be given to tasks)"
              .formatted(steps));
    }
  }

  static Simulation withDefaults(long seed) {
    return new Simulation(
        seed, 0, Instant.parse("2026-01-01T00:00:00Z"), LONGEST, 100_000_000, false);
  }

  /** The same with another origin of {@link Time#nanos()}. */
  public Simulation origin(long origin) {
    return new Simulation(seed, origin, wallClock, limit, steps, traced);
  }

  /** The same with another wall clock at the start. */
  public Simulation wallClock(Instant wallClock) {
    return new Simulation(seed, origin, wallClock, limit, steps, traced);
  }

  /** The same with another limit of simulated time: more than 0, at most 100 years. */
  public Simulation limit(Duration limit) {
    return new Simulation(seed, origin, wallClock, limit, steps, traced);
  }

  /** The same with another limit of turns: at least 1. */
  public Simulation steps(long steps) {
    return new Simulation(seed, origin, wallClock, limit, steps, traced);
  }

  /** The same with a trace that keeps its events, or without. */
  public Simulation traced(boolean traced) {
    return new Simulation(seed, origin, wallClock, limit, steps, traced);
  }

  /**
   * Runs {@code body} as the first task, and returns when it and every task started meanwhile have
   * ended. The calling thread blocks, in real time.
   *
   * @return what happened
   * @throws SimulatedDeadlockException if tasks wait for what can no longer come, whether or not
   *     the body itself has ended: a background task must be stopped by whoever started it
   * @throws SimulatedLimitException if the run exceeds its limit of time or of steps
   * @throws SimulationFailedException if the body throws, at once; or at the end, if a task threw
   *     and nobody joined it; or if the calling thread is interrupted
   */
  public Trace run(Body body) {
    SimulatedTime time = new SimulatedTime(this);
    time.run(() -> body.run(time));
    return time.trace();
  }

  /**
   * As {@link #run}, for a body with a result.
   *
   * @param <T> the type of the result
   */
  public <T extends @Nullable Object> T call(Question<T> question) {
    AtomicReference<T> answer = new AtomicReference<>();
    Trace unused = run(time -> answer.set(question.answer(time)));
    return answer.get();
  }

  /** The code that builds these options, to be pasted into a test. */
  @Override
  public String toString() {
    Simulation plain = withDefaults(seed);
    StringBuilder code = new StringBuilder("SimulatedTime.with(").append(seed).append(")");
    if (origin != plain.origin) {
      code.append(".origin(").append(origin).append(")");
    }
    if (!wallClock.equals(plain.wallClock)) {
      code.append(".wallClock(Instant.parse(\"").append(wallClock).append("\"))");
    }
    if (!limit.equals(plain.limit)) {
      code.append(".limit(Duration.parse(\"").append(limit).append("\"))");
    }
    if (steps != plain.steps) {
      code.append(".steps(").append(steps).append(")");
    }
    return code.toString();
  }
}
