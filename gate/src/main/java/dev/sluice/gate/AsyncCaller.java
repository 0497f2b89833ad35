package dev.sluice.gate;

import dev.sluice.gate.time.Time;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that blocks a task of its own instead of its caller. Cancelling it, or completing it in
 * any other way, interrupts that task; what the task holds it gives back by itself, wherever it is,
 * so nothing stays behind. Only a cancelled one says nothing about the service: what completes it
 * otherwise is a timer ({@link #orTimeout}, {@link #completeOnTimeout}). Thread-safe.
 */
final class AsyncCaller<T extends @Nullable Object> extends CompletableFuture<T> {
  private final Caller<T, ?> caller;
  private Time.@Nullable Task task; // set before anybody else can see this

  private AsyncCaller(Caller<T, ?> caller) {
    this.caller = caller;
  }

  static <T extends @Nullable Object, E extends Exception> CompletableFuture<T> start(
      Time time, Caller<T, E> caller) {
    AsyncCaller<T> future = new AsyncCaller<>(caller);
    future.task = time.start("call", future::run);
    return future;
  }

  private void run() {
    if (isDone()) {
      return; // cancelled before it began: nothing need be sent
    }
    try {
      T value = caller.call();
      if (!super.complete(value)) {
        caller.discard(value);
      }
    } catch (Exception e) {
      super.completeExceptionally(e);
    } catch (Error e) { // a bug, or the end of a simulation: the task ends with it, too
      super.completeExceptionally(e);
      throw e;
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return interruptIf(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public boolean complete(T value) {
    return timedOutIf(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return timedOutIf(super.completeExceptionally(failure));
  }

  private boolean timedOutIf(boolean givenUp) {
    if (givenUp) {
      caller.timedOut();
    }
    return interruptIf(givenUp);
  }

  private boolean interruptIf(boolean givenUp) {
    Time.Task running = task;
    if (givenUp && running != null) {
      running.interrupt();
    }
    return givenUp;
  }

  /** Futures that depend on this one are plain: cancelling one of them does not end the call. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
