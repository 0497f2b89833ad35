package dev.sluice.gate.http;

import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import java.util.Optional;

/**
 * Knows what a service's own codes mean; asked before the table of statuses.
 *
 * <p>What it leaves empty is filled in from the answer: quota hints on any signal, and the wait of
 * a throttle. So a dialect of codes says {@code new Throttled(Optional.empty(), facet, code,
 * List.of())} and leaves {@code Retry-After} to the rules. Must be thread-safe; what it throws
 * reaches whoever asked for the reading, because an answer that is not understood must not pass for
 * a success.
 */
@FunctionalInterface
public interface Classifier {

  /** What the answer means; empty if this one does not know. */
  Optional<Signal> classify(Answer answer);

  /**
   * Whom the throttles keep away that it knows; empty to leave it to what the answer says about its
   * wait.
   */
  default Optional<Reach> reach() {
    return Optional.empty();
  }
}
