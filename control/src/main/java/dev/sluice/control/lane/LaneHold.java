package dev.sluice.control.lane;

import dev.sluice.control.pacing.Hold;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.ProbeSchedule;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.routing.ThrottleState;
import dev.sluice.control.routing.ThrottleTracker;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a lane stays away from a provider that throttles, and why:
 *
 * <ul>
 *   <li>A told wait is a hold. After a bare throttle the lane holds for its declared time, or else
 *       lets single probes go, unless its policy does that.
 *   <li>After a hold the first requests start one after another ({@link Release}).
 *   <li>Throttled again right after each told wait, it {@linkplain #rests rests} for twice as long
 *       each time.
 * </ul>
 *
 * <p>Single-threaded; nanoseconds.
 */
final class LaneHold {
  private static final String BARE = "the provider refused and did not say for how long";
  private static final String TOLD = "the provider said so";

  /** The longest rest, in multiples of the wait that was told. */
  private static final int LONGEST_REST = 32;

  private final LaneOptions options;
  private final Policy policy;
  private final @Nullable Backoff hintless;
  private final Hold hold;
  private final Release release = new Release();
  private final Episode episode = new Episode();
  private final ProbeSchedule probes = new ProbeSchedule();
  private boolean onlyLane = true;
  private boolean probeOut;
  private long since;
  private long restsUntil;
  private String because = "";
  private Duration buffer =
      Duration.ZERO; // how much longer the hold is than the provider asked for

  /** No hold at {@code now}. The policy is told of holds. */
  LaneHold(LaneOptions options, Policy policy, RandomGenerator random, long now) {
    this.options = options;
    this.policy = policy;
    this.hintless = options.hintlessHold().map(hold -> hold.backoff(random)).orElse(null);
    this.hold = Hold.endedAt(now);
  }

  /** Whether nothing here keeps a request from starting now. */
  boolean admits(long now) {
    return !probeOut && !hold.isActive(now) && release.notBefore(now) - now <= 0;
  }

  /** The earliest time for the next request, if no probe is out; {@code now} if at once. */
  long readyAt(long now) {
    long held = hold.isActive(now) ? hold.until() : now;
    return Math.max(held, release.notBefore(now));
  }

  /** Whether the answer to a single request decides how it goes on. */
  boolean isProbeOut() {
    return probeOut;
  }

  /** Whether only single requests are sent, to find out whether the provider is open again. */
  boolean isProbing() {
    return probes.isClosed();
  }

  /** Whether nothing may be sent. */
  boolean isActive(long now) {
    return hold.isActive(now);
  }

  /** Until when nothing is sent; in the past if there is no hold. */
  long until() {
    return hold.until();
  }

  /** The same without the buffer that was added to what the provider asked for. */
  long askedUntil() {
    return hold.until() - buffer.toNanos();
  }

  /** A request starts. */
  void started(long now) {
    release.started(now);
    probeOut = probes.isClosed();
  }

  /** A request that was sent at {@code sentAt} has ended, whatever it came to. */
  void ended(long sentAt) {
    if (probes.isProbe(sentAt)) {
      probeOut = false; // the next one may be a probe
    }
  }

  /** A request succeeded after so long. */
  void succeeded(long sentAt, long duration) {
    served(sentAt);
    release.succeeded(duration);
  }

  /** A request was served: an episode that began before it is over. */
  void served(long sentAt) {
    episode.succeeded(sentAt);
    probes.succeeded(sentAt);
  }

  /**
   * A request that was sent at {@code sentAt} was throttled.
   *
   * @return whether an episode of throttles begins
   */
  boolean throttled(Signal.Throttled throttled, long sentAt, long now) {
    boolean told = throttled.retryAfter().isPresent();
    boolean newWave = episode.throttled(sentAt, told, now);
    if (options.holdWhenThrottled()) {
      if (told) {
        probes.open();
        probeOut = false;
        long until = toldUntil(throttled, now);
        holdUntil(until, TOLD, options.skewBuffer(), now);
        if (newWave) {
          long times = Math.min(LONGEST_REST, 1L << Math.min(62, episode.waves() - 1));
          restsUntil = now + times * (until - now);
        }
      } else if (hintless != null) {
        if (newWave) {
          holdUntil(toldUntil(throttled, now), BARE, Duration.ZERO, now);
        }
      } else if (!policy.probes() && probes.throttled(sentAt, release.average(), now)) {
        holdUntil(probes.probeAt(), BARE + "; then one request is tried", Duration.ZERO, now);
      }
    }
    return newWave && episode.waves() == 1;
  }

  /** A throttle that did not come through a permit; no wait is told unless it is positive. */
  void throttled(Duration retryAfter, long now) {
    if (options.holdWhenThrottled() && retryAfter.isPositive()) {
      Duration added = options.skewBuffer();
      holdUntil(after(now, retryAfter) + added.toNanos(), TOLD, added, now);
    }
  }

  /** What an answer says about limits may set a not-before, and never cancels one. */
  void told(List<QuotaHint> hints, long now) {
    for (QuotaHint hint : hints) {
      if (Headroom.concernsLane(hint) && hint.retryAfter().isPresent()) {
        holdUntil(
            after(now, hint.retryAfter().get()),
            "the provider says that no quota is left",
            Duration.ZERO,
            now);
      }
    }
  }

  /** Another process, or another lane, was told to send nothing before {@code until}. */
  void toldElsewhere(long until, long now) {
    // A store rounds a hold up: it is the same one, a moment longer.
    boolean same = hold.isActive(now);
    holdUntil(until, same ? because : "it was told elsewhere", same ? buffer : Duration.ZERO, now);
  }

  private void holdUntil(long until, String reason, Duration added, long now) {
    if (until - hold.until() > 0) {
      since = now;
      because = reason;
      buffer = added;
    }
    hold.extendTo(until);
    if (hold.isActive(now)) {
      if (policy.rate() == Double.POSITIVE_INFINITY) {
        release.held(hold.until(), policy.level(now));
      }
      policy.held(hold.until());
    }
  }

  /** Until when a throttle asks to stay away, or until when a bare one is taken to. */
  long toldUntil(Signal.Throttled throttled, long now) {
    if (throttled.retryAfter().isPresent()) {
      return after(now, throttled.retryAfter().get()) + options.skewBuffer().toNanos();
    }
    return hintless == null
        ? now + ProbeSchedule.FIRST.toNanos()
        : now + hintless.nanos(Math.max(0, episode.hintlessInRow() - 1));
  }

  /** Whether there is no other lane to use while this one rests. */
  void onlyLane(boolean isOnlyLane) {
    onlyLane = isOnlyLane;
  }

  /** Whether it was throttled again right after each told wait, and others are to be used first. */
  boolean rests(long now) {
    return !onlyLane && episode.waves() > 1 && restsUntil - now > 0;
  }

  /** The hold in force for people; empty if there is none. */
  Optional<ThrottleState> state(String lane, long now, Instant wall) {
    if (!hold.isActive(now)) {
      return Optional.empty();
    }
    Duration length = Duration.ofNanos(hold.until() - since).minus(options.skewBuffer());
    return Optional.of(
        new ThrottleState(
            lane,
            wall.minusNanos(now - since),
            wall.plusNanos(hold.until() - now),
            length.isPositive() ? length : Duration.ofNanos(1)));
  }

  /** Why it stays away, in one sentence; only if it holds, rests or probes. */
  String reason(long now) {
    if (hold.isActive(now)) {
      return "held for another %s: %s".formatted(Figures.time(hold.until() - now), because);
    }
    return rests(now)
        ? "left alone for another %s while other lanes have room: throttled %d times in a row"
            .formatted(Figures.time(restsUntil - now), episode.waves())
        : "one request at a time finds out whether it is open again: " + BARE;
  }

  /** {@code now} plus a wait, cut to the longest hold there is, so that no sum overflows. */
  static long after(long now, Duration wait) {
    Duration longest = ThrottleTracker.LONGEST_HOLD;
    return now + (wait.compareTo(longest) > 0 ? longest : wait).toNanos();
  }
}
