package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.simulator.farm.Facet;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the answers of the worlds mean: what the product reads from the same status and headers,
 * without reading them anew for each of millions of answers. A test compares the two.
 */
final class WorldAnswers {
  private static final Signal UNAVAILABLE =
      Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);
  private static final Signal SERVER_ERROR =
      Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
  private static final Signal NO_ANSWER =
      Signal.transientFailure(Signal.Transient.Kind.UNKNOWN_OUTCOME);
  private static final Signal SUSPENDED = Signal.rejected(Signal.Rejected.Kind.FORBIDDEN);

  private static final Optional<Duration> WINDOW = Optional.of(Duration.ofMinutes(5));
  private static final QuotaHint.Scope REQUESTS =
      new QuotaHint.Scope(
          QuotaHint.Reach.CREDENTIAL,
          "requests",
          QuotaHint.Unit.REQUESTS,
          "x-ms-ratelimit-burst-remaining-xrm-requests");
  private static final QuotaHint.Scope TIME =
      new QuotaHint.Scope(
          QuotaHint.Reach.CREDENTIAL,
          "execution-time",
          QuotaHint.Unit.WORK_TIME,
          "x-ms-ratelimit-time-remaining-xrm-requests");

  private static final String COOKIE = "ARRAffinity=";

  private final int hint;
  private final List<HttpHeaders> byServer = new ArrayList<>();
  private final Map<String, Work> works = new HashMap<>();

  /**
   * @param hint the degree of parallelism that a Dataverse environment recommends
   */
  WorldAnswers(int hint) {
    this.hint = hint;
  }

  /** What the product tells of a request: a load also knows how many are to come. */
  Work work(Sending sending) {
    if (hint > 0) {
      return sending.work();
    }
    String name = sending.operation().name();
    return name.isEmpty()
        ? Work.UNKNOWN
        : works.computeIfAbsent(name, each -> new Work(each, OptionalLong.empty()));
  }

  /** The answer to the question of who somebody is, before the gate is open. */
  WebAnswer firstContact() {
    return new WebAnswer(200, headers(0), new byte[0]);
  }

  /** An answer with those headers that say which server gave it, and what it recommends. */
  WebAnswer answer(Sending sending) {
    return new WebAnswer(sending.status(), headers(sending.answeredBy()), new byte[0]);
  }

  private HttpHeaders headers(int server) {
    while (byServer.size() <= server) {
      byServer.add(
          HttpHeaders.of(
              Map.of(
                  "Set-Cookie",
                  List.of(COOKIE + byServer.size() + "; path=/; HttpOnly"),
                  "x-ms-dop-hint",
                  List.of(Integer.toString(hint))),
              (name, value) -> true));
    }
    return byServer.get(server);
  }

  /** Which server a cookie asks for. */
  static int server(String cookie) {
    return Integer.parseInt(cookie, COOKIE.length(), cookie.length(), 10);
  }

  Signal signal(Sending sending) {
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
        code(sending.facet()),
        Double.isNaN(sending.requestsLeft()) ? List.of() : hints(sending));
  }

  private static String code(Signal.Facet facet) {
    return facet == Signal.Facet.UNKNOWN ? "" : Facet.valueOf(facet.name()).code();
  }

  private static List<QuotaHint> hints(Sending sending) {
    return List.of(
        hint((long) sending.requestsLeft(), REQUESTS), hint((long) sending.timeLeft(), TIME));
  }

  private static QuotaHint hint(long remaining, QuotaHint.Scope scope) {
    return new QuotaHint(
        OptionalLong.empty(),
        OptionalLong.of(Math.max(0, remaining)),
        Optional.empty(),
        WINDOW,
        Optional.empty(),
        scope);
  }
}
