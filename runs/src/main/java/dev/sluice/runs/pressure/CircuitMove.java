package dev.sluice.runs.pressure;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import java.time.Duration;
import java.time.Instant;

/**
 * The last move of a lane's circuit, as a store remembers it. Immutable.
 *
 * @param fact what happened; what was left in a run's retry budget is not kept
 * @param at when, on the store's clock
 */
public record CircuitMove(CircuitTransition fact, Instant at) {
  public CircuitMove {
    requireNonNull(fact, "fact");
    requireNonNull(at, "at");
  }

  /** The state since. */
  public CircuitState state() {
    return fact.state();
  }

  /** How long ago it was. */
  Duration age(Instant now) {
    return Duration.between(at, now);
  }
}
