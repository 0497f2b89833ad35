package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.policy.Work;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks of a gate beyond "let me through". Immutable.
 *
 * @param work what the request does, for policies that cost operations differently
 * @param notBefore the caller's own earliest time, in monotonic nanoseconds; combined with hold and
 *     pace by maximum. {@link #AT_ONCE} if it has none
 * @param timeout how long to wait at most, for whatever reason; empty for the gate's own acquire
 *     time-out, which counts the wait for a slot and not for a hold
 * @param call the call that the request is an attempt of, told from others by identity; null if it
 *     is the only one. All attempts of a call count once in a lane's circuit
 */
public record Ask(Work work, long notBefore, Optional<Duration> timeout, @Nullable Object call) {
  /** No earliest time of its own. */
  public static final long AT_ONCE = Long.MIN_VALUE;

  /** A time-out that never comes. */
  public static final Duration FOREVER = Duration.ofNanos(Time.NEVER);

  private static final Ask PLAIN = new Ask(Work.UNKNOWN, AT_ONCE, Optional.empty(), null);
  private static final Ask PATIENT = new Ask(Work.UNKNOWN, AT_ONCE, Optional.of(FOREVER), null);

  public Ask {
    requireNonNull(work, "work");
    if (timeout.isPresent() && timeout.get().isNegative()) {
      throw new IllegalArgumentException(
          "timeout is " + timeout.get() + ", but must be zero or more");
    }
  }

  /** Nothing beyond "let me through". */
  public static Ask plain() {
    return PLAIN;
  }

  /** Waits as long as it takes. */
  public static Ask patient() {
    return PATIENT;
  }

  /** The same, for this kind of work. */
  public Ask forWork(Work other) {
    return new Ask(other, notBefore, timeout, call);
  }

  /** The same, not before {@code earliest}. */
  public Ask notBefore(long earliest) {
    return new Ask(work, earliest, timeout, call);
  }

  /** The same, as an attempt of this call. */
  public Ask onBehalfOf(Object whose) {
    return new Ask(work, notBefore, timeout, requireNonNull(whose, "call"));
  }

  /** The same, waiting at most {@code longest}. */
  public Ask within(Duration longest) {
    return new Ask(work, notBefore, Optional.of(longest), call);
  }
}
