package dev.sluice.gate.time;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Clocks, chance, waiting and tasks: the one seam between code and what cannot be repeated.
 *
 * <p>Code that reads time, sleeps, waits or starts tasks only through here runs unchanged on the
 * real clock and in {@linkplain SimulatedTime simulated time}. Times are monotonic nanoseconds from
 * an arbitrary origin, which may be negative, but far enough from the ends that they never wrap; a
 * deadline of {@link #NEVER} does not expire.
 *
 * <p>Every wait throws {@link InterruptedException}, and clears the interrupt, if its task is
 * interrupted before or during it, even if there is nothing to wait for. Only a ring that wakes a
 * waiting task first wins over the interrupt, which then stays for the next wait.
 *
 * <p>Thread-safe; simulated time is used by its own tasks only.
 */
public interface Time extends Ticker {

  /** A deadline that does not expire. */
  long NEVER = Long.MAX_VALUE;

  /** Real time on virtual threads. */
  static Time real() {
    return RealTime.INSTANCE;
  }

  /** Waits until {@link #nanos()} has reached {@code deadline}; goes on if it has. */
  void sleepUntil(long deadline) throws InterruptedException;

  /** A new bell, not rung. */
  Bell bell();

  /**
   * Starts a task. Its name appears in thread dumps and in reports of simulated deadlocks; an
   * exception that it throws reaches whoever joins it, and the log, or fails the simulation if
   * nobody does.
   */
  Task start(String name, Runnable body);

  /**
   * A generator for the caller's own use: unpredictable in real time, derived from the seed and the
   * calling task in simulated time. Not thread-safe.
   */
  RandomGenerator random();

  /** The time {@code duration} from now, {@link #NEVER} if that is too far away to count. */
  default long deadline(Duration duration) {
    return after(nanos(), duration);
  }

  /** Sleeps for a duration; zero or less returns at once. */
  default void sleep(Duration duration) throws InterruptedException {
    sleepUntil(deadline(duration));
  }

  /** {@code start} plus {@code duration}, {@link #NEVER} from about 146 years on. */
  static long after(long start, Duration duration) {
    long most = Long.MAX_VALUE / 2;
    if (duration.compareTo(Duration.ofNanos(most)) >= 0) {
      return NEVER;
    }
    long nanos = duration.compareTo(Duration.ofNanos(-most)) <= 0 ? -most : duration.toNanos();
    long end = start + nanos;
    return end == NEVER ? end + 1 : end; // a nanosecond late rather than early, or for ever
  }

  /**
   * Wakes one waiting task: a condition with a deadline, reduced to what is needed.
   *
   * <p>A ring that nobody waits for is remembered, once, until the next wait takes it. At most one
   * task waits at a time; a second one is refused with {@link IllegalStateException}.
   */
  interface Bell {

    /**
     * Waits for a ring, at most until {@code deadline}.
     *
     * @return whether it rang; {@code false} if the deadline passed first
     */
    boolean await(long deadline) throws InterruptedException;

    /** Wakes the waiting task, or the next to wait. Never blocks; any thread may ring. */
    void ring();
  }

  /** A task that was started. */
  interface Task {

    /** The name it was started with. */
    String name();

    /**
     * Waits for the task to end, at most until {@code deadline}.
     *
     * @return whether it ended
     * @throws java.util.concurrent.CompletionException with what the task threw, if it threw
     */
    boolean join(long deadline) throws InterruptedException;

    /** Waits for the task to end. */
    default void join() throws InterruptedException {
      boolean unused = join(NEVER);
    }

    /** Interrupts what the task waits for. */
    void interrupt();
  }
}
