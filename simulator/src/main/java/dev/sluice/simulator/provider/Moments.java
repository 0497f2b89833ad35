package dev.sluice.simulator.provider;

import static java.time.ZoneOffset.UTC;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The many ways in which services write a time or a span. */
final class Moments {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(UTC);
  private static final DateTimeFormatter TO_THE_MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm'Z'", Locale.ENGLISH).withZone(UTC);
  private static final DateTimeFormatter JAVASCRIPT =
      DateTimeFormatter.ofPattern(
              "EEE MMM dd yyyy HH:mm:ss 'GMT+0100 (Central European Standard Time)'",
              Locale.ENGLISH)
          .withZone(ZoneOffset.ofHours(1));

  private Moments() {}

  static String httpDate(Instant time) {
    return IMF_FIXDATE.format(time);
  }

  static String httpDateWithWrongWeekday(Instant time) {
    // The weekday of the day before, with the date of the day.
    return IMF_FIXDATE.format(time.minus(1, ChronoUnit.DAYS)).substring(0, 3)
        + httpDate(time).substring(3);
  }

  /** The next whole second, or this one. */
  static Instant wholeSeconds(Instant time) {
    Instant second = time.truncatedTo(ChronoUnit.SECONDS);
    return second.equals(time) ? second : second.plusSeconds(1);
  }

  static long secondsUp(long nanos) {
    return nanos / SECOND + (nanos % SECOND == 0 ? 0 : 1);
  }

  /** A reset so many nanoseconds away, as these options' misbehaviours write it. */
  static String reset(ServiceOptions options, long nanos, Instant serverClock) {
    Duration away = Duration.ofSeconds(secondsUp(nanos));
    if (options.has(Misbehaviour.RESET_IN_THE_PAST)) {
      away = Duration.ofMinutes(-10);
    }
    Instant at = wholeSeconds(serverClock.plus(away));
    for (Misbehaviour form : options.misbehaviours()) {
      switch (form) {
        case RESET_AS_EPOCH_SECONDS -> {
          return Long.toString(at.getEpochSecond());
        }
        case RESET_AS_EPOCH_MILLISECONDS -> {
          return Long.toString(at.toEpochMilli());
        }
        case RESET_IN_MILLISECONDS -> {
          return Long.toString(away.toMillis());
        }
        case RESET_AS_GO_DURATION -> {
          return goDuration(away);
        }
        case RESET_AS_RFC_3339 -> {
          return at.toString();
        }
        case RESET_TO_THE_MINUTE -> {
          return TO_THE_MINUTE.format(at);
        }
        case RESET_AS_HTTP_DATE -> {
          return httpDate(at);
        }
        case RESET_AS_JAVASCRIPT_DATE -> {
          return JAVASCRIPT.format(at);
        }
        default -> {
          // Not a form of the reset.
        }
      }
    }
    return options.has(Misbehaviour.RESET_IN_THE_PAST)
        ? Long.toString(at.getEpochSecond())
        : Long.toString(away.toSeconds());
  }

  static String goDuration(Duration span) {
    String sign = span.isNegative() ? "-" : "";
    Duration size = span.abs();
    String hours = size.toHours() > 0 ? size.toHours() + "h" : "";
    String minutes = size.toMinutes() > 0 ? size.toMinutesPart() + "m" : "";
    return sign + hours + minutes + size.toSecondsPart() + "s";
  }
}
