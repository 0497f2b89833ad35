package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.policy.Work;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.retry.Decision;
import dev.sluice.control.retry.Retries;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateBuilder;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The product as it is shipped: requests pass a {@link Gate} with one lane per user, and what is
 * refused or fails is tried again as {@link Gate#call} does for a call that may be repeated.
 */
public final class GateContender implements Contender {
  private final GivenTime time;
  private final Gate gate;
  private final Backoff backoff;

  /** A gate with a lane like this for each of so many users. */
  public GateContender(int users, LaneOptions options, long seed) {
    this.time = new GivenTime(seed);
    GateBuilder builder = Gate.builder().time(time);
    for (int user = 0; user < users; user++) {
      builder.lane(Integer.toString(user), options);
    }
    this.gate = builder.build();
    this.backoff = new Backoff(time.random());
  }

  /** A call that is not over: its retries, and the permit of the attempt that is out. */
  private static final class Attempts {
    private final Retries retries;
    private Permit permit;

    Attempts(Retries retries, Permit permit) {
      this.retries = retries;
      this.permit = permit;
    }
  }

  @Override
  public boolean send(Sending sending, long now) {
    time.set(now);
    Permit permit = gate.tryAcquire(Run.unbounded(), Work.UNKNOWN);
    if (permit == null) {
      return false;
    }
    Attempts attempts;
    if (sending.account() instanceof Attempts earlier) {
      attempts = earlier;
      attempts.permit = permit;
    } else {
      attempts =
          new Attempts(
              new Retries(CallOptions.DEFAULTS.repeatable().retries(), backoff, null), permit);
    }
    if (!attempts.retries.granted(permit.lane())) { // the call is given up, and made anew
      attempts =
          new Attempts(
              new Retries(CallOptions.DEFAULTS.repeatable().retries(), backoff, null), permit);
      boolean unused = attempts.retries.granted(permit.lane());
    }
    sending.through(Integer.parseInt(permit.lane()), Sending.NONE, attempts, now);
    return true;
  }

  @Override
  public long wakeAt(long now) {
    time.set(now);
    return gate.readyAt();
  }

  @Override
  public long answered(Sending sending, long now) {
    time.set(now);
    Attempts attempts = (Attempts) Objects.requireNonNull(sending.account());
    Signal signal = Answers.signal(sending);
    attempts.permit.settle(signal);
    Retries retries = attempts.retries;
    Decision decision = retries.settled(signal, now, () -> hasUntriedLane(retries));
    return switch (decision) {
      case Decision.Done() -> now;
      case Decision.GiveUp(Decision.Reason reason) -> GIVEN_UP;
      case Decision.Reroute() -> now;
      case Decision.AwaitLane() -> isShut() ? GIVEN_UP : now;
      case Decision.RetryAt(long notBefore) -> isShut() ? GIVEN_UP : notBefore;
    };
  }

  private boolean hasUntriedLane(Retries retries) {
    return gate.statistics().lanes().stream()
        .anyMatch(
            lane ->
                !retries.isTried(lane.name()) && !lane.isThrottled() && !isShut(lane));
  }

  private boolean isShut() {
    return gate.statistics().lanes().stream().allMatch(GateContender::isShut);
  }

  private static boolean isShut(LaneStatistics lane) {
    return lane.circuit() == CircuitState.OPEN || lane.stopped().isPresent();
  }

  @Override
  public double level(long now) {
    return sum(LaneStatistics::parallelism, now);
  }

  @Override
  public double rate(long now) {
    return sum(LaneStatistics::rate, now);
  }

  private double sum(ToDoubleFunction<LaneStatistics> figure, long now) {
    time.set(now);
    return gate.statistics().lanes().stream().mapToDouble(figure).sum();
  }
}
