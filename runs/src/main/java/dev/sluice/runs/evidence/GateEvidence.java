package dev.sluice.runs.evidence;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes down what happens at a gate while a run uses it: its circuits' moves, holds and stops,
 * each durable before the settlement that brought it returns. Which lane it was is not said: its
 * name tells of an address.
 *
 * <p>Thread-safe. It must not be told of a settlement from within work on the store.
 */
public final class GateEvidence implements GateListener {
  /** A hold that is longer by less is the same hold, told to another request in flight. */
  private static final Duration NOTABLE = Duration.ofSeconds(1);

  private final Store store;
  private final Time time;
  private final long run;
  private final Map<String, Long> heldUntil = new ConcurrentHashMap<>();

  /**
   * Evidence for a run.
   *
   * @param time of the gate
   */
  public GateEvidence(Store store, Time time, long run) {
    this.store = store;
    this.time = time;
    this.run = run;
  }

  @Override
  public void onEvent(GateEvent event) {
    switch (event) {
      case GateEvent.CircuitMoved move -> moved(move.transition());
      case GateEvent.LaneStopped stop ->
          append(Evidence.Kind.LANE_STOPPED, Facts.NONE.with(Fact.REASON, stop.reason()));
      case GateEvent.Held hold -> held(hold);
      case GateEvent.Throttled throttled -> {}
      case GateEvent.Paced paced -> {}
      case GateEvent.Slowed slowed -> {}
      case GateEvent.ParallelismChanged changed -> {}
      case GateEvent.Retried retried -> {}
      case GateEvent.Refused refused -> {}
    }
  }

  private void moved(CircuitTransition move) {
    Facts facts =
        Facts.NONE
            .with(Fact.PREVIOUS_STATE, move.previous())
            .with(Fact.STATE, move.state())
            .with(Fact.TRIGGER, move.trigger())
            .with(Fact.REASON, move.reason())
            .with(Fact.ELAPSED_MS, move.elapsed())
            .with(Fact.REQUESTS, move.requests());
    append(
        Evidence.Kind.CIRCUIT_MOVED,
        move.retryTokens().isEmpty()
            ? facts
            : facts.with(Fact.RETRY_TOKENS, (long) move.retryTokens().getAsDouble()));
  }

  private void held(GateEvent.Held hold) {
    long until = time.deadline(hold.remaining());
    Long before = heldUntil.put(hold.lane(), until);
    if (before == null || until - before >= NOTABLE.toNanos()) {
      append(
          Evidence.Kind.LANE_HELD,
          Facts.NONE.with(Fact.HELD_MS, hold.remaining()).with(Fact.REASON, hold.cause()));
    }
  }

  private void append(Evidence.Kind kind, Facts facts) {
    store.write(
        transaction -> {
          EvidenceLog.append(transaction, run, kind, facts);
          return null;
        });
  }
}
