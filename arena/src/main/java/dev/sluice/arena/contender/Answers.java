package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the answers of the worlds mean: what the product reads from the same status and headers,
 * without reading them anew for each of millions of answers. A test compares the two.
 */
final class Answers {
  private static final Signal UNAVAILABLE =
      Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);
  private static final Signal SERVER_ERROR =
      Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
  private static final Signal NO_ANSWER =
      Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME);
  private static final Signal SUSPENDED = Signal.rejected(Signal.Rejected.Kind.FORBIDDEN);

  private static final QuotaHint.Scope REQUESTS =
      new QuotaHint.Scope(
          QuotaHint.Reach.CREDENTIAL, "", QuotaHint.Unit.REQUESTS, "burst-remaining");
  private static final QuotaHint.Scope TIME =
      new QuotaHint.Scope(
          QuotaHint.Reach.CREDENTIAL, "", QuotaHint.Unit.WORK_TIME, "time-remaining");

  private Answers() {}

  static Signal signal(Sending sending) {
    return switch (sending.status()) {
      case 200 ->
          Double.isNaN(sending.requestsLeft())
              ? Signal.success()
              : new Signal.Success(Signal.Success.MEASURED, hints(sending));
      case 0 -> NO_ANSWER;
      case 403 -> SUSPENDED;
      case 429 -> throttled(sending);
      case 503 -> sending.retryAfter() > 0 ? throttled(sending) : UNAVAILABLE;
      case 500, 502, 504 -> SERVER_ERROR;
      default -> throw new IllegalStateException("no world answers " + sending.status());
    };
  }

  private static Signal throttled(Sending sending) {
    return new Signal.Throttled(
        sending.retryAfter() > 0
            ? Optional.of(Duration.ofNanos(sending.retryAfter()))
            : Optional.empty(),
        sending.facet(),
        "",
        Double.isNaN(sending.requestsLeft()) ? List.of() : hints(sending));
  }

  private static List<QuotaHint> hints(Sending sending) {
    return List.of(
        hint((long) sending.requestsLeft(), REQUESTS),
        hint((long) (sending.timeLeft() * 1_000), TIME)); // milliseconds
  }

  private static QuotaHint hint(long remaining, QuotaHint.Scope scope) {
    return new QuotaHint(
        OptionalLong.empty(),
        OptionalLong.of(Math.max(0, remaining)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        scope);
  }
}
