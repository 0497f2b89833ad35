package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener, and suffers none. Thread-safe. */
final class Listeners {
  private static final Logger log = LoggerFactory.getLogger(Listeners.class);

  private final List<GateListener> listeners;

  Listeners(List<GateListener> first) {
    this.listeners = new CopyOnWriteArrayList<>(first);
  }

  void add(GateListener listener) {
    listeners.add(requireNonNull(listener, "listener"));
  }

  /** Whether nobody listens, so that events need not be made. */
  boolean isEmpty() {
    return listeners.isEmpty();
  }

  void tellRefused(Run run, Refusal refusal) {
    if (!isEmpty()) {
      tell(new GateEvent.Refused(run.name(), refusal));
    }
  }

  void tellRetried(String lane, Signal signal, int attempts, Duration wait) {
    if (!isEmpty()) {
      String cause = signal instanceof Signal.Throttled ? "throttled" : "transient";
      tell(new GateEvent.Retried(lane, cause, attempts, wait));
    }
  }

  void tell(GateEvent event) {
    for (GateListener listener : listeners) {
      try {
        listener.onEvent(event);
      } catch (Throwable e) { // theirs, not the caller's: the gate goes on
        log.warn("a listener failed on {}", event, e);
      }
    }
  }
}
