package dev.sluice.control.lane;

/**
 * How many requests were really sent per second, over the last 10 to 20 seconds. Two buckets: the
 * present one, and the whole one before it. Single-threaded; nanoseconds.
 */
final class SendRate {
  private static final long BUCKET = 10_000_000_000L;

  private long begun;
  private int before;
  private int present;
  private boolean whole; // whether there was a bucket before the present one

  SendRate(long now) {
    this.begun = now;
  }

  /** A request is sent. */
  void sent(long now) {
    moveTo(now);
    present++;
  }

  /** The request was never sent. */
  void unsent() {
    present = Math.max(0, present - 1);
  }

  /** Requests per second lately. */
  double at(long now) {
    moveTo(now);
    double seconds = (now - begun + (whole ? BUCKET : 0)) / 1e9;
    return seconds < 1 ? present : (before + present) / seconds;
  }

  private void moveTo(long now) {
    long past = now - begun;
    if (past < BUCKET) {
      return;
    }
    before = past < 2 * BUCKET ? present : 0;
    present = 0;
    whole = true;
    begun += past / BUCKET * BUCKET;
  }
}
