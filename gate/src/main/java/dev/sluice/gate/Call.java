package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;

/**
 * One attempt of a call that a gate may repeat.
 *
 * @param <T> what it returns
 * @param <E> what it throws when no answer came
 */
@FunctionalInterface
public interface Call<T, E extends Exception> {

  /** Sends the request through the permit's lane. The gate settles the permit. */
  Reply<T> send(Permit permit) throws E, InterruptedException;

  /**
   * An answer and what it means.
   *
   * @param value what the caller gets if the gate does not try again
   */
  record Reply<T>(T value, Signal signal) {
    public Reply {
      requireNonNull(signal, "signal");
    }
  }
}
