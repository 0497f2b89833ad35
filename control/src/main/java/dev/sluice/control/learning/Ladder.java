package dev.sluice.control.learning;

/**
 * A rate that is raised in small steps while all goes well. What went well for a while is proven; a
 * step that fails returns to it, and the next one is taken later. If what is proven fails, a little
 * is taken off, and twice as much if that fails too: chance costs little, and a limit that has
 * fallen is found in a few attempts.
 *
 * <p>Single-threaded.
 */
final class Ladder {
  private static final double FIRST_STEP = 0.02;
  private static final double LONGEST_STEP = 0.25;
  private static final double LONGEST_FALL = 0.3;
  private static final double FIRST_SEARCH = 0.1;
  private static final double LONGEST_SEARCH = 0.5;
  private static final int MOST_PATIENCE = 4;

  private final double least;
  private final double most;
  private double value;
  private double proven;
  private double up = FIRST_STEP;
  private double down = FIRST_STEP;
  private int patience = 1;
  private boolean searching;

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

  /** Whether more is being tried than is proven. */
  boolean isTrying() {
    return value > proven;
  }

  /** Whether next to nothing is known about what would be right. */
  boolean isSearching() {
    return searching;
  }

  /** Takes this as proven. */
  void set(double to) {
    value = Math.min(most, Math.max(least, to));
    proven = value;
  }

  /** Takes this as the least that will do: more is tried soon, and in long steps. */
  void search(double from) {
    set(from);
    searching = true;
    up = FIRST_SEARCH;
  }

  /** All went well: the value is proven, and more is tried, each time by twice as much. */
  void rise() {
    if (isTrying()) {
      patience = 1;
    }
    proven = value;
    value = Math.min(most, value * (1 + up));
    up = Math.min(searching ? LONGEST_SEARCH : LONGEST_STEP, 2 * up);
    down = FIRST_STEP;
  }

  /** What was tried was too much: back to what is proven, and the next step is taken later. */
  void retreat() {
    patience = searching ? 1 : Math.min(MOST_PATIENCE, 2 * patience);
    value = proven;
    settle();
  }

  /**
   * What is proven was too much; {@code right} seems to be right, or will do until it fails too.
   */
  void fall(double right) {
    set(Math.min(value * (1 - down), right));
    down = Math.min(LONGEST_FALL, 2 * down);
    settle();
  }

  private void settle() {
    searching = false;
    up = FIRST_STEP;
  }
}
