package dev.sluice.control.lane;

/**
 * Tells throttles apart: those that answer requests sent before the first of them came back belong
 * to one episode, and only the first of an episode counts. Single-threaded; nanoseconds.
 */
final class Episode {
  private boolean any;
  private long beganAt;
  private int hintlessInRow;

  /**
   * A throttle came for a request sent at {@code sentAt}.
   *
   * @return whether it begins a new episode
   */
  boolean throttled(long sentAt, boolean hinted, long now) {
    if (any && sentAt - beganAt <= 0) {
      return false;
    }
    any = true;
    beganAt = now;
    hintlessInRow = hinted ? 0 : hintlessInRow + 1;
    return true;
  }

  /** A request sent at {@code sentAt} succeeded: if it was sent since, the other side is well. */
  void succeeded(long sentAt) {
    if (any && sentAt - beganAt > 0) {
      hintlessInRow = 0;
    }
  }

  /** How many episodes in a row, this one included, gave no usable wait. */
  int hintlessInRow() {
    return hintlessInRow;
  }
}
