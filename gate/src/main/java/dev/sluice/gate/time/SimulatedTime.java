package dev.sluice.gate.time;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulated time: an hour passes in milliseconds, and the same seed always gives the same run.
 *
 * <pre>{@code
 * SimulatedTime.run(42, time -> {
 *   Time.Task writer = time.start("writer", () -> write(time));
 *   time.sleep(Duration.ofHours(1));
 *   writer.join();
 * });
 * }</pre>
 *
 * <p>One task runs at a time, until it waits: in {@code sleep}, {@link Time.Bell#await} or {@link
 * Time.Task#join}. Each of these is a point at which the seed chooses who goes on, even if there is
 * nothing to wait for; {@code ring}, {@code start}, {@code interrupt} and the clocks are not. The
 * clock stands still while anybody can run; then it jumps to the next time that somebody waits for,
 * and all who wait for that instant can run.
 *
 * <p>What a task must not do: hold a lock over a wait, block on anything real (a socket, another
 * thread, {@code Thread.sleep}, {@code CompletableFuture.get}), start threads of its own, or depend
 * on the order of an identity-hashed set. A loop that spins on the clock without waiting is refused
 * by name; a task that blocks on something real for half a minute is named in the log.
 *
 * <p>Interrupt tasks through {@link Time.Task#interrupt}; {@link Thread#interrupt} on the thread of
 * a waiting task is noticed only when something else ends its wait.
 *
 * <p>Threads: everything here is for the tasks of the run. Others may read the clocks when the run
 * has ended; anything else they call throws {@link IllegalStateException}.
 */
public final class SimulatedTime implements Time {
  /** No honest task asks so often at one instant. */
  private static final long MOST_READS = 10_000_000;

  /** So long, in real time, may a turn do nothing before it is remarked upon. */
  private static final Duration STANDSTILL = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(SimulatedTime.class);

  private final Trace trace;
  private final Scheduler scheduler;
  private Instant wallClockAtStart;
  private long reads;
  private long readsCountedSince;

  SimulatedTime(Simulation options) {
    this(options, new StallWatch(STANDSTILL, log::warn));
  }

  SimulatedTime(Simulation options, StallWatch watch) {
    this.wallClockAtStart = options.wallClock();
    this.trace = new Trace(options.traced());
    this.scheduler = new Scheduler(options, trace, watch);
  }

  /** A simulation with this seed and no other option set. */
  public static Simulation with(long seed) {
    return Simulation.withDefaults(seed);
  }

  /** Runs a simulation with this seed and no other option set; see {@link Simulation#run}. */
  public static Trace run(long seed, Simulation.Body body) {
    return with(seed).run(body);
  }

  void run(SimulatedTask.Code body) {
    scheduler.run(body);
  }

  @Override
  public long nanos() {
    countRead();
    return scheduler.now();
  }

  @Override
  public Instant instant() {
    countRead();
    return wallClockAtStart.plusNanos(scheduler.elapsed());
  }

  /** Sets the wall clock forward, or back if {@code by} is negative. Nothing else notices. */
  public void jumpWallClock(Duration by) {
    SimulatedTask unused = scheduler.self();
    wallClockAtStart = wallClockAtStart.plus(by);
  }

  /**
   * A generator for the calling task's own use, derived from the seed and the number of tasks that
   * were started before it; the same one each time.
   */
  @Override
  public RandomGenerator random() {
    return scheduler.self().random;
  }

  /** What has happened so far. */
  public Trace trace() {
    return trace;
  }

  @Override
  public void sleepUntil(long deadline) throws InterruptedException {
    SimulatedTask self = scheduler.enter(Trace.Kind.SLEEPS);
    scheduler.suspend(self, "the end of its sleep", deadline);
    if (self.takeInterrupt()) {
      throw new InterruptedException();
    }
  }

  @Override
  public Bell bell() {
    return new SimulatedBell();
  }

  @Override
  public Task start(String name, Runnable body) {
    scheduler.refuseAfterFailure(scheduler.self());
    return scheduler.admit(name, body::run);
  }

  private void countRead() {
    if (trace.steps() != readsCountedSince) {
      readsCountedSince = trace.steps();
      reads = 0;
    } else if (++reads > MOST_READS) {
      throw new IllegalStateException(
          "task '%s' read the clock %d times without waiting, but simulated time passes only while"
                  .formatted(Thread.currentThread().getName(), MOST_READS)
              + " every task waits");
    }
  }

  private final class SimulatedBell implements Bell {
    private boolean rung;
    private @Nullable SimulatedTask waiter;

    @Override
    public boolean await(long deadline) throws InterruptedException {
      SimulatedTask self = scheduler.enter(Trace.Kind.AWAITS);
      if (waiter != null) {
        throw new IllegalStateException("another task waits for this bell already");
      }
      if (rung) {
        rung = false;
        scheduler.pause(self);
      } else {
        waiter = self;
        scheduler.suspend(self, this, deadline);
      }
      // Until it runs again, a task whose deadline has passed can still be rung: as in real time.
      if (waiter == self) {
        waiter = null;
        if (self.takeInterrupt()) {
          throw new InterruptedException();
        }
        return false;
      }
      self.keepInterrupt();
      return true;
    }

    @Override
    public void ring() {
      SimulatedTask ringer = scheduler.self();
      scheduler.note(ringer, Trace.Kind.RINGS);
      SimulatedTask woken = waiter;
      if (woken == null) {
        rung = true;
      } else {
        waiter = null;
        scheduler.wake(woken);
      }
    }

    /** What a task that awaits this bell waits for. */
    @Override
    public String toString() {
      return "a bell";
    }
  }
}
