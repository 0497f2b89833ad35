package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request that a gate sends, and sends again as the table of signals says. One object per call,
 * used by one thread; a lambda is enough where nothing but {@link #send} is needed.
 *
 * @param <T> what it returns
 * @param <E> what it throws when no answer came
 */
@FunctionalInterface
public interface Call<T extends @Nullable Object, E extends Exception> {

  /**
   * Sends the request through the permit's lane, once. The gate settles the permit.
   *
   * <p>A call that must not be sent after all gives its permit back ({@link Permit#abandon}) and
   * throws; one that must not be sent <em>yet</em> returns {@link Reply#notYet}.
   */
  Reply<T> send(Permit permit) throws E, InterruptedException;

  /**
   * The last attempt's credentials were refused (401). Forgets those that it was sent with, and no
   * others: somebody else may have renewed them meanwhile.
   *
   * @return whether the next attempt carries others; without them a repeat makes no sense. Asked
   *     once for each lane
   */
  default boolean renew() {
    return false;
  }

  /**
   * The call goes on, and may have to wait for it: the last moment to say that nobody wants it any
   * more.
   *
   * @throws InterruptedException if so
   */
  default void retrying() throws InterruptedException {}

  /** Nobody gets this value, because another attempt follows or the call has failed: closes it. */
  default void discard(T value) {}

  /**
   * An answer and what it means.
   *
   * @param value what the caller gets if the gate does not try again
   * @param reach whom a throttle keeps away; of no meaning for other signals. {@link Reach#OBJECT}
   *     concerns this call alone, {@link Reach#ROUTE} those of its {@link CallOptions#route}, if it
   *     has one; everything else its lane
   * @param inPart whether only a part of the work was throttled: the call ends with this value, and
   *     whoever made it sends the rest by another
   */
  record Reply<T extends @Nullable Object>(T value, Signal signal, Reach reach, boolean inPart) {
    private static final Reply<?> NOT_YET = notYetMade();

    public Reply {
      requireNonNull(signal, "signal");
      requireNonNull(reach, "reach");
    }

    /** An answer about the whole of what was asked for, and the whole lane. */
    public Reply(T value, Signal signal) {
      this(value, signal, Reach.PROVIDER, false);
    }

    /** The same about those whom a throttle reaches. */
    public Reply<T> reaching(Reach other) {
      return new Reply<>(value, signal, other, inPart);
    }

    /** The same of work that was throttled in part. */
    public Reply<T> throttledInPart() {
      return new Reply<>(value, signal, reach, true);
    }

    /** Whether a throttle is about less than a lane: one object, or a route that has a name. */
    boolean isNarrow(String route) {
      return reach == Reach.OBJECT || (reach == Reach.ROUTE && !route.isEmpty());
    }

    /**
     * What the lane is told of such a throttle: a healthy service would not serve this one thing.
     * What the answer said about the whole lane still counts.
     */
    Signal forLane() {
      List<QuotaHint> wider =
          signal.quota().stream()
              .filter(hint -> hint.scope().reach().compareTo(Reach.ROUTE) > 0)
              .toList();
      return new Signal.Rejected(Signal.Rejected.Kind.INVALID, wider);
    }

    /**
     * Nothing was sent, because something is held since the permit was granted: the permit goes
     * back, nothing is counted, and the call waits for its turn again.
     */
    @SuppressWarnings("unchecked") // it has no value
    public static <T extends @Nullable Object> Reply<T> notYet() {
      return (Reply<T>) NOT_YET;
    }

    private static Reply<?> notYetMade() {
      return new Reply<@Nullable Object>(null, Signal.CANCELLED);
    }
  }
}
