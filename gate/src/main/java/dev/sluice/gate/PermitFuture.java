package dev.sluice.gate;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
    return withdrawIf(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public boolean complete(@Nullable Permit value) {
    return withdrawIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return withdrawIf(super.completeExceptionally(failure));
  }

  private boolean withdrawIf(boolean completed) {
    if (completed) {
      gate.withdraw(waiter);
    }
    return completed;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  /** Completes it on a task of its own: continuations never run on the thread that settled. */
  void deliver(Outcome outcome) {
    var unused = gate.time().start("permit", () -> answer(outcome));
  }

  private void answer(Outcome outcome) {
    switch (outcome) {
      case Permit permit -> {
        if (!super.complete(permit)) {
          boolean unused = gate.abandon(permit);
        }
      }
      case Refusal refusal -> super.completeExceptionally(RefusedException.of(waiter.run, refusal));
    }
  }
}
