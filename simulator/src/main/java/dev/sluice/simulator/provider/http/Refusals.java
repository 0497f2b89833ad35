package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.Header;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Verdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The bodies in which a provider refuses. */
final class Refusals {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html><head><title>Access denied</title></head>
      <body><h1>One moment, please</h1><p>Your requests look unusual.</p></body></html>
      """;

  private Refusals() {}

  static Reply of(Verdict verdict, ServiceOptions options) {
    return switch (verdict.kind()) {
      case ADMITTED -> throw new IllegalArgumentException("this was no refusal");
      case FAILED -> plain(verdict, "internal_error", "Something went wrong.");
      case UNAVAILABLE -> plain(verdict, "maintenance", "The service is being maintained.");
      case THROTTLED -> throttle(verdict, options);
      case OBJECT_LOCKED -> plain(verdict, "lock_timeout", "Another process holds this object.");
      case CREDIT_SPENT -> plain(verdict, "insufficient_quota", "The credit is used up.");
      case SUSPENDED -> plain(verdict, "account_suspended", "This account was suspended.");
    };
  }

  private static Reply plain(Verdict verdict, String code, String message) {
    return Reply.json(verdict.status(), Json.error(code, message));
  }

  private static Reply throttle(Verdict verdict, ServiceOptions options) {
    if (options.has(Misbehaviour.BLOCK_PAGE)) {
      return new Reply(
          verdict.status(),
          List.of(new Header("Content-Type", "text/html; charset=utf-8")),
          PAGE,
          Reply.Delivery.WHOLE);
    }
    Map<String, @Nullable Object> error =
        switch (verdict.status()) {
          case 200 -> Json.object("code", "ratelimited", "message", "Slow down.");
          case 400 -> Json.object("code", "ThrottlingException", "message", "Rate exceeded");
          case 401 -> Json.object("code", "unauthorized", "message", "Too many calls.");
          case 503, 529 -> Json.object("code", "overloaded", "message", "Try again later.");
          default -> Json.object("code", "rate_limited", "message", "Too many requests.");
        };
    if (options.has(Misbehaviour.RETRY_AFTER_IN_BODY)) {
      error.put("retryDelay", TimeUnit.NANOSECONDS.toSeconds(verdict.closedFor()) + "s");
    }
    return Reply.json(
        verdict.status(),
        Json.write(
            verdict.status() == 200
                ? Json.object("ok", false, "error", error)
                : Map.of("error", error)));
  }
}
