package dev.sluice.gate.http;

import dev.sluice.gate.http.Statement.Told;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads statements: numbers, fields of several lines, waits (H.N1, H.N2 and H.N3 in
 * docs/traceability.md). What cannot be read is unknown, never zero, and is reported. For one
 * reading, on one thread.
 */
final class StatementReader {
  private static final long SMALLEST_EPOCH = 1_000_000_000L;

  private final WaitOptions options;
  private final WaitParser parser;
  private final InstantSource serverClock;
  private final Set<Flag> flags;

  StatementReader(
      WaitOptions options, WaitParser parser, InstantSource serverClock, Set<Flag> flags) {
    this.options = options;
    this.parser = parser;
    this.serverClock = serverClock;
    this.flags = flags;
  }

  Finding read(Statement statement) {
    if (statement.isUnreadable()) {
      flags.add(Flag.HINT_MALFORMED);
    }
    OptionalLong limit = atLeast(1, count(statement.limit(), false));
    OptionalLong remaining = count(statement.remaining(), false);
    OptionalLong used = atLeast(0, count(statement.used(), true));
    if (used.isPresent() && remaining.isEmpty() && limit.isPresent()) {
      remaining = OptionalLong.of(Math.max(0, limit.getAsLong() - used.getAsLong()));
    } else if (used.isPresent() && limit.isEmpty() && remaining.isPresent()) {
      limit = atLeast(1, OptionalLong.of(used.getAsLong() + Math.max(0, remaining.getAsLong())));
    }
    Optional<Duration> window = window(statement, limit);
    return new Finding(
        statement.scope(),
        limit,
        remaining,
        window,
        firstUsable(statement.resets(), window),
        longest(statement.waits()));
  }

  /** The smallest of several counts, or the largest; fractions are rounded down. */
  private OptionalLong count(List<String> lines, boolean largest) {
    OptionalLong kept = OptionalLong.empty();
    for (String line : lines) {
      Decimal number = Decimal.parse(line);
      if (number == null) {
        flags.add(Flag.HINT_MALFORMED);
      } else if (number.huge()) {
        flags.add(Flag.HINT_IMPLAUSIBLE);
      } else {
        long value = number.floor();
        if (kept.isPresent() && kept.getAsLong() != value) {
          flags.add(Flag.HINT_CONFLICT);
        }
        if (kept.isEmpty() || (largest ? value > kept.getAsLong() : value < kept.getAsLong())) {
          kept = OptionalLong.of(value);
        }
      }
    }
    return kept;
  }

  private static OptionalLong atLeast(long least, OptionalLong count) {
    return count.isPresent() && count.getAsLong() >= least ? count : OptionalLong.empty();
  }

  /** The window, or for a bucket the time in which it fills: interval × limit ÷ refill. */
  private Optional<Duration> window(Statement statement, OptionalLong limit) {
    Told told = statement.window();
    if (told == null) {
      return Optional.empty();
    }
    // A window is no wait: a quota per month is plausible where a wait of a month is not.
    Decimal number = told.text().size() == 1 ? Decimal.parse(told.text().getFirst()) : null;
    OptionalLong refill = atLeast(1, count(statement.refill(), false));
    if (number == null) {
      flags.add(Flag.HINT_MALFORMED);
      return Optional.empty();
    }
    if (number.negative() || number.huge()) {
      return believable(number.huge() ? Statement.LONGEST_WINDOW.plusDays(1) : Duration.ZERO);
    }
    Optional<Duration> interval =
        believable(number.perSecond(told.form() == WaitForm.DELTA_MILLIS ? 1_000 : 1));
    if (interval.isEmpty() || refill.isEmpty() || limit.isEmpty()) {
      return interval;
    }
    double nanos = (double) interval.get().toNanos() * limit.getAsLong() / refill.getAsLong();
    return believable(Duration.ofNanos((long) nanos));
  }

  private Optional<Duration> believable(Duration window) {
    if (window.compareTo(Statement.LONGEST_WINDOW) > 0) {
      flags.add(Flag.HINT_IMPLAUSIBLE);
      return Optional.empty();
    }
    return window.isPositive() ? Optional.of(window) : Optional.empty();
  }

  /** The first wait that can be used, else one that cannot; those passed over are reported. */
  private @Nullable WaitReading firstUsable(List<Told> resets, Optional<Duration> window) {
    WaitReading kept = null;
    for (Told told : resets) {
      WaitReading reading = longest(told, window);
      if (reading instanceof WaitReading.Usable || reading instanceof WaitReading.TooLong) {
        return reading;
      }
      reading.flag().ifPresent(flags::add);
      kept = kept instanceof WaitReading.Implausible ? kept : reading;
    }
    return kept;
  }

  private @Nullable WaitReading longest(List<Told> waits) {
    WaitReading kept = null;
    for (Told told : waits) {
      WaitReading reading = longest(told, Optional.empty());
      kept = kept == null ? reading : longer(kept, reading);
    }
    return kept;
  }

  private WaitReading longest(Told told, Optional<Duration> window) {
    WaitReading kept = null;
    for (String line : told.text()) {
      WaitReading reading = read(line, told.form(), window);
      if (kept != null && !kept.equals(reading)) {
        flags.add(Flag.HINT_CONFLICT);
      }
      kept = kept == null ? reading : longer(kept, reading);
    }
    return kept == null ? WaitReading.MALFORMED : kept;
  }

  private static WaitReading longer(WaitReading one, WaitReading other) {
    if (one instanceof WaitReading.Implausible || other instanceof WaitReading.Implausible) {
      return one instanceof WaitReading.Implausible ? one : other;
    }
    Duration first = one.stayAway().orElse(Duration.ZERO);
    Duration second = other.stayAway().orElse(Duration.ZERO);
    return second.compareTo(first) > 0 ? other : one;
  }

  /**
   * Reads one line; seconds that only make sense as milliseconds within a known window are such.
   */
  private WaitReading read(String line, WaitForm form, Optional<Duration> window) {
    Decimal number = form == WaitForm.AUTO && window.isPresent() ? Decimal.parse(line) : null;
    if (number != null && !number.negative() && number.whole() < SMALLEST_EPOCH) {
      Duration length = window.orElseThrow();
      Duration asMillis = number.perSecond(1_000);
      if (number.perSecond(1).compareTo(length.multipliedBy(2)) > 0
          && asMillis.compareTo(length) <= 0) {
        flags.add(Flag.HINT_CONFLICT);
        return options.judge(asMillis);
      }
    }
    return parser.read(line, form, serverClock);
  }
}
