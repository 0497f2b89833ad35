package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.sink.TakenOverException;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.RefusedException;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Why work stops before everything is done. Immutable. */
sealed interface Stop {
  Logger log = LoggerFactory.getLogger(Stop.class);

  /** Whether nothing else of this run can go on either. */
  boolean endsRun();

  /** How a run ends that ends for this. */
  Outcome outcome();

  /**
   * The same after a page for people came where data was due.
   *
   * @param page what is said of it, unless it has no part in this
   */
  default Stop afterPage(String page) {
    return this;
  }

  /** There is more to do, later, and nobody has to do anything for it. */
  record Deferred(Reason.Deferral reason, String detail) implements Stop {
    @Override
    public boolean endsRun() {
      return true;
    }

    @Override
    public Outcome outcome() {
      return new Outcome.Deferred(reason, detail);
    }

    @Override
    public Stop afterPage(String page) {
      return reason instanceof Reason.Pressure ? new Deferred(reason, detail + "; " + page) : this;
    }
  }

  /** The provider serves this later, as it said, and other things meanwhile. */
  record PutOff(Instant until, String detail) implements Stop {
    @Override
    public boolean endsRun() {
      return false;
    }

    @Override
    public Outcome outcome() {
      return new Outcome.Deferred(Reason.Pressure.RATE_LIMITED, detail);
    }
  }

  /** A stream keeps failing, and others may be served. */
  record StreamDeferred(Reason.Pressure reason, String detail) implements Stop {
    @Override
    public boolean endsRun() {
      return false;
    }

    @Override
    public Outcome outcome() {
      return new Outcome.Deferred(reason, detail);
    }

    @Override
    public Stop afterPage(String page) {
      return new StreamDeferred(reason, detail + "; " + page);
    }
  }

  /** Another attempt alone does not help. */
  record Failed(Reason.Failure reason, String detail) implements Stop {
    @Override
    public boolean endsRun() {
      return reason.endsRun();
    }

    @Override
    public Outcome outcome() {
      return new Outcome.Failed(reason, detail);
    }

    @Override
    public Stop afterPage(String page) {
      return switch (reason) {
        case FORBIDDEN,
            NOT_FOUND,
            INVALID,
            SUSPENDED,
            QUOTA_SPENT,
            AUTH_FAILURE,
            UNEXPECTED_CONTENT ->
            new Failed(reason, detail + "; " + page);
        case CURSOR_EXPIRED, CURSOR_LOOP, SLICE_TOO_LARGE, STORAGE, TOO_MANY_REJECTS -> this;
      };
    }
  }

  /** Somebody wants it to end. */
  record Cancelled() implements Stop {
    @Override
    public boolean endsRun() {
      return true;
    }

    @Override
    public Outcome outcome() {
      return new Outcome.Cancelled();
    }
  }

  /** Another process has taken the track over. */
  record TakenOver() implements Stop {
    @Override
    public boolean endsRun() {
      return false;
    }

    @Override
    public Outcome outcome() {
      return new Outcome.AlreadyRunning();
    }
  }

  /** What a refusal of the gate means for a run. */
  static Stop of(RefusedException refused) {
    Refusal refusal = refused.refusal();
    return switch (refusal) {
      case Refusal.Planned planned -> new Deferred(Reason.of(planned), refusal.message());
      case Refusal.Pressure pressure -> new Deferred(Reason.of(pressure), refusal.message());
      case Refusal.Stopped stopped -> new Failed(Reason.of(stopped.reason()), refusal.message());
      // Nobody waits with a deadline but that of the run's own clock.
      case Refusal.TooLate late -> new Deferred(Reason.Planned.WALL_CLOCK, refusal.message());
      case Refusal.TimedOut late -> new Deferred(Reason.Planned.WALL_CLOCK, refusal.message());
      case Refusal.Closed closed -> new Cancelled();
    };
  }

  /** What a failure means for a run. */
  static Stop of(Exception failure) {
    return switch (failure) {
      case RefusedException refused -> of(refused);
      case StreamFailsException fails when fails.isAlone() ->
          new StreamDeferred(Reason.Pressure.UPSTREAM_PRESSURE, words(fails));
      case StreamFailsException fails ->
          new Deferred(Reason.Pressure.UPSTREAM_PRESSURE, words(fails));
      case PutOffException later -> new PutOff(later.until(), words(later));
      case ProviderException answer -> new Failed(answer.reason(), words(answer));
      case SinkException sink when sink.getCause() instanceof TakenOverException -> new TakenOver();
      case SinkException sink -> new Failed(Reason.Failure.STORAGE, words(sink));
      case StoreException away when away.problem() == StoreException.Problem.UNREACHABLE ->
          throw away; // not this track's trouble: the run goes on once it is back, or ends
      case StoreException store -> new Failed(Reason.Failure.STORAGE, words(store));
      case LeaseLostException lost -> new TakenOver();
      case InterruptedException interrupted -> new Cancelled();
      case ConnectException nobody ->
          new Deferred(
              Reason.Pressure.UPSTREAM_PRESSURE,
              "no connection to the provider; if that stays so, see whether provider.base is right");
      case IOException noAnswer ->
          new StreamDeferred(Reason.Pressure.UPSTREAM_PRESSURE, words(noAnswer));
      default -> {
        log.error("a connector or a sink has a bug", failure);
        yield new Failed(
            Reason.Failure.UNEXPECTED_CONTENT,
            "the connector failed with a %s; the log has all of it"
                .formatted(failure.getClass().getSimpleName()));
      }
    };
  }

  private static String words(Exception failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}
