package dev.sluice.gate;

import dev.sluice.control.budget.Verdict;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import java.time.Duration;

/**
 * Why a gate lets a caller through no more, or not in time. Immutable, with stable wire names.
 *
 * <p>A refusal that was {@link Planned} is never {@link Pressure}: the types are disjoint, so that
 * a run which ends as planned cannot be taken for a provider in trouble.
 */
public sealed interface Refusal extends Outcome {

  /** An end that the run itself planned; no fault of the provider. */
  sealed interface Planned extends Refusal {}

  /** The provider is under pressure, and says so by throttling or failing. */
  sealed interface Pressure extends Refusal {}

  /** The stable name in events, metrics and stores. */
  String wireName();

  /** What happened and what can be done about it, for people. */
  String message();

  /** The run's budget is spent: a planned end, no fault of the provider. */
  enum Budget implements Planned {
    /** The run has made as many requests as it may. */
    REQUEST_CAP("request_cap", "the run has used up its request cap"),
    /** The run has lasted as long as it may. */
    WALL_CLOCK("wall_clock", "the run has used up its wall clock"),
    /** The run has no token left to pay for a retry. */
    RETRY_BUDGET("retry_budget", "the run's retry budget is empty");

    private final String wireName;
    private final String message;

    Budget(String wireName, String message) {
      this.wireName = wireName;
      this.message = message;
    }

    static Budget of(Verdict verdict) {
      return verdict == Verdict.REQUEST_CAP ? REQUEST_CAP : WALL_CLOCK;
    }

    @Override
    public String wireName() {
      return wireName;
    }

    @Override
    public String message() {
      return message + "; what is left can be resumed by another run";
    }
  }

  /**
   * Every lane is held back for longer than the caller may wait.
   *
   * @param lane the lane that is free again first
   * @param remaining how long that takes
   * @param longest how long the caller may wait
   */
  record Held(String lane, Duration remaining, Duration longest) implements Pressure {
    @Override
    public String wireName() {
      return "rate_limited";
    }

    @Override
    public String message() {
      return "lane %s, the first to be free, is held back for another %s, longer than the %s that may be waited here"
          .formatted(lane, Waits.show(remaining), Waits.show(longest));
    }
  }

  /**
   * Every lane's circuit is open: the provider is failing, and nothing is sent.
   *
   * @param lane the lane that is tried again first
   * @param triedAgainIn how long until then
   * @param reason what opened it
   */
  record CircuitOpen(String lane, Duration triedAgainIn, CircuitTransition.Reason reason)
      implements Pressure {
    @Override
    public String wireName() {
      return "circuit_open";
    }

    @Override
    public String message() {
      return "the circuit of lane %s is open (%s); it is tried again in %s"
          .formatted(lane, reason.wireName(), Waits.show(triedAgainIn));
    }
  }

  /**
   * Every lane was stopped by a terminal answer.
   *
   * @param lane one of them
   * @param reason what the provider said
   */
  record Stopped(String lane, Signal.Stopped.Reason reason) implements Refusal {
    @Override
    public String wireName() {
      return reason.wireName();
    }

    @Override
    public String message() {
      return "lane %s was stopped (%s) and stays closed until it is reopened by hand"
          .formatted(lane, reason.wireName());
    }
  }

  /**
   * The pace, or its own not-before, lets the caller through only after its own deadline.
   *
   * @param lane the lane that would be ready first
   * @param remaining how long that takes
   * @param left how long the caller has
   */
  record TooLate(String lane, Duration remaining, Duration left) implements Refusal {
    @Override
    public String wireName() {
      return "acquire_timeout";
    }

    @Override
    public String message() {
      return "the next request could start on lane %s in %s, but the caller waits for %s at most"
          .formatted(lane, Waits.show(remaining), Waits.show(left));
    }
  }

  /**
   * No permit came in time.
   *
   * @param waited how long the caller waited, for whatever reason
   * @param lanes how many lanes there are
   */
  record TimedOut(Duration waited, int lanes) implements Refusal {
    @Override
    public String wireName() {
      return "acquire_timeout";
    }

    @Override
    public String message() {
      return lanes == 0
          ? "the gate has no lanes, and none was added within %s".formatted(Waits.show(waited))
          : "no permit within %s on %d lane%s; send less at once, add lanes or raise acquireTimeout"
              .formatted(Waits.show(waited), lanes, lanes == 1 ? "" : "s");
    }
  }

  /**
   * A request was throttled on every attempt that it may make.
   *
   * @param lane the lane that throttled it last
   */
  record GivenUp(String lane) implements Pressure {
    @Override
    public String wireName() {
      return "rate_limited";
    }

    @Override
    public String message() {
      return "lane " + lane + " throttled the request on every attempt that it may make";
    }
  }

  /** The gate was closed. */
  enum Closed implements Refusal {
    CLOSED;

    @Override
    public String wireName() {
      return "closed";
    }

    @Override
    public String message() {
      return "the gate is closed";
    }
  }
}
