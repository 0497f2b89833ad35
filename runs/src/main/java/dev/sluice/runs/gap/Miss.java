package dev.sluice.runs.gap;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.run.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * Why details could not be had this time. What kind it is decides what counts: a request that was
 * really sent is a try; only if a healthy provider refused or failed this record alone, it is a
 * failure. {@value #QUARANTINED_AFTER} failures put the gap in quarantine. Immutable.
 */
public sealed interface Miss {
  /** How many failures put a gap in quarantine. */
  int QUARANTINED_AFTER = 8;

  /** What is kept with the gap. */
  Reason reason();

  /** When the provider told to come back, if it did. */
  Optional<Instant> told();

  /** Nothing was sent: the run had to stop before. Neither a try nor a failure. */
  record NotSent(Reason reason) implements Miss {
    public NotSent {
      requireNonNull(reason, "reason");
    }

    @Override
    public Optional<Instant> told() {
      return Optional.empty();
    }
  }

  /**
   * A request was sent, and the provider did not serve it now: a throttle, or trouble that passes.
   * A try, and no failure.
   */
  record PutOff(Reason.Deferral reason, Optional<Instant> told) implements Miss {
    public PutOff {
      requireNonNull(reason, "reason");
      requireNonNull(told, "told");
    }
  }

  /** A healthy provider refused this record, and no other. A try and a failure. */
  record Refused(Reason.Failure reason, Optional<Instant> told) implements Miss {
    public Refused {
      requireNonNull(reason, "reason");
      requireNonNull(told, "told");
    }
  }

  /**
   * The provider answered, and the connector says that there are no such details, for good. A try,
   * and no failure; the gap is kept, as evidence.
   */
  record Gone(Reason.Failure reason) implements Miss {
    public Gone {
      requireNonNull(reason, "reason");
    }

    @Override
    public Optional<Instant> told() {
      return Optional.empty();
    }
  }

  /**
   * The record kept failing while the provider served others. A try and a failure, like a refusal.
   */
  record Failing() implements Miss {
    @Override
    public Reason reason() {
      return Reason.Pressure.UPSTREAM_PRESSURE;
    }

    @Override
    public Optional<Instant> told() {
      return Optional.empty();
    }
  }

  /** Whether it counts against the record. */
  default boolean isFailure() {
    return this instanceof Refused || this instanceof Failing;
  }

  /** Whether a request was really sent. */
  default boolean sent() {
    return !(this instanceof NotSent);
  }
}
