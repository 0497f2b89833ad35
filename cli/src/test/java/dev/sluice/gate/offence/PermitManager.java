package dev.sluice.gate.offence;

class PermitManager {
  synchronized void manage() {}
}
