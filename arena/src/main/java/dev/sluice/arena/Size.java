package dev.sluice.arena;

/**
 * How much there is to do: so many windows' worth of a service's quota, or an hour without end.
 *
 * @param windows windows' worth of quota, above 0 and at most 100; infinite for the hour
 */
public record Size(double windows) {
  /** As many requests as an hour allows. */
  public static final Size HOUR = new Size(Double.POSITIVE_INFINITY);

  private static final String HOUR_TEXT = "hour";
  private static final double MOST = 100;

  public Size {
    if (!(windows > 0 && (windows <= MOST || Double.isInfinite(windows)))) {
      throw refused(String.valueOf(windows));
    }
  }

  /**
   * Reads what {@link #text()} writes.
   *
   * @throws IllegalArgumentException if it is neither {@code hour} nor a number of windows
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
        "job is %s, but must be 'hour' or a number above 0 and at most 100 (how many windows' worth of quota there is to do)"
            .formatted(value));
  }

  /** Whether it is over when the hour is. */
  public boolean isHour() {
    return Double.isInfinite(windows);
  }

  /** As it is typed: {@code 0.3}, {@code 10}, {@code hour}. */
  public String text() {
    if (isHour()) {
      return HOUR_TEXT;
    }
    return windows == Math.rint(windows) ? String.valueOf((long) windows) : String.valueOf(windows);
  }

  /** As it stands in reports: {@code 0.3 w}, {@code 1 h}. */
  public String label() {
    return isHour() ? "1 h" : text() + " w";
  }
}
