package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.control.lane.Lane;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * A policy of this project as it is used: one lane per user, each with its own policy, hold and
 * circuit, and the least recently used lane that admits sends next. A refused request goes to
 * whichever lane is free first.
 */
public final class LaneContender implements Contender {
  private static final QuotaHint.Scope REQUESTS =
      new QuotaHint.Scope(
          QuotaHint.Reach.CREDENTIAL, "", QuotaHint.Unit.REQUESTS, "burst-remaining");
  private static final QuotaHint.Scope TIME =
      new QuotaHint.Scope(
          QuotaHint.Reach.CREDENTIAL, "", QuotaHint.Unit.WORK_TIME, "time-remaining");

  private final List<Lane> lanes = new ArrayList<>();
  private final Backoff backoff;
  private long sequence;

  /** So many users, each with a lane like this. */
  public LaneContender(int users, LaneOptions options, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.backoff = new Backoff(random.split());
    for (int user = 0; user < users; user++) {
      lanes.add(new Lane("user" + user, options, random.split(), 0));
    }
  }

  @Override
  public boolean send(Sending sending, long now) {
    int chosen = Sending.NONE;
    for (int user = 0; user < lanes.size(); user++) {
      Lane lane = lanes.get(user);
      if (lane.admits(now)
          && (chosen == Sending.NONE || lane.lastUsed() < lanes.get(chosen).lastUsed())) {
        chosen = user;
      }
    }
    if (chosen == Sending.NONE) {
      return false;
    }
    Lane lane = lanes.get(chosen);
    sending.through(chosen, Sending.NONE, lane, now);
    sending.ticket(lane.start(sending, ++sequence, now));
    return true;
  }

  @Override
  public long wakeAt(long now) {
    long first = NEVER;
    for (Lane lane : lanes) {
      first = Math.min(first, lane.wakeAt(now));
    }
    return first;
  }

  @Override
  public long answered(Sending sending, long now) {
    Signal signal = signal(sending);
    lanes.get(sending.user()).settle(sending, sending.ticket(), signal, now);
    return signal instanceof Signal.Transient
        ? now + backoff.nanos(Math.max(0, sending.refusals() - 1))
        : now;
  }

  /** What an answer means to a lane. */
  static Signal signal(Sending sending) {
    if (sending.isAdmitted()) {
      return Double.isNaN(sending.requestsLeft())
          ? Signal.success()
          : new Signal.Success(Signal.Success.MEASURED, hints(sending));
    }
    if (sending.status() >= 500 && sending.retryAfter() <= 0) {
      return Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);
    }
    return new Signal.Throttled(
        sending.retryAfter() > 0
            ? Optional.of(Duration.ofNanos(sending.retryAfter()))
            : Optional.empty(),
        sending.facet(),
        "",
        Double.isNaN(sending.requestsLeft()) ? List.of() : hints(sending));
  }

  private static List<QuotaHint> hints(Sending sending) {
    return List.of(
        hint((long) sending.requestsLeft(), REQUESTS),
        hint((long) (sending.timeLeft() * 1_000), TIME)); // milliseconds
  }

  private static QuotaHint hint(long remaining, QuotaHint.Scope scope) {
    return new QuotaHint(
        OptionalLong.empty(),
        OptionalLong.of(Math.max(0, remaining)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        scope);
  }

  @Override
  public double level(long now) {
    double sum = 0;
    for (Lane lane : lanes) {
      sum += lane.level(now);
    }
    return sum;
  }

  @Override
  public double rate(long now) {
    double sum = 0;
    for (Lane lane : lanes) {
      sum += lane.rate();
    }
    return sum;
  }
}
