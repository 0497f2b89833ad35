package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every listener, and suffers none. Thread-safe. */
final class Listeners {
  private static final Logger log = LoggerFactory.getLogger(Gate.class);

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
