package dev.sluice.control.retry;

/**
 * How the last 20 calls fared. A call has one place here, however often it is tried: its first
 * attempt takes it, later ones correct it. Thread-safe.
 */
public final class RecentCalls {
  private static final int SIZE = 20;
  private static final int MOST = 16; // 80 %

  private final boolean[] succeeded = new boolean[SIZE];
  private long calls;
  private int successes;

  /**
   * The first attempt of a call has ended.
   *
   * @return the call's number, for {@link #corrected}
   */
  public synchronized long ended(boolean success) {
    set((int) (calls % SIZE), success);
    return calls++;
  }

  /** A later attempt of the same call has ended; of no effect once 20 others have come. */
  public synchronized void corrected(long call, boolean success) {
    if (calls - call <= SIZE) {
      set((int) (call % SIZE), success);
    }
  }

  /** Whether at least 80 % of the last 20 succeeded; not before there were so many. */
  public synchronized boolean mostSucceed() {
    return successes >= MOST;
  }

  private void set(int place, boolean success) {
    successes += (success ? 1 : 0) - (succeeded[place] ? 1 : 0);
    succeeded[place] = success;
  }
}
