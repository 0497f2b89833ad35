package dev.sluice.control.offence;

import dev.sluice.gate.time.Time;

class UsesTheGate {
  long now = Time.real().nanos();
}
