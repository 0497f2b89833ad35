package dev.sluice.gate;

import dev.sluice.gate.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * One caller that waits. It holds nothing: no slot, no place in the pace, only its turn.
 *
 * <p>All fields are guarded by the gate's lock; {@link #deliver} runs outside it, once, after the
 * outcome was set.
 */
abstract sealed class Waiter implements Entry {
  final Run run;
  final Ask ask;

  /** When it is refused, whatever it waits for; {@link Time#NEVER} if it sets no limit. */
  final long deadline;

  /** How long it may wait for a slot, holds not counted; {@link Time#NEVER} for ever. */
  final long patience;

  /** When it came. */
  long enteredAt;

  /** When its wait for a slot began, and how much held time the gate had counted by then. */
  long queuedAt;

  long heldBefore;

  /** When something is due to happen to it by itself; {@link Time#NEVER} if nothing is. */
  long alarm = Time.NEVER;

  // Its places: in the queue, and in the heap of alarms (-1: nowhere).
  @Nullable Waiter previous;
  @Nullable Waiter next;
  @Nullable WaitQueue queue;
  int alarmIndex = -1;

  private @Nullable Outcome outcome;

  Waiter(Run run, Ask ask, long deadline, long patience) {
    this.run = run;
    this.ask = ask;
    this.deadline = deadline;
    this.patience = patience;
  }

  final @Nullable Outcome outcome() {
    return outcome;
  }

  final void answer(Outcome decided) {
    outcome = decided;
  }

  /** Whether the caller has lost interest, so that a permit would be wasted on it. */
  boolean isGone() {
    return false;
  }

  /** Tells the caller its outcome. */
  abstract void deliver(Outcome decided);

  /** Makes the kind of waiter that a caller wants to be, if it must wait. */
  interface Factory {
    Waiter create(Gate gate, Run run, Ask ask, long deadline, long patience);
  }

  /** A caller that blocks its thread until the bell rings. */
  static final class Blocked extends Waiter {
    final Time.Bell bell;

    Blocked(Gate gate, Run run, Ask ask, long deadline, long patience) {
      super(run, ask, deadline, patience);
      this.bell = gate.time().bell();
    }

    @Override
    void deliver(Outcome decided) {
      bell.ring();
    }
  }

  /** A caller that holds a future. */
  static final class Promised extends Waiter {
    final PermitFuture future;

    Promised(Gate gate, Run run, Ask ask, long deadline, long patience) {
      super(run, ask, deadline, patience);
      this.future = new PermitFuture(gate, this);
    }

    @Override
    boolean isGone() {
      return future.isDone();
    }

    @Override
    void deliver(Outcome decided) {
      future.deliver(decided);
    }
  }
}
