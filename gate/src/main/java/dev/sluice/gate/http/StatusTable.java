package dev.sluice.gate.http;

import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Answered;
import dev.sluice.control.signal.Signal.Facet;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Throttled;
import dev.sluice.control.signal.Signal.Transient;
import java.util.List;
import java.util.Optional;

/**
 * What an answer means if nobody declared otherwise: status, headers and, for one problem type, the
 * body. Status alone is no classifier.
 */
final class StatusTable {
  private static final Signal THROTTLED = Signal.throttled();

  private final boolean expectsJson;

  StatusTable(boolean expectsJson) {
    this.expectsJson = expectsJson;
  }

  /** The signal, without wait or hints: those are the same whoever decided. */
  Signal signal(Answer answer, Findings findings) {
    int status = answer.status();
    if (status >= 400 && ProblemType.of(answer).endsWith("abnormal-usage-detected")) {
      return Signal.stopped(Stopped.Reason.SUSPENDED);
    }
    if (blocked(answer)) {
      return THROTTLED;
    }
    if (status >= 200 && status < 300) {
      return Signal.SUCCESS;
    }
    if (Signals.isUnavailable(status)) {
      return findings.stayAway().isPresent()
          ? THROTTLED
          : Signal.transientFailure(Transient.Kind.UNAVAILABLE);
    }
    return switch (status) {
      case 304 -> Signal.SUCCESS;
      case 429, 420 -> THROTTLED;
      // No limit is named, and no item blamed: the caller as a whole is unwelcome.
      case 430, 999 ->
          new Throttled(Optional.empty(), Facet.UNKNOWN, Integer.toString(status), List.of());
      case 403 -> findings.explainsRefusal() ? THROTTLED : Signal.rejected(Rejected.Kind.FORBIDDEN);
      case 401, 407 -> Signal.rejected(Rejected.Kind.UNAUTHORIZED);
      case 451 -> Signal.rejected(Rejected.Kind.FORBIDDEN);
      case 404 -> Signal.rejected(Rejected.Kind.NOT_FOUND);
      case 410 -> Signal.rejected(Rejected.Kind.GONE);
      case 408 -> Signal.transientFailure(Transient.Kind.REQUEST_TIMEOUT);
      case 413 -> Signal.answered(Answered.Kind.TOO_LARGE);
      default -> byClass(status);
    };
  }

  private static Signal byClass(int status) {
    if (status >= 100 && status < 200) {
      // The final answer never came.
      return Signal.transientFailure(Transient.Kind.UNKNOWN_OUTCOME);
    }
    // An unfollowed redirect has not done the work; calling it a success would lose a record.
    // Numbers outside all classes are a broken service's (RFC 9110 §15).
    return status >= 300 && status < 500
        ? Signal.rejected(Rejected.Kind.INVALID)
        : Signal.transientFailure(Transient.Kind.SERVER_ERROR);
  }

  /** A page where data was due: something in front of the service does not let us through. */
  private boolean blocked(Answer answer) {
    int status = answer.status();
    return expectsJson
        && ((status >= 200 && status < 300) || status == 403)
        && (answer.hasType("text/html") || answer.hasType("application/xhtml+xml"));
  }
}
