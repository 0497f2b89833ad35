package dev.sluice.gate;

/**
 * Is told what happens at a gate, on the thread that caused it, outside all locks.
 *
 * <p>Must be thread-safe and quick. What it throws is logged and otherwise ignored: a listener
 * cannot disturb the gate.
 */
@FunctionalInterface
public interface GateListener {

  /** Something happened. */
  void onEvent(GateEvent event);
}
