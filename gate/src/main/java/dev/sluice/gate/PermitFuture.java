package dev.sluice.gate;

import java.util.concurrent.CompletableFuture;

/**
 * The permit of a caller that does not block. Cancelling it, or completing it in any other way,
 * gives up the caller's turn; a permit that comes too late is handed back.
 */
final class PermitFuture extends CompletableFuture<Permit> {
  private final Gate gate;
  private final Waiter waiter;

  PermitFuture(Gate gate, Waiter waiter) {
    this.gate = gate;
    this.waiter = waiter;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    if (cancelled) {
      gate.withdraw(waiter);
    }
    return cancelled;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  /** Completes it on a task of its own: continuations never run on the thread that settled. */
  void deliver(Outcome outcome) {
    var unused = gate.time().start("permit", () -> complete(outcome));
  }

  private void complete(Outcome outcome) {
    switch (outcome) {
      case Permit permit -> {
        if (!complete(permit)) {
          boolean unused = gate.abandon(permit);
        }
      }
      case Refusal refusal -> completeExceptionally(RefusedException.of(refusal));
    }
  }
}
