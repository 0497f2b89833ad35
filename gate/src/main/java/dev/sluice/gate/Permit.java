package dev.sluice.gate;

import dev.sluice.control.lane.Lane;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import org.jspecify.annotations.Nullable;

/**
 * The right to send one request through one lane, until it is settled.
 *
 * <p>Exactly once, from any thread: {@link #settle} with what came back, or {@link #abandon} if
 * nothing was sent. Closed without either, it counts as a failure whose outcome is unknown.
 * Settling or abandoning a second time throws {@link IllegalStateException} and changes nothing;
 * closing is always allowed.
 */
public final class Permit implements Attempt, AutoCloseable, Outcome {
  private static final int SETTLED = -1;

  private static final Signal FORGOTTEN = Signal.transientFailure(Signal.Transient.Kind.UNSETTLED);

  private final Gate gate;
  final Lane lane;
  final Run run;
  private final Ask ask;
  private final long sentAt;

  // Guarded by the gate's lock. One field for both, because permits are made by the million.
  private int ticket;

  Permit(Gate gate, Lane lane, Run run, Ask ask, long sentAt) {
    this.gate = gate;
    this.lane = lane;
    this.run = run;
    this.ask = ask;
    this.sentAt = sentAt;
  }

  /** The circuit's ticket for this attempt; 0 or more. */
  int circuitTicket() {
    return ticket;
  }

  void circuitTicket(int number) {
    ticket = number;
  }

  /** Whether it was settled or abandoned. */
  boolean isSettled() {
    return ticket == SETTLED;
  }

  void markSettled() {
    ticket = SETTLED;
  }

  /** The lane to send through. */
  public String lane() {
    return lane.name();
  }

  /** Says what came back. The lane learns from it, and its slot is free for the next caller. */
  public void settle(Signal signal) {
    if (!gate.settle(this, signal)) {
      throw alreadySettled();
    }
  }

  /** Hands the permit back unused: nothing was sent, and nothing was spent. */
  public void abandon() {
    if (!gate.abandon(this)) {
      throw alreadySettled();
    }
  }

  /** Settles a permit that nobody settled as a failure; otherwise does nothing. */
  @Override
  public void close() {
    boolean unused = gate.settle(this, FORGOTTEN);
  }

  @Override
  public long sentAt() {
    return sentAt;
  }

  @Override
  public Work work() {
    return ask.work();
  }

  @Override
  public @Nullable Object call() {
    return ask.call();
  }

  private IllegalStateException alreadySettled() {
    return new IllegalStateException(
        "this permit of lane " + lane() + " was settled or abandoned already");
  }
}
