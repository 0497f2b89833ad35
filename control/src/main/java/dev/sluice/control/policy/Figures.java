package dev.sluice.control.policy;

import java.time.Duration;
import java.util.Locale;

/** Rates and times as people read them, for {@link Policy#reason}. */
public final class Figures {
  private static final double[] PER = {1, 60, 3_600, 86_400};
  private static final String[] UNIT = {"/s", "/min", "/h", "/day"};

  private Figures() {}

  /** Requests per second: {@code 20/s}, {@code 2.1/s}, {@code 12/min}. */
  public static String rate(double perSecond) {
    int unit = 0;
    while (unit < PER.length - 1 && perSecond * PER[unit] < 0.995) {
      unit++;
    }
    double count = perSecond * PER[unit];
    return String.format(Locale.ROOT, count < 9.95 ? "%.1f" : "%.0f", count).replace(".0", "")
        + UNIT[unit];
  }

  /** A time in nanoseconds: {@code 40 ms}, {@code 37 s}, {@code 2 min 5 s}; rounded up. */
  public static String time(long nanos) {
    Duration span = Duration.ofMillis(Math.ceilDiv(Math.max(0, nanos), 1_000_000));
    if (span.compareTo(Duration.ofSeconds(1)) < 0) {
      return span.toMillis() + " ms";
    }
    Duration whole = span.plusMillis(999);
    if (whole.toHours() > 0) {
      return join(whole.toHours(), "h", whole.toMinutesPart(), "min");
    }
    return whole.toMinutes() > 0
        ? join(whole.toMinutes(), "min", whole.toSecondsPart(), "s")
        : whole.toSeconds() + " s";
  }

  private static String join(long large, String unit, long small, String smaller) {
    return large + " " + unit + (small == 0 ? "" : " " + small + " " + smaller);
  }
}
