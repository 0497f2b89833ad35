package dev.sluice.runs.run;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Refusal;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why a run ended before its work did. Stable wire names; immutable.
 *
 * <p>What a run had {@link Planned} is never {@link Pressure}: the types are disjoint, so that an
 * end as planned cannot be taken for a provider in trouble, neither by code nor by people.
 */
public sealed interface Reason {

  /** The constant's name in the source. */
  String name();

  /** The stable name: the constant's own in lower case. */
  default String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What happened, in words for people: a clause to go after "because". */
  String words();

  /** Why a run may be taken up again later, without anybody's help. */
  sealed interface Deferral extends Reason {}

  /** The run has reached an end that it had set itself, or that somebody wanted. */
  enum Planned implements Deferral {
    REQUEST_CAP("it made as many requests as it may"),
    WALL_CLOCK("the time that it may take is not enough"),
    RETRY_BUDGET("it spent all of its retries"),
    CANCELLED("somebody stopped it");

    private final String words;

    Planned(String words) {
      this.words = words;
    }

    @Override
    public String words() {
      return words;
    }
  }

  /** The provider asks for a rest, or needs one. */
  enum Pressure implements Deferral {
    RATE_LIMITED("the service throttles, and for longer than the run may wait"),
    UPSTREAM_PRESSURE("the service keeps failing"),
    CIRCUIT_OPEN("the service kept refusing, and is left alone for a while");

    private final String words;

    Pressure(String words) {
      this.words = words;
    }

    @Override
    public String words() {
      return words;
    }
  }

  /** Something that another attempt alone does not change. */
  enum Failure implements Reason {
    FORBIDDEN("the account may not do this"),
    NOT_FOUND("the service does not know what was asked for"),
    CURSOR_EXPIRED("the service no longer accepts the place where the last run stopped"),
    INVALID("the service, or the input, does not accept the request as it is"),
    SUSPENDED("the account is suspended"),
    QUOTA_SPENT("the account's quota or credit is spent"),
    AUTH_FAILURE("the service does not accept the credentials"),
    CURSOR_LOOP("the service's pages go round in a circle"),
    UNEXPECTED_CONTENT("the service answered with something other than it declares"),
    SLICE_TOO_LARGE("a single slice is larger than the run's envelope"),
    STORAGE("something could not be written here"),
    TOO_MANY_REJECTS("too many records were rejected");

    private final String words;

    Failure(String words) {
      this.words = words;
    }

    /** Whether it concerns whoever asks, and not what is asked for: nothing else can go on. */
    public boolean endsRun() {
      return needsSomebody() || this == STORAGE;
    }

    /** Whether nothing is sent until a person has settled it with the provider. */
    public boolean needsSomebody() {
      return this == SUSPENDED || this == QUOTA_SPENT || this == AUTH_FAILURE;
    }

    @Override
    public String words() {
      return words;
    }
  }

  /**
   * The reason with a wire name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Reason named(String wireName) {
    return Stream.<Reason[]>of(Planned.values(), Pressure.values(), Failure.values())
        .flatMap(Stream::of)
        .filter(reason -> reason.wireName().equals(wireName))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no reason named '" + wireName + "'"));
  }

  /**
   * The reason for which a run ends when a gate refuses it; empty if a refusal is no reason to end
   * (no permit in time), or not the provider's (a closed gate).
   */
  static Optional<Reason> of(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Planned planned -> Optional.of(of(planned));
      case Refusal.Pressure pressure -> Optional.of(of(pressure));
      case Refusal.Stopped stopped -> Optional.of(of(stopped.reason()));
      case Refusal.TimedOut timedOut -> Optional.empty();
      case Refusal.TooLate tooLate -> Optional.empty();
      case Refusal.Closed closed -> Optional.empty();
    };
  }

  /** The reason for which a run ends when nothing is sent until a person acts. */
  static Failure of(Signal.Stopped.Reason stopped) {
    return switch (stopped) {
      case SUSPENDED -> Failure.SUSPENDED;
      case QUOTA_SPENT -> Failure.QUOTA_SPENT;
      case AUTH_FAILURE -> Failure.AUTH_FAILURE;
    };
  }

  /** The reason for which a run ends when its own budget is spent. */
  static Planned of(Refusal.Planned refusal) {
    return switch (refusal) {
      case Refusal.Budget.REQUEST_CAP -> Planned.REQUEST_CAP;
      case Refusal.Budget.WALL_CLOCK -> Planned.WALL_CLOCK;
      case Refusal.Budget.RETRY_BUDGET -> Planned.RETRY_BUDGET;
      case Refusal.OutOfTime late -> Planned.WALL_CLOCK;
    };
  }

  /** The reason for which a run ends when the provider is under pressure. */
  static Pressure of(Refusal.Pressure refusal) {
    return switch (refusal) {
      case Refusal.Held held -> Pressure.RATE_LIMITED;
      case Refusal.GivenUp givenUp -> Pressure.RATE_LIMITED;
      case Refusal.Postponed postponed -> Pressure.RATE_LIMITED;
      case Refusal.CircuitOpen open ->
          open.reason() == CircuitTransition.Reason.TRANSIENT_FAILURES
              ? Pressure.UPSTREAM_PRESSURE
              : Pressure.CIRCUIT_OPEN;
    };
  }
}
