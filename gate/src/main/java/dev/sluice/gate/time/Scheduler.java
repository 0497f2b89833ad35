package dev.sluice.gate.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose turn it is. One task has the turn; it alone runs, and it alone touches this state,
 * so there are no locks: handing over publishes everything to the next.
 *
 * <p>A task that waits enters the heap of timers, or whatever list will wake it, and chooses its
 * successor among the runnable by the seed. If nobody is runnable, the clock jumps to the earliest
 * timer, and all timers of that instant become runnable together. If there are no timers either,
 * the run has failed. After a failure every wait is refused, so that all tasks unwind, still one at
 * a time, and none stays behind.
 */
final class Scheduler {
  /** So many refused waits later, a task that catches everything is left where it is. */
  private static final int MOST_REFUSALS = 1_000;

  private static final Set<String> OWN_CLASSES =
      Set.of(
          SimulatedTime.class.getName(),
          SimulatedTask.class.getName(),
          Scheduler.class.getName(),
          Time.class.getName());

  private final Simulation options;
  private final StallWatch watch;
  private final Trace trace;
  private final SplitMix order;
  private final TimerHeap timers = new TimerHeap();
  private final List<SimulatedTask> runnable = new ArrayList<>();
  private final Set<SimulatedTask> living = new LinkedHashSet<>(); // in the order of their start
  private final Set<Failed> unjoined = new LinkedHashSet<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final long limit;
  private int started;
  private long elapsed;
  private volatile @Nullable SimulatedTask holder; // looked at from outside, too
  private @Nullable SimulationFailedException failure;
  private volatile boolean abandoned;

  /** Thrown by every wait of a run that has failed; an Error, because code recovers from others. */
  private static final class Unwinding extends Error {
    private static final long serialVersionUID = 1L;

    Unwinding() {
      super("the simulation has failed; this task is being ended", null, false, false);
    }
  }

  private record Failed(SimulatedTask task, Throwable thrown) {}

  Scheduler(Simulation options, Trace trace, StallWatch watch) {
    this.watch = watch;
    this.options = options;
    this.trace = trace;
    this.limit = options.limit().toNanos();
    this.order = new SplitMix(options.seed(), 0);
  }

  /** Nanoseconds of simulated time since the start. */
  long elapsed() {
    return elapsed;
  }

  /** Nanoseconds of simulated time since the origin. */
  long now() {
    return options.origin() + elapsed;
  }

  /** Runs until every task has ended; called by the thread outside. */
  void run(SimulatedTask.Code body) {
    admit("main", body);
    choose().giveTurn();
    try {
      while (!finished.await(watch.period.toNanos(), TimeUnit.NANOSECONDS)) {
        SimulatedTask busy = holder;
        if (busy != null) {
          watch.look(busy);
        }
      }
    } catch (InterruptedException e) {
      SimulatedTask busy = holder; // before the next line lets it go
      abandoned = true; // whoever has the turn ends the run at its next wait, if it ever waits
      Thread.currentThread().interrupt();
      String what = busy == null ? "" : " while task '" + busy.name() + "' ran, at " + place(busy);
      throw new SimulationFailedException(options, trace, "interrupted" + what, e);
    }
    SimulationFailedException thrown = failure;
    if (thrown != null) {
      thrown.fillInStackTrace(); // the caller's lines help more than the last task's
      throw thrown;
    }
  }

  /** The calling task; refuses everybody else. */
  SimulatedTask self() {
    SimulatedTask task = holder;
    if (task == null || !task.thread.equals(Thread.currentThread())) {
      throw new IllegalStateException(
          "thread '%s' is not a task of this simulation: only its body, and tasks that it started"
                  .formatted(Thread.currentThread().getName())
              + " while it runs, may wait, ring, start and interrupt here");
    }
    return task;
  }

  /** Makes a new task runnable. */
  SimulatedTask admit(String name, SimulatedTask.Code code) {
    SplitMix random = new SplitMix(options.seed(), ++started);
    SimulatedTask task = new SimulatedTask(this, started, name, code, random);
    living.add(task);
    runnable.add(task);
    note(task, Trace.Kind.STARTED);
    return task;
  }

  /** The calling task, which is about to wait. */
  SimulatedTask enter(Trace.Kind kind) throws InterruptedException {
    SimulatedTask self = self();
    refuseAfterFailure(self);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    note(self, kind);
    return self;
  }

  /** Waits until another task wakes {@code self}, at most until {@code deadline}. */
  void suspend(SimulatedTask self, Object waitsFor, long deadline) {
    self.waitsFor = waitsFor;
    long left = deadline == Time.NEVER ? Time.NEVER : deadline - now();
    if (left <= 0) {
      pause(self);
      return;
    }
    self.waiting = true;
    if (deadline != Time.NEVER) {
      timers.add(self, left > Long.MAX_VALUE - elapsed ? Long.MAX_VALUE : elapsed + left);
    }
    pass(self);
  }

  /** Lets others go first, if the seed says so: every wait is an occasion, even a needless one. */
  void pause(SimulatedTask self) {
    runnable.add(self);
    pass(self);
  }

  /** Makes a waiting task runnable; nothing happens if it is. */
  void wake(SimulatedTask task) {
    if (task.waiting) {
      task.waiting = false;
      timers.remove(task);
      runnable.add(task);
    }
  }

  /** The failure of {@code task} has reached somebody. */
  void joined(SimulatedTask task) {
    unjoined.removeIf(failed -> failed.task == task);
  }

  /** Ends the calling task; its thread must do nothing more. */
  void ended(SimulatedTask self, @Nullable Throwable thrown) {
    living.remove(self);
    note(self, thrown == null ? Trace.Kind.ENDED : Trace.Kind.FAILED);
    self.end(thrown);
    if (thrown != null && !(thrown instanceof Unwinding)) {
      if (self.number == 1 && failure == null) {
        fail(new SimulationFailedException(options, trace, thrown.toString(), thrown));
      } else {
        unjoined.add(new Failed(self, thrown));
      }
    }
    if (living.isEmpty()) {
      finish();
    } else {
      choose().giveTurn();
    }
  }

  /** Throws if the run has failed: nothing can be waited for any more. */
  void refuseAfterFailure(SimulatedTask self) {
    if (failure == null) {
      return;
    }
    if (++self.refusals > MOST_REFUSALS) {
      ended(self, null);
      while (true) {
        LockSupport.park(this);
      }
    }
    throw new Unwinding();
  }

  void note(SimulatedTask task, Trace.Kind kind) {
    if (failure == null) { // the trace ends with the failure
      trace.add(elapsed, task, kind);
    }
  }

  private void pass(SimulatedTask self) {
    SimulatedTask next = choose();
    if (next != self) {
      next.giveTurn();
      self.awaitTurn();
    }
    refuseAfterFailure(self);
  }

  /** Takes one of the runnable, after moving the clock if there is none. */
  private SimulatedTask choose() {
    if (failure == null) {
      if (abandoned) {
        fail(new SimulationFailedException(options, trace, "the caller was interrupted"));
      } else if (trace.steps() >= options.steps()) {
        failAtStepLimit();
      }
    }
    if (runnable.isEmpty()) {
      advance();
    }
    SimulatedTask next = takeAny();
    next.turns++;
    note(next, Trace.Kind.TURN);
    holder = next;
    return next;
  }

  private SimulatedTask takeAny() {
    int last = runnable.size() - 1;
    SimulatedTask chosen = runnable.set(order.below(last + 1), runnable.get(last));
    runnable.remove(last);
    return chosen;
  }

  private void advance() {
    if (timers.isEmpty()) {
      Duration when = Duration.ofNanos(elapsed);
      fail(new SimulatedDeadlockException(options, trace, when, stillLiving()));
    } else if (timers.earliest() > limit) {
      String what = "longer than its limit of " + options.limit() + " of simulated time";
      fail(new SimulatedLimitException(options, trace, what, stillLiving()));
    } else {
      elapsed = timers.earliest();
      while (!timers.isEmpty() && timers.earliest() == elapsed) {
        wake(timers.poll());
      }
    }
  }

  private void failAtStepLimit() {
    SimulatedTask busiest = living.iterator().next();
    for (SimulatedTask task : living) {
      busiest = task.turns > busiest.turns ? task : busiest;
    }
    String what =
        "more than its limit of %d steps, %d of them by task '%s', after %s of simulated time"
            .formatted(options.steps(), busiest.turns, busiest.name(), Duration.ofNanos(elapsed));
    fail(new SimulatedLimitException(options, trace, what, stillLiving()));
  }

  /** From here on every wait is refused, and everybody who waits is woken to hear it. */
  private void fail(SimulationFailedException thrown) {
    failure = thrown;
    living.forEach(this::wake);
  }

  private void finish() {
    for (Failed failed : unjoined) {
      String what = "task '" + failed.task.name() + "' failed, and nobody joined it";
      if (failure == null) {
        failure =
            new SimulationFailedException(
                options, trace, what + ": " + failed.thrown, failed.thrown);
      } else {
        failure.addSuppressed(new CompletionException(what, failed.thrown));
      }
    }
    holder = null;
    finished.countDown();
  }

  private List<WaitingTask> stillLiving() {
    return living.stream()
        .map(task -> new WaitingTask(task.name(), task.waitsFor.toString(), place(task)))
        .toList();
  }

  /** The innermost line of a task's stack that is not of this package or the JDK. */
  static String place(SimulatedTask task) {
    for (StackTraceElement frame : task.thread.getStackTrace()) {
      String type = frame.getClassName().replaceFirst("[$].*", "");
      if (!type.startsWith("java.") && !type.startsWith("jdk.") && !OWN_CLASSES.contains(type)) {
        return frame.toString();
      }
    }
    return "its start";
  }
}
