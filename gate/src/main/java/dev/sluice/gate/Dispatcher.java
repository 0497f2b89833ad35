package dev.sluice.gate;

import dev.sluice.gate.time.Time;
import java.util.function.LongSupplier;

/**
 * The task that wakes up when time alone changes something for those who wait. It lives only while
 * there is such a time, so an idle gate has no task.
 *
 * <p>{@link #plan} and {@link #next} are guarded by the gate's lock.
 */
final class Dispatcher {
  /** What is to be done once the lock is released. */
  enum Action {
    NONE,
    START,
    RING
  }

  /** The sweep found nothing to wake up for. */
  private static final long END = Long.MIN_VALUE;

  /** It was rung and will sweep at once. */
  private static final long AWAKE = Long.MIN_VALUE;

  private final Time time;
  private final Time.Bell bell;
  private final LongSupplier sweep;
  private boolean running;
  private long wakesAt;

  /**
   * @param sweep answers all that can be answered now, and returns what {@link #next} returned
   */
  Dispatcher(Time time, LongSupplier sweep) {
    this.time = time;
    this.bell = time.bell();
    this.sweep = sweep;
  }

  /**
   * Something has changed: time alone will next change something at {@code next}, {@link
   * Time#NEVER} if it will not.
   */
  Action plan(long next) {
    if (!running) {
      if (next == Time.NEVER) {
        return Action.NONE;
      }
      running = true;
      wakesAt = next;
      return Action.START;
    }
    if (wakesAt != AWAKE && (next < wakesAt || next == Time.NEVER)) {
      wakesAt = AWAKE;
      return Action.RING;
    }
    return Action.NONE;
  }

  /** The same, said by the dispatcher's own sweep: when to wake up, or {@link #END}. */
  long next(long next) {
    running = next != Time.NEVER;
    wakesAt = next;
    return running ? next : END;
  }

  /** Does what was planned; outside the lock. */
  void act(Action action) {
    switch (action) {
      case NONE -> {}
      case START -> {
        var unused = time.start("gate", this::run);
      }
      case RING -> bell.ring();
    }
  }

  private void run() {
    for (long next = sweep.getAsLong(); next != END; next = sweep.getAsLong()) {
      try {
        boolean unused = bell.await(next);
      } catch (InterruptedException e) {
        // Nobody has this task to interrupt, and those who wait depend on it: it goes on.
      }
    }
  }
}
