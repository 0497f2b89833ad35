package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import java.io.IOException;

/**
 * Whoever issues proofs issues none at the moment. It counts for the provider's lane as if the
 * provider itself had answered so: a wait that was told is kept. The message is safe to show.
 */
public final class NoProofException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Signal signal;

  /** Says what was answered, and what it means. */
  public NoProofException(String message, Signal signal) {
    super(requireNonNull(message, "message"));
    this.signal = requireNonNull(signal, "signal");
  }

  /** What the answer means for everybody who asks that provider. */
  public Signal signal() {
    return signal;
  }
}
