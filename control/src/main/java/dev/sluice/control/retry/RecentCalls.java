package dev.sluice.control.retry;

import dev.sluice.control.signal.Signal;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How the last 20 calls fared. A call has one place here, however often it is tried: its first
 * attempt takes it, later ones correct it. Thread-safe and lock-free.
 */
public final class RecentCalls {
  /** The place of a call that has none yet. */
  public static final long NO_PLACE = -1;

  private static final int SIZE = 20;
  private static final int MOST = 16; // 80 %
  private static final long PLACES = (1L << SIZE) - 1;

  /** How many calls there were; in the lowest bits, which of the last of them succeeded. */
  private final AtomicLong state = new AtomicLong();

  /**
   * An attempt of a call has settled. Throttles, stops and cancelled attempts say nothing about the
   * health of the service.
   *
   * @param place of that call, or {@link #NO_PLACE}
   * @return the call's place from now on
   */
  public long settled(long place, Signal signal) {
    boolean success =
        signal instanceof Signal.Success
            || signal instanceof Signal.Answered
            || signal instanceof Signal.Rejected;
    if (!success && !(signal instanceof Signal.Transient)) {
      return place;
    }
    if (place == NO_PLACE) {
      // One more success among none but successes changes nothing: no write, no contention.
      return success && (state.get() & PLACES) == PLACES ? NO_PLACE : ended(success);
    }
    corrected(place, success);
    return place;
  }

  /**
   * The first attempt of a call has ended.
   *
   * @return the call's number, for {@link #corrected}
   */
  long ended(boolean success) {
    return state.getAndUpdate(now -> (1L << SIZE) + with(now, now >>> SIZE, success)) >>> SIZE;
  }

  /** A later attempt of the same call has ended; of no effect once 20 others have come. */
  void corrected(long call, boolean success) {
    long unused =
        state.updateAndGet(now -> (now >>> SIZE) - call <= SIZE ? with(now, call, success) : now);
  }

  /** Whether at least 80 % of the last 20 succeeded; not before there were so many. */
  public boolean mostSucceed() {
    return Long.bitCount(state.get() & PLACES) >= MOST;
  }

  private static long with(long state, long call, boolean success) {
    long place = 1L << (call % SIZE);
    return success ? state | place : state & ~place;
  }
}
