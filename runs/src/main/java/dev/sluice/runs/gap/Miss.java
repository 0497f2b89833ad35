package dev.sluice.runs.gap;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.run.Reason;
import java.time.Instant;
import java.util.Optional;

/**
 * Why details could not be had this time. What kind it is decides what counts: a request that was
 * really sent is a try; only a refusal of this record alone, by a healthy provider, is a failure.
 * Immutable.
 */
public sealed interface Miss {

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

  /**
   * A healthy provider refused this record, and no other. A try and a failure; {@value
   * #QUARANTINED_AFTER} of them put the gap in quarantine.
   */
  record Refused(Reason.Failure reason, Optional<Instant> told) implements Miss {
    /** How many failures put a gap in quarantine. */
    public static final int QUARANTINED_AFTER = 8;

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

  /** Whether a request was really sent. */
  default boolean sent() {
    return !(this instanceof NotSent);
  }
}
