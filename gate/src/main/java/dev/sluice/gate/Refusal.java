package dev.sluice.gate;

import dev.sluice.control.budget.Verdict;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;

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
    REQUEST_CAP("request_cap", "has used up its request cap"),
    /** The run has lasted as long as it may. */
    WALL_CLOCK("wall_clock", "has used up its wall clock"),
    /** The run has no token left to pay for a retry. */
    RETRY_BUDGET("retry_budget", "has nothing left in its retry budget");

    private final String wireName;
    private final String what;

    Budget(String wireName, String what) {
      this.wireName = wireName;
      this.what = what;
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
      return message("the run");
    }

    /** The same of a run with a name. */
    String message(Run run) {
      return message(run.name().isEmpty() ? "the run" : "run " + run.name());
    }

    private String message(String who) {
      return who + " " + what + "; what is left can be resumed by another run";
    }
  }

  /**
   * The run's wall clock is not over, but would be before the next request may start: a planned
   * end, too, and told at once.
   *
   * @param lane the lane that would be ready first
   * @param remaining how long that takes
   * @param left how long the run may still last
   */
  record OutOfTime(String lane, Duration remaining, Duration left) implements Planned {
    @Override
    public String wireName() {
      return Budget.WALL_CLOCK.wireName();
    }

    @Override
    public String message() {
      return "the next request may start on lane %s in %s, but the run may last for %s more; what is left can be resumed by another run, then or with more time"
          .formatted(lane, Waits.show(remaining), Waits.show(left));
    }
  }

  /**
   * Every lane is held back for longer than the caller may wait.
   *
   * @param lane the lane that is free again first
   * @param remaining how long that takes
   * @param longest how long the caller may wait
   * @param bound who says so
   */
  record Held(String lane, Duration remaining, Duration longest, Bound bound) implements Pressure {
    /** Who says how long a hold may last that is waited for. */
    public enum Bound {
      /** {@link dev.sluice.control.routing.ConnectionPoolOptions#maxRetryAfterTolerance}. */
      TOLERANCE("of the gate's maxRetryAfterTolerance"),
      /** {@link Run#longestHold}. */
      LONGEST_HOLD("of the run's longestHold"),
      /** The caller's own time-out, or its run's wall clock. */
      TIME_LEFT("that are left of the caller's time-out or of its run's wall clock");

      private final String words;

      Bound(String words) {
        this.words = words;
      }
    }

    @Override
    public String wireName() {
      return "rate_limited";
    }

    @Override
    public String message() {
      return "lane %s, the first to be free, is held back for another %s, longer than the %s %s"
          .formatted(lane, Waits.show(remaining), Waits.show(longest), bound.words);
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
      return "the circuit of lane %s is open after too many %s; it is tried again in %s"
          .formatted(lane, failures(), Waits.show(triedAgainIn));
    }

    private String failures() {
      return switch (reason) {
        case THROTTLES -> "throttles that told no wait";
        case UNSETTLED_PERMITS ->
            "permits closed without being settled (by code that forgot to, or by calls that threw)";
        case TRANSIENT_FAILURES, RECOVERED, OPERATOR ->
            "failures (errors of the service, or no answer)";
      };
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
   * @param inFlight how many permits were out
   * @param reason why a lane let nobody through, for people; empty if there is none
   */
  record TimedOut(Duration waited, int lanes, int inFlight, String reason) implements Refusal {
    @Override
    public String wireName() {
      return "acquire_timeout";
    }

    @Override
    public String message() {
      if (lanes == 0) {
        return "the gate has no lanes, and none was added within " + Waits.show(waited);
      }
      return "no permit within %s on %s%s; %ssend less at once, add lanes or raise acquireTimeout"
          .formatted(
              Waits.show(waited),
              lanes == 1 ? "1 lane" : lanes + " lanes",
              reason.isEmpty() ? "" : " (" + reason + ")",
              out());
    }

    private String out() {
      return switch (inFlight) {
        case 0 -> "";
        case 1 -> "1 permit is out: if it was forgotten, settle or close it; if not, ";
        default ->
            inFlight + " permits are out: if some were forgotten, settle or close each; if not, ";
      };
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

  /**
   * What the call asks for, or its route, is held back for longer than the call may wait. The lane
   * is not: other calls can go on.
   *
   * @param until when it may be asked for
   * @param told whether the provider said so to this very call
   */
  record Postponed(Instant until, boolean told) implements Pressure {
    @Override
    public String wireName() {
      return "rate_limited";
    }

    @Override
    public String message() {
      return (told ? "the request is not served before %s" : "its route is held back until %s")
          .formatted(until);
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
