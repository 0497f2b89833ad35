package dev.sluice.gate;

import java.util.ArrayList;
import java.util.List;

/** What a change at the gate leaves to be done once its lock is released. */
final class Turn {
  final List<Waiter> answered = new ArrayList<>();
  final List<GateEvent> events = new ArrayList<>();
  Dispatcher.Action action = Dispatcher.Action.NONE;
}
