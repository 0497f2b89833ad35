package dev.sluice.arena;

import java.util.Locale;

/**
 * How much there is to do: so many windows' worth of a service's quota, so many requests, or an
 * hour without end.
 *
 * @param amount up to 100, windows' worth of quota; above that, requests; infinite for the hour
 */
public record Size(double amount) {
  /** As many requests as an hour allows. */
  public static final Size HOUR = new Size(Double.POSITIVE_INFINITY);

  private static final String HOUR_TEXT = "hour";
  private static final double MOST_WINDOWS = 100;
  private static final double MOST_REQUESTS = 1_000_000;

  public Size {
    if (!(amount > 0
        && (amount <= MOST_WINDOWS
            || Double.isInfinite(amount)
            || (amount <= MOST_REQUESTS && amount == Math.rint(amount))))) {
      throw refused(String.valueOf(amount));
    }
  }

  /**
   * Reads what {@link #text()} writes.
   *
   * @throws IllegalArgumentException if it is neither {@code hour} nor a number of windows or
   *     requests
   */
  public static Size parse(String text) {
    if (text.equals(HOUR_TEXT)) {
      return HOUR;
    }
    try {
      return new Size(Double.parseDouble(text));
    } catch (NumberFormatException notANumber) {
      throw refused(text);
    }
  }

  private static IllegalArgumentException refused(String value) {
    return new IllegalArgumentException(
        "job is %s, but must be 'hour', a number above 0 and at most 100 (how many windows' worth of quota there is to do), or a whole number up to 1000000 (how many requests)"
            .formatted(value));
  }

  /** Whether it is over when the hour is. */
  public boolean isHour() {
    return Double.isInfinite(amount);
  }

  /** Whether it is a number of requests, whatever the quota. */
  public boolean isRequests() {
    return amount > MOST_WINDOWS && !isHour();
  }

  /** As it is typed: {@code 0.3}, {@code 10}, {@code 2000}, {@code hour}. */
  public String text() {
    if (isHour()) {
      return HOUR_TEXT;
    }
    return amount == Math.rint(amount) ? String.valueOf((long) amount) : String.valueOf(amount);
  }

  /** As it stands in reports: {@code 0.3 w}, {@code 2,000}, {@code 1 h}. */
  public String label() {
    if (isRequests()) {
      return String.format(Locale.ROOT, "%,d", (long) amount);
    }
    return isHour() ? "1 h" : text() + " w";
  }
}
