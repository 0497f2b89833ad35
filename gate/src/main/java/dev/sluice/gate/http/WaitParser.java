package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads a told wait from text (H.N1 and H.N3 in docs/traceability.md): never throws for any text,
 * never gives a wait that is negative, zero or unbounded, and never shortens one that is plausible.
 *
 * <p>Immutable and thread-safe.
 */
public final class WaitParser {
  private static final int LONGEST_TEXT = 128;
  private static final long EPOCH_SECONDS_FROM = 1_000_000_000L;
  private static final long EPOCH_MILLIS_FROM = 100_000_000_000L;
  private static final long EPOCH_MICROS_FROM = 100_000_000_000_000L;

  private final WaitOptions options;

  /** A parser that judges waits by these options. */
  public WaitParser(WaitOptions options) {
    this.options = requireNonNull(options, "options");
  }

  /**
   * Reads a wait.
   *
   * @param serverClock the time at the service; asked only if the text is a time and not a span
   */
  public WaitReading read(String text, WaitForm form, InstantSource serverClock) {
    return switch (form) {
      case AUTO -> auto(text, serverClock);
      case DELTA_SECONDS -> number(text, 1, null);
      case DELTA_MILLIS -> number(text, 1_000, null);
      case DELTA_MINUTES -> minutes(text);
      case EPOCH_SECONDS -> number(text, 1, serverClock);
      case EPOCH_MILLIS -> number(text, 1_000, serverClock);
      case DURATION -> span(text);
      case INSTANT -> instant(text, serverClock);
    };
  }

  private WaitReading auto(String text, InstantSource serverClock) {
    Decimal number = Decimal.parse(text);
    if (number != null) {
      return auto(number, serverClock);
    }
    Duration span = text.length() > LONGEST_TEXT ? null : Spans.parse(text);
    return span == null ? instant(text, serverClock) : options.judge(span);
  }

  private WaitReading auto(Decimal number, InstantSource serverClock) {
    if (number.whole() < EPOCH_SECONDS_FROM) {
      return judge(number, 1, null);
    }
    if (number.whole() < EPOCH_MILLIS_FROM) {
      return judge(number, 1, serverClock);
    }
    return judge(number, number.whole() < EPOCH_MICROS_FROM ? 1_000 : 1_000_000, serverClock);
  }

  private WaitReading number(String text, int perSecond, @Nullable InstantSource since) {
    Decimal number = Decimal.parse(text);
    return number == null ? WaitReading.MALFORMED : judge(number, perSecond, since);
  }

  /** Judges a number of units: from now, or since the epoch if there is a clock to compare with. */
  private WaitReading judge(Decimal number, int perSecond, @Nullable InstantSource since) {
    if (number.negative()) {
      return WaitReading.STALE;
    }
    if (number.huge()) {
      return new WaitReading.Implausible(options.cooldown());
    }
    Duration length = number.perSecond(perSecond);
    if (since == null) {
      return options.judge(length);
    }
    Instant now = since.instant();
    return options.judge(length.minus(Duration.ofSeconds(now.getEpochSecond(), now.getNano())));
  }

  private WaitReading minutes(String text) {
    Decimal number = Decimal.parse(text);
    if (number == null) {
      return WaitReading.MALFORMED;
    }
    // Beyond any plausible number of minutes the product could overflow, and need not be known.
    return number.negative() || number.whole() > EPOCH_SECONDS_FROM
        ? judge(number, 1, null)
        : options.judge(number.perSecond(1).multipliedBy(60));
  }

  private WaitReading span(String text) {
    Duration span = text.length() > LONGEST_TEXT ? null : Spans.parse(text);
    return span == null ? WaitReading.MALFORMED : options.judge(span);
  }

  private WaitReading instant(String text, InstantSource serverClock) {
    Instant time = text.length() > LONGEST_TEXT ? null : Timestamps.parse(text, serverClock);
    return time == null
        ? WaitReading.MALFORMED
        : options.judge(Duration.between(serverClock.instant(), time));
  }
}
