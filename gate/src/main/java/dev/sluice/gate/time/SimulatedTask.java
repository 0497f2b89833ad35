package dev.sluice.gate.time;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One task of a simulation: a virtual thread that runs only while it has the turn.
 *
 * <p>Apart from {@link #turn}, its state belongs to whoever has the turn, so nothing is locked.
 */
final class SimulatedTask implements Time.Task {

  /** What a task runs: a {@link Runnable} that may throw. */
  @FunctionalInterface
  interface Code {
    void run() throws Exception;
  }

  final int number;
  final Thread thread;
  final SplitMix random;

  /** When its timer rings, since the start of the run; kept by the heap. */
  long wakeAt;

  /** Its place in the heap; kept by the heap. */
  int heapPlace = TimerHeap.ABSENT;

  /** What its last wait was for; its text appears in reports. */
  Object waitsFor = "its first turn";

  /** Whether it waits to be woken; otherwise it has the turn, or can be given it. */
  boolean waiting;

  /** How many turns it was given. */
  long turns;

  /** How many of its waits were refused because the run has failed. */
  int refusals;

  private final String name;
  private final Code code;
  private final Scheduler scheduler;
  private final List<SimulatedTask> joiners = new ArrayList<>(1);
  private boolean interrupted;
  private boolean ended;
  private @Nullable Throwable failure;
  private volatile boolean turn;

  SimulatedTask(Scheduler scheduler, int number, String name, Code code, SplitMix random) {
    this.scheduler = scheduler;
    this.number = number;
    this.name = name;
    this.code = code;
    this.random = random;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::live);
  }

  private void live() {
    Throwable thrown = null;
    try {
      scheduler.refuseAfterFailure(this);
      keepInterrupt();
      code.run();
    } catch (Throwable e) { // handed to whoever joins, or fails the run
      thrown = e;
    }
    scheduler.ended(this, thrown);
  }

  /** Lets the task run. The caller must not touch the simulation from then on. */
  void giveTurn() {
    if (turns == 1) {
      thread.start();
    } else {
      turn = true;
      LockSupport.unpark(thread);
    }
  }

  /** Parks this task, which must be the caller, until it is given the turn. */
  void awaitTurn() {
    while (!turn) {
      LockSupport.park(this);
      // A thread whose flag is up cannot park, so the interrupt is kept here until it can be told.
      if (Thread.interrupted()) {
        interrupted = true;
      }
    }
    turn = false;
  }

  /** Whether it was interrupted during the wait that ends; takes note that this was told. */
  boolean takeInterrupt() {
    boolean was = interrupted;
    interrupted = false;
    return was;
  }

  /** An interrupt that came too late for the wait that ends stays with the thread. */
  void keepInterrupt() {
    if (takeInterrupt()) {
      thread.interrupt();
    }
  }

  /** Notes the end, and wakes those who wait for it. */
  void end(@Nullable Throwable thrown) {
    ended = true;
    failure = thrown;
    joiners.forEach(scheduler::wake);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean join(long deadline) throws InterruptedException {
    SimulatedTask self = scheduler.enter(Trace.Kind.JOINS);
    if (ended) {
      scheduler.pause(self);
    } else {
      joiners.add(self);
      scheduler.suspend(self, this, deadline);
      joiners.remove(self);
    }
    if (self.takeInterrupt()) {
      throw new InterruptedException();
    }
    if (failure != null) {
      scheduler.joined(this);
      throw new CompletionException("task " + name + " failed", failure);
    }
    return ended;
  }

  @Override
  public void interrupt() {
    SimulatedTask self = scheduler.self();
    if (self == this) {
      thread.interrupt();
    } else if (!ended) {
      interrupted = true;
      scheduler.wake(this);
      scheduler.note(this, Trace.Kind.INTERRUPTED);
    }
  }

  /** What a task that joins this one waits for. */
  @Override
  public String toString() {
    return "task '" + name + "' to end";
  }
}
