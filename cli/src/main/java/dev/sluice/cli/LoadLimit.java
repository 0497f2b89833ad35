package dev.sluice.cli;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.load.run.LoadProgress;

/** What keeps a load from being faster at some moment. */
enum LoadLimit {
  /** The execution time of a user in a window is used up, or has to last. */
  EXECUTION_TIME("execution time", true),
  /** The requests of a user in a window are used up, or have to last. */
  REQUESTS("the number of requests", true),
  /** As many requests of a user are out as may be at once. */
  CONCURRENCY("the number of requests at once", true),
  /** The service throttled, and did not say why. */
  UNNAMED("a limit that the service did not name", true),
  /** It finds out how much the service takes. */
  START("finding out how much the service takes", false),
  /** The service fails, or what failed waits to be tried again. */
  SERVICE("failures of the service", false),
  /** There is nothing to send yet. */
  INPUT("reading and converting the input", false),
  /** Everything is sent, and the last answers are awaited. */
  END("waiting for the last answers", false);

  private final String words;
  private final boolean perUser;

  LoadLimit(String words, boolean perUser) {
    this.words = words;
    this.perUser = perUser;
  }

  /** What it is called for people, after "limited by". */
  String words() {
    return words;
  }

  /** Whether each application user has such a limit of its own. */
  boolean isPerUser() {
    return perUser;
  }

  /** The limit that a throttle named. */
  static LoadLimit of(Signal.Facet facet) {
    return switch (facet) {
      case EXECUTION_TIME -> EXECUTION_TIME;
      case REQUESTS -> REQUESTS;
      case CONCURRENCY -> CONCURRENCY;
      case UNKNOWN -> UNNAMED;
    };
  }

  /**
   * What keeps one user's lane from sending more just now.
   *
   * @param budget which of a window's limits is nearer, by what requests have cost so far
   * @param throttle the limit that the last throttle named
   * @param most requests at once that the service allows
   */
  static LoadLimit of(
      LaneStatistics lane,
      PoolStatistics pool,
      LoadProgress progress,
      LoadLimit budget,
      LoadLimit throttle,
      int most) {
    if (lane.stopped().isPresent() || lane.circuit() != CircuitState.CLOSED) {
      return SERVICE;
    }
    if (lane.isThrottled()) {
      return throttle;
    }
    if (pool.waiting() == 0) {
      return nothingWaits(progress);
    }
    boolean full = lane.inFlight() >= lane.parallelism();
    if (lane.slowedBy() == SlowedBy.START) {
      return START;
    }
    if (full && (lane.slowedBy() == SlowedBy.NOTHING || lane.parallelism() >= most)) {
      return CONCURRENCY;
    }
    return budget;
  }

  private static LoadLimit nothingWaits(LoadProgress progress) {
    BulkProgress sending = progress.sending();
    if (sending.inFlight() == 0 && !sending.reason().isEmpty()) {
      return SERVICE;
    }
    if (sending.settled() == 0) {
      return START; // the first message goes alone
    }
    boolean allSent =
        progress.left().isPresent()
            && progress.left().getAsLong() <= (long) sending.inFlight() * sending.batchSize();
    return allSent ? END : INPUT;
  }
}
