package dev.sluice.runs.gap;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;

/**
 * How a detail gap stands, and how it stands after another miss. Immutable.
 *
 * @param turn its place in the order: when it was last tried, else first seen
 * @param triedIn the run that tried it last; {@link #NO_RUN} if none did
 */
record Standing(
    int tries, int failures, Instant due, Instant firstSeen, Instant turn, long triedIn) {
  /** A wait that grows by this with every try, unless the provider tells another. */
  static final Duration WAIT_PER_TRY = Duration.ofMinutes(15);

  /** The longest wait that nobody told. */
  static final Duration LONGEST_WAIT = Duration.ofHours(6);

  private static final long NO_RUN = 0;

  /** Never tried, and due at once. */
  static Standing fresh(Instant now) {
    return new Standing(0, 0, now, now, now, NO_RUN);
  }

  /** From the columns tries, failures, due, first_seen, turn, tried_in. */
  static Standing read(Transaction.Row row) {
    return new Standing(
        (int) row.number(1),
        (int) row.number(2),
        row.time(3),
        row.time(4),
        row.time(5),
        row.number(6));
  }

  Standing missed(Miss miss, long run, Instant now) {
    if (!miss.sent()) {
      return this;
    }
    int sent = tries + 1;
    return new Standing(
        sent,
        failures + (miss.isFailure() ? 1 : 0),
        miss.told().orElseGet(() -> now.plus(restAfter(miss, sent))),
        firstSeen,
        now,
        run);
  }

  /** What was planned here gives the provider no reason for a rest. */
  private static Duration restAfter(Miss miss, int tries) {
    if (miss.reason() instanceof Reason.Planned) {
      return Duration.ZERO;
    }
    Duration wait = WAIT_PER_TRY.multipliedBy(tries);
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }

  /** What state such a miss leaves it in. */
  State state(Miss miss) {
    return switch (miss) {
      case Miss.Gone gone -> State.GONE;
      case Miss.Refused refused -> pendingOrQuarantined();
      case Miss.Failing failing -> pendingOrQuarantined();
      case Miss.PutOff putOff -> State.PENDING;
      case Miss.NotSent notSent -> State.PENDING;
    };
  }

  private State pendingOrQuarantined() {
    return failures >= Miss.QUARANTINED_AFTER ? State.QUARANTINED : State.PENDING;
  }

  /** As the column has it: whether its time is still to come. */
  int resting(Instant now) {
    return due.isAfter(now) ? 1 : 0;
  }
}
