package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Redirect;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.time.Duration;

/**
 * A request and its last answer. Immutable.
 *
 * @param signal what the answer means
 * @param alone for how long nothing but this request has to wait, or its stream; zero if it is done
 */
record Exchange(WebAnswer answer, Signal signal, Duration alone) {

  /** Whether the provider does not accept who asks. */
  boolean isUnauthorized() {
    return isUnauthorized(signal);
  }

  /** The same of an answer that may be followed by another. */
  static boolean isUnauthorized(Signal signal) {
    return signal instanceof Signal.Rejected rejected
        && rejected.kind() == Signal.Rejected.Kind.UNAUTHORIZED;
  }

  /**
   * The answer, if the provider served it.
   *
   * @throws ProviderException if it will not, whoever asks again
   * @throws IOException if it did not, and might later
   */
  WebAnswer served() throws ProviderException, IOException {
    return switch (signal) {
      case Signal.Success success -> answer;
      case Signal.Rejected rejected -> throw refused(reason(rejected));
      case Signal.Stopped stopped -> throw stopped(stopped);
      case Signal.Transient failure -> throw failing();
      case Signal.Answered answered -> throw refused(Reason.Failure.INVALID);
      case Signal.Throttled throttled -> throw failing();
      case Signal.Cancelled cancelled -> throw failing();
    };
  }

  private static Reason.Failure reason(Signal.Rejected rejected) {
    return switch (rejected.kind()) {
      case FORBIDDEN -> Reason.Failure.FORBIDDEN;
      case NOT_FOUND, GONE -> Reason.Failure.NOT_FOUND;
      case INVALID -> Reason.Failure.INVALID;
      case UNAUTHORIZED -> Reason.Failure.AUTH_FAILURE;
    };
  }

  private ProviderException refused(Reason.Failure reason) {
    return new ProviderException(
        reason,
        answer.status(),
        Redirect.in(answer).orElse("it answered with status " + answer.status()));
  }

  private ProviderException stopped(Signal.Stopped stopped) {
    return new ProviderException(
        Reason.of(stopped.reason()),
        answer.status(),
        "it answered with status %d; nothing more is sent until somebody has acted and reopened"
                .formatted(answer.status())
            + " the lane");
  }

  private IOException failing() {
    return new IOException("it kept answering with status " + answer.status());
  }
}
