package dev.sluice.control.learning;

/**
 * A rate that is raised in small steps while all goes well. What went well for a while is proven; a
 * step that fails returns to it, and the next one is taken later.
 *
 * <p>Single-threaded; requests per second.
 */
final class Ladder {
  private static final double FIRST_STEP = 0.02;
  private static final double LONGEST_STEP = 0.25;
  private static final int MOST_PATIENCE = 8;

  /** Below one in six seconds, there is little to lose. */
  private static final double SLOW = 1 / 6.0;

  private final double least;
  private final double most;
  private double value;
  private double proven;
  private double step = FIRST_STEP;
  private int patience = 1;

  /** At {@code start}, which counts as proven; always between {@code least} and {@code most}. */
  Ladder(double least, double most, double start) {
    this.least = least;
    this.most = most;
    set(start);
  }

  double value() {
    return value;
  }

  /** What went well for a while; never more than the value. */
  double proven() {
    return proven;
  }

  /** How many times longer than usual to wait before more is tried. */
  int patience() {
    return patience;
  }

  /** Whether it is so low that little can be lost by trying more. */
  boolean isSlow() {
    return value < SLOW;
  }

  /** Whether more is being tried than is proven. */
  boolean isTrying() {
    return value > proven;
  }

  /** Takes this as proven; the next step is a small one. */
  void set(double to) {
    value = Math.clamp(to, least, most);
    proven = value;
    step = FIRST_STEP;
  }

  /** The next step is as long as this, as a share of the rate. */
  void stepBy(double share) {
    step = share;
  }

  /** All went well: the value is proven, and more is tried, each time by twice as much. */
  void rise() {
    patience = isTrying() ? 1 : patience;
    proven = value;
    value = Math.min(most, value * (1 + step));
    step = Math.min(isSlow() ? 1 : LONGEST_STEP, 2 * step);
  }

  /** What was tried was too much: the next step is taken later. */
  void fail() {
    patience = Math.min(MOST_PATIENCE, 2 * patience);
  }
}
