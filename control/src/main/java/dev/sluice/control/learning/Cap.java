package dev.sluice.control.learning;

/**
 * A limit on requests at once. It is tried to raise it now and then: more at once must let more
 * through, or else the provider only queues them.
 *
 * <p>Single-threaded; nanoseconds.
 */
final class Cap {
  /** Requests for each place before it is believed, and before more is tried. */
  private static final int CLEAN = 20;

  private static final double REST = 60e9;
  private static final double TRIAL = 10e9;
  private static final int MOST_PATIENCE = 8;

  /** A trial pays if it lets through this share of what so many more at once could. */
  private static final double PAYS = 0.3;

  private int value;
  private int good; // what more was tried than; 0 if nothing is tried
  private double goodRate;
  private int clean;
  private long since;
  private int patience = 1;

  /** Takes this as the limit: not believed yet. */
  void set(int to, long now) {
    value = to;
    good = 0;
    restart(now);
  }

  int value() {
    return value;
  }

  /** Whether enough was granted to believe that it is a limit on requests at once. */
  boolean isBelieved() {
    return clean >= CLEAN / 2 * value || good > 0;
  }

  /** A request was granted while so many were in flight. */
  void granted(int inFlight, long now) {
    clean++;
    double rest = good > 0 ? TRIAL : REST * patience;
    if (clean < CLEAN * value || now - since < rest) {
      return;
    }
    double rate = clean * 1e9 / (now - since);
    if (good > 0 && rate < goodRate * (1 + PAYS * (value - good) / good)) {
      refused(now);
    } else {
      patience = good > 0 ? 1 : patience;
      good = 0;
      if (inFlight >= value - 1) { // otherwise nobody wants more
        good = value;
        goodRate = rate;
        value += Math.max(1, value / 10);
      }
    }
    restart(now);
  }

  /**
   * A trial failed: back to what was good.
   *
   * @return false if nothing was tried
   */
  boolean refused(long now) {
    if (good == 0) {
      return false;
    }
    value = good;
    good = 0;
    patience = Math.min(MOST_PATIENCE, 2 * patience);
    restart(now);
    return true;
  }

  private void restart(long now) {
    clean = 0;
    since = now;
  }
}
