package dev.sluice.control.circuit;

import static dev.sluice.control.circuit.CircuitState.CLOSED;
import static dev.sluice.control.circuit.CircuitState.HALF_OPEN;
import static dev.sluice.control.circuit.CircuitState.OPEN;
import static java.util.Objects.requireNonNull;

import dev.sluice.control.circuit.CircuitTransition.Reason;
import dev.sluice.control.circuit.CircuitTransition.Trigger;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls to a lane whose other side is unwell, and finds out when it is well again.
 *
 * <p>It judges the provider, not one record: all attempts of a call together count once, as the
 * latest of them went, so the retries of one bad record cannot open it.
 *
 * <p>Closed, it looks at the latest calls and opens once {@code failureRate} of them, with at least
 * {@code minimumCalls} seen, have failed, or {@code failuresInRow} have failed with no success
 * between. Whichever answer completes that picture opens it, even a success. Open, it admits
 * nothing for {@code openFor}; the first start after that finds it half-open. Half-open, it admits
 * {@code probes} requests and no more; when all of them have been answered it opens again if {@code
 * failureRate} of them failed, or closes and forgets the past.
 *
 * <p>Every state has a {@link #generation} of its own. A request keeps the number that it started
 * under and hands it in with its answer; an answer from an earlier generation says nothing about
 * the present and is ignored. So a late answer to a request sent before the circuit opened neither
 * closes nor reopens a half-open circuit, nor counts in a later closed one.
 *
 * <p>Every call that may change the state returns the change as a fact, {@code null} if there was
 * none. Each start is followed by exactly one of {@link #settled} and {@link #abandoned}.
 *
 * <p>Single-threaded: a lane calls it under its lock, with times that do not go back. Times are
 * monotonic nanoseconds; only differences are compared. Without a transition nothing is allocated.
 */
public final class CircuitBreaker {
  // Older than any circuit's patience; keeps the sum with any time within half of a long's range.
  private static final Duration OLDEST = Duration.ofDays(36_500);

  private final CircuitOptions options;
  private final long openFor;
  private final OutcomeRing recent;
  private final OutcomeRing probed;

  private CircuitState state = CLOSED;
  private int generation;
  private int probesOut;
  private long since;
  private long triedAgainAt;
  private long requests;
  private @Nullable CircuitTransition last;

  /** A closed circuit that has seen nothing until {@code now}. */
  public CircuitBreaker(CircuitOptions options, long now) {
    this.options = options;
    this.openFor = options.openFor().toNanos();
    this.recent = new OutcomeRing(options.ringSize());
    this.probed = new OutcomeRing(options.probes());
    this.since = now;
  }

  /**
   * The state at {@code now}; an open circuit whose time has come counts as half-open, although the
   * fact is made by the first start. Changes nothing.
   */
  public CircuitState state(long now) {
    return state == OPEN && now - triedAgainAt >= 0 ? HALF_OPEN : state;
  }

  /**
   * Whether a request may start at {@code now}. If not, either the circuit is open, and the request
   * fails at once; or it is half-open with all its probes out, and the request waits for them.
   * Changes nothing.
   */
  public boolean admits(long now) {
    return switch (state) {
      case CLOSED -> true;
      case OPEN -> now - triedAgainAt >= 0;
      case HALF_OPEN -> probesOut + probed.calls() < options.probes();
    };
  }

  /** When an open circuit becomes half-open; {@code now} if it is not open. */
  public long triedAgainAt(long now) {
    return state(now) == OPEN ? triedAgainAt : now;
  }

  /**
   * A request starts; in a half-open circuit it takes a probe. It keeps the {@link #generation} as
   * it is after this call.
   *
   * @return open to half-open, if this is the first start after the circuit's time had come
   * @throws IllegalStateException if the circuit does not {@linkplain #admits admit} it
   */
  public @Nullable CircuitTransition start(long now) {
    if (!admits(now)) {
      throw new IllegalStateException(
          "the circuit is "
              + state.wireName()
              + " and admits nothing now: ask admits(now) before each start");
    }
    CircuitTransition transition = null;
    if (state == OPEN) {
      Reason opening = requireNonNull(last, "an open circuit has a fact").reason();
      transition = enter(HALF_OPEN, Trigger.OPEN_TIME_OVER, opening, now);
    }
    if (state == HALF_OPEN) {
      probesOut++;
    }
    requests++;
    return transition;
  }

  /** The number of the present state's period, which what starts now keeps until it is settled. */
  public int generation() {
    return generation;
  }

  /**
   * Settles a request with its answer: the circuit's column in the table of signals.
   *
   * <p>A throttle with a usable wait does not count, because the hold protects; one without counts
   * as a failure, but only once in an episode. A terminal answer does not count either: the lane is
   * closed by other means.
   *
   * @param newEpisode whether a throttle opened a new episode; of no meaning for other signals
   * @param call whose attempt it was, told from others by identity; null if it is a call of its own
   * @param startedUnder the generation that the request started under
   */
  public @Nullable CircuitTransition settled(
      Signal signal, boolean newEpisode, @Nullable Object call, int startedUnder, long now) {
    return switch (signal) {
      case Signal.Success unused -> healthy(call, startedUnder, now);
      case Signal.Answered unused -> healthy(call, startedUnder, now);
      case Signal.Rejected unused -> healthy(call, startedUnder, now);
      case Signal.Transient failed -> failure(kind(failed), call, startedUnder, now);
      case Signal.Throttled throttled when newEpisode && throttled.retryAfter().isEmpty() ->
          failure(FailureKind.THROTTLED, call, startedUnder, now);
      case Signal.Throttled unused -> {
        uncounted(startedUnder);
        yield null;
      }
      case Signal.Stopped unused -> {
        uncounted(startedUnder);
        yield null;
      }
      case Signal.Cancelled unused -> {
        uncounted(startedUnder);
        yield null;
      }
    };
  }

  private static FailureKind kind(Signal.Transient failed) {
    return failed.kind() == Signal.Transient.Kind.UNSETTLED
        ? FailureKind.UNSETTLED
        : FailureKind.TRANSIENT;
  }

  /** The other side is well: it did what was asked, or was in contact and refused. */
  @Nullable CircuitTransition healthy(@Nullable Object call, int startedUnder, long now) {
    return answered(null, call, startedUnder, now);
  }

  /** The other side is unwell. */
  @Nullable CircuitTransition failure(
      FailureKind kind, @Nullable Object call, int startedUnder, long now) {
    return answered(kind, call, startedUnder, now);
  }

  private @Nullable CircuitTransition answered(
      @Nullable FailureKind failure, @Nullable Object call, int startedUnder, long now) {
    if (!counts(startedUnder)) {
      return null;
    }
    recent.settled(call, failure);
    if (state == HALF_OPEN) {
      probesOut--;
      probed.settled(null, failure);
      return afterProbe(now);
    }
    return afterAnswer(now);
  }

  /** The request was sent, but its answer says nothing about health: a probe is handed back. */
  public void uncounted(int startedUnder) {
    if (counts(startedUnder) && state == HALF_OPEN) {
      probesOut--;
    }
  }

  /** The request was never sent: a probe is handed back, and the request was none. */
  public void abandoned(int startedUnder) {
    uncounted(startedUnder);
    requests--;
  }

  /**
   * A person says that the other side is well: closes the circuit, whatever its state, and forgets
   * the past, requests in flight included.
   *
   * @return the fact; {@code null} if it was closed already
   */
  public @Nullable CircuitTransition reset(long now) {
    if (state == CLOSED) {
      begin(CLOSED, now);
      return null;
    }
    return enter(CLOSED, Trigger.OPERATOR, Reason.OPERATOR, now);
  }

  /**
   * Takes up where the circuit of an earlier process left off. An open circuit stays open for what
   * is left of {@code openFor} as it is configured now; a half-open one has all its probes again,
   * because those that were out went down with their process; a closed one starts with an empty
   * ring. A circuit that never opens stays closed.
   *
   * @param fact the last fact that was stored
   * @param age how long ago it happened; below zero, where wall clocks disagree, counts as zero
   * @throws IllegalStateException if this circuit has been used already
   */
  public void restore(CircuitTransition fact, Duration age, long now) {
    if (isUsed()) {
      throw new IllegalStateException("a circuit is restored before its first start, not after");
    }
    requests = fact.requests();
    if (!options.enabled()) {
      return;
    }
    Duration atLeastZero = age.isNegative() ? Duration.ZERO : age;
    long nanos = (atLeastZero.compareTo(OLDEST) > 0 ? OLDEST : atLeastZero).toNanos();
    begin(fact.state(), now - nanos);
    last = fact;
  }

  /** Whether it let anything through, has moved, or was restored. */
  public boolean isUsed() {
    return requests > 0 || last != null;
  }

  /** The latest fact, a restored one included; {@code null} if the state never changed. */
  public @Nullable CircuitTransition lastTransition() {
    return last;
  }

  /** Why it opened, in a few words; of no meaning unless it is open or half-open. */
  public String why() {
    Reason reason = last == null ? Reason.TRANSIENT_FAILURES : last.reason();
    return switch (reason) {
      case THROTTLES -> "too many throttles told no wait";
      case UNSETTLED_PERMITS -> "too many permits were closed unsettled";
      default -> "too many calls failed";
    };
  }

  /** Whether a call has failed here lately, so that another one makes a better probe. */
  public boolean hasFailed(Object call) {
    return recent.hasFailed(call);
  }

  private boolean counts(int startedUnder) {
    return options.enabled() && startedUnder == generation;
  }

  private @Nullable CircuitTransition afterAnswer(long now) {
    if (recent.calls() >= options.minimumCalls() && recent.failsAt(options.failureRate())) {
      return enter(OPEN, Trigger.FAILURE_RATE, recent.commonestFailure().reason(), now);
    }
    int longest = options.failuresInRow();
    return longest > 0 && recent.failedInRow() >= longest
        ? enter(OPEN, Trigger.FAILURES_IN_ROW, recent.commonestFailure().reason(), now)
        : null;
  }

  private @Nullable CircuitTransition afterProbe(long now) {
    if (probed.calls() < options.probes()) {
      return null;
    }
    return probed.failsAt(options.failureRate())
        ? enter(OPEN, Trigger.PROBE_FAILED, probed.commonestFailure().reason(), now)
        : enter(CLOSED, Trigger.PROBE_SUCCEEDED, Reason.RECOVERED, now);
  }

  private CircuitTransition enter(CircuitState next, Trigger trigger, Reason reason, long now) {
    CircuitTransition transition =
        new CircuitTransition(
            state,
            next,
            trigger,
            reason,
            Duration.ofNanos(Math.max(0, now - since)),
            requests,
            OptionalDouble.empty());
    begin(next, now);
    last = transition;
    return transition;
  }

  private void begin(CircuitState next, long start) {
    state = next;
    since = start;
    triedAgainAt = start + openFor;
    generation++;
    probesOut = 0;
    probed.clear();
    if (next == CLOSED) { // until then it knows who failed: somebody else is the next probe
      recent.clear();
    }
  }
}
