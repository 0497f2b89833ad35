package dev.sluice.dataverse.fault;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.Ticker;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Answered;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Success;
import dev.sluice.control.signal.Signal.Throttled;
import dev.sluice.control.signal.Signal.Transient;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.wire.WebAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an answer of the service means: from its error code first, then from the words beside
 * it, then from its status. One instance serves one environment, because it learns that service's
 * clock. Thread-safe; never throws, whatever the answer.
 */
public final class FaultReader {
  private static final Pattern SQL_NUMBER = Pattern.compile("Sql Number:\\s*(-?\\d{1,9})");
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int LONGEST_TEXT = 200;

  private final Signals signals = Signals.builder().dialect(new RateLimitHeaders()).build();
  private final Ticker clock;

  /** On this clock. */
  public FaultReader(Ticker clock) {
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * An answer and what it means.
   *
   * @param fault what went wrong; null if nothing did
   * @param signal what it says to the gate
   */
  public record Reading(WebAnswer answer, @Nullable Fault fault, Signal signal) {}

  /**
   * Reads an answer that has just come.
   *
   * @param roundTrip how long ago its request was sent; 0 or more
   */
  public Reading read(WebAnswer answer, Duration roundTrip) {
    boolean foreign = answer.succeeded() && (isPage(answer) || !isOwn(answer));
    return read(answer, foreign, roundTrip);
  }

  /** Reads a part of an answer that is the service's own. */
  public Reading readPart(WebAnswer part) {
    return read(part, false, Duration.ZERO);
  }

  private Reading read(WebAnswer answer, boolean foreign, Duration roundTrip) {
    ErrorBody body = answer.succeeded() ? null : ErrorBody.of(answer);
    if (body != null && !body.hasOwnCode() && !isOwn(answer)) {
      body = null; // gateways answer in that shape, too, with codes such as 404
    }
    Meaning meaning = foreign ? Meaning.NOT_DATAVERSE : meaning(answer, body);
    // What the answer is, we know better than a table of statuses: asked for are only the wait,
    // which is read for throttles, and the hints.
    int status = 200;
    if (meaning != null && meaning.throttles()) {
      status = TOO_MANY_REQUESTS;
    } else if (answer.status() >= 500 && !Signals.isUnavailable(answer.status())) {
      status = 500; // a wait told with it concerns that request alone
    }
    Signal told =
        signals
            .read(Answer.of(status, answer.headers(), clock.instant()).withRoundTrip(roundTrip))
            .signal();
    if (meaning == null) {
      return new Reading(answer, null, told);
    }
    Optional<Duration> wait =
        told instanceof Throttled throttled ? throttled.retryAfter() : Optional.empty();
    Fault fault =
        body == null || meaning == Meaning.NOT_DATAVERSE
            ? meaning.fault(wait, "", described(meaning, answer))
            : meaning.fault(wait, body.hexCode(), body.message());
    return new Reading(answer, fault, with(fault.signal(), told.quota()));
  }

  /** Status, server, where it redirects to, and the beginning of its text: who answered. */
  private static String described(Meaning meaning, WebAnswer answer) {
    StringBuilder description = new StringBuilder();
    if (meaning == Meaning.NOT_DATAVERSE) {
      description.append("something other than Dataverse answered: ");
    }
    description.append("status ").append(answer.status());
    header(answer, "Server", " from ", description);
    header(answer, "Via", " via ", description);
    header(answer, "Location", ", redirects to ", description);
    String text = answer.text().replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ").strip();
    if (!text.isEmpty()) {
      description.append(": ").append(text, 0, Math.min(text.length(), LONGEST_TEXT));
    }
    return description.toString();
  }

  private static void header(
      WebAnswer answer, String name, String before, StringBuilder description) {
    answer
        .headers()
        .firstValue(name)
        .map(value -> value.replaceAll("[?#].*", "")) // a query may carry secrets
        .map(value -> value.substring(0, Math.min(value.length(), LONGEST_TEXT)))
        .ifPresent(value -> description.append(before).append(value));
  }

  /** Null if nothing went wrong. */
  private static @Nullable Meaning meaning(WebAnswer answer, @Nullable ErrorBody body) {
    if (answer.succeeded()) {
      return null;
    }
    if (body == null) {
      return byStatus(answer.status());
    }
    Meaning known = Meaning.of(body.code());
    if (known != null) {
      return known;
    }
    return switch (body.code()) {
      case Meaning.GENERIC_SQL -> bySqlNumber(body.message());
      case Meaning.UNEXPECTED, Meaning.UNEXPECTED_IN_PLUG_IN ->
          answer.status() < 500 ? Meaning.VALIDATION : Meaning.UNKNOWN_OUTCOME;
      default -> byWords(answer.status(), body);
    };
  }

  private static boolean isPage(WebAnswer answer) {
    return answer
        .headers()
        .firstValue("Content-Type")
        .orElse("")
        .toLowerCase(Locale.ROOT)
        .startsWith("text/html");
  }

  private static Meaning bySqlNumber(String message) {
    Matcher matcher = SQL_NUMBER.matcher(message);
    if (!matcher.find()) {
      return message.contains("Cannot drop type") ? Meaning.TABLE_PREPARATION : Meaning.VALIDATION;
    }
    return switch (Integer.parseInt(matcher.group(1))) {
      case 1205 -> Meaning.DEADLOCK;
      case 3732, 2766, 2812 -> Meaning.TABLE_PREPARATION;
      case 10054 -> Meaning.UNKNOWN_OUTCOME;
      case -2 -> Meaning.SQL_TIMEOUT;
      default -> Meaning.VALIDATION;
    };
  }

  /** An error of the service itself whose code is none, or none that is known. */
  private static Meaning byWords(int status, ErrorBody body) {
    String words = body.message().toLowerCase(Locale.ROOT);
    if (words.contains("is not enabled on the entity")
        || words.contains("does not support entities of type")
        || words.contains("has not yet been implemented")
        || words.contains("api is disabled for organization")) {
      return Meaning.UNSUPPORTED;
    }
    return switch (status) {
      case 401 -> Meaning.AUTHENTICATION;
      case 403 -> Meaning.PRIVILEGE;
      // Only of rows is it said that they do not exist; addresses are "not found".
      case 404 ->
          words.contains("does not exist") || words.contains("do not exist")
              ? Meaning.NOT_FOUND
              : Meaning.VALIDATION;
      case 412 ->
          words.contains("a record with matching key values already exists")
                  || words.contains("cannot insert duplicate key")
              ? Meaning.DUPLICATE_ID
              : words.contains("a duplicate record cannot be created")
                  ? Meaning.DUPLICATE_KEY
                  : Meaning.VALIDATION;
      case 413 -> Meaning.TOO_LARGE;
      case 429 -> body.code() == 0 ? facet(words) : Meaning.BUSY;
      case 501 -> Meaning.UNSUPPORTED;
      case 503 -> Meaning.BUSY;
      case 408, 502, 504 -> Meaning.UNKNOWN_OUTCOME;
      default -> Meaning.VALIDATION;
    };
  }

  private static Meaning facet(String words) {
    if (words.contains("number of concurrent requests")) {
      return Meaning.TOO_MANY_AT_ONCE;
    }
    if (words.contains("combined execution time")) {
      return Meaning.TOO_MUCH_TIME;
    }
    return words.contains("number of requests exceeded")
        ? Meaning.TOO_MANY_REQUESTS
        : Meaning.THROTTLED_SOMEHOW;
  }

  /** Whether the answer has a header that every answer of the service has. */
  private static boolean isOwn(WebAnswer answer) {
    return answer.headers().firstValue("OData-Version").isPresent();
  }

  /**
   * Something else has answered, or the service without a word: it does so for tokens, and its
   * gateway for requests that are too large, too many, or not served in time. No other status says
   * anything about a record.
   */
  private static Meaning byStatus(int status) {
    return switch (status) {
      case 401 -> Meaning.AUTHENTICATION;
      case 413 -> Meaning.TOO_LARGE;
      case 429 -> Meaning.THROTTLED_SOMEHOW;
      case 408 -> Meaning.UNKNOWN_OUTCOME;
      default -> status < 500 ? Meaning.NOT_DATAVERSE : Meaning.UNKNOWN_OUTCOME;
    };
  }

  private static Signal with(Signal signal, List<QuotaHint> quota) {
    if (quota.isEmpty()) {
      return signal;
    }
    return switch (signal) {
      case Success success -> new Success(success.durationNanos(), quota);
      case Throttled throttled ->
          new Throttled(throttled.retryAfter(), throttled.facet(), throttled.code(), quota);
      case Answered answered -> new Answered(answered.kind(), quota);
      case Transient failure -> new Transient(failure.kind(), quota);
      case Stopped stopped -> new Stopped(stopped.reason(), quota);
      case Rejected rejected -> new Rejected(rejected.kind(), quota);
      case Signal.Cancelled cancelled -> cancelled;
    };
  }
}
