package dev.sluice.control.lane;

/**
 * Tells throttles apart. Those that answer requests sent before the first of them came back are one
 * wave. Waves with no success between are one episode: it ends with the first success of a request
 * that was sent after it began, so ten minutes of refused probes are one episode. Single-threaded;
 * nanoseconds.
 */
final class Episode {
  private boolean any;
  private long beganAt;
  private long waveAt;
  private int waves;
  private int hintlessInRow;

  /**
   * A throttle came for a request sent at {@code sentAt}.
   *
   * @return whether it begins a new wave
   */
  boolean throttled(long sentAt, boolean hinted, long now) {
    if (any && sentAt - waveAt <= 0) {
      return false;
    }
    any = true;
    if (waves == 0) {
      beganAt = now;
    }
    waves++;
    waveAt = now;
    hintlessInRow = hinted ? 0 : hintlessInRow + 1;
    return true;
  }

  /** A request sent at {@code sentAt} succeeded: if it was sent since, the other side is well. */
  void succeeded(long sentAt) {
    if (waves > 0 && sentAt - beganAt > 0) {
      waves = 0;
      hintlessInRow = 0;
    }
  }

  /** How many waves the present episode has; 0 if there is none. */
  int waves() {
    return waves;
  }

  /** How many waves in a row, this one included, gave no usable wait. */
  int hintlessInRow() {
    return hintlessInRow;
  }
}
