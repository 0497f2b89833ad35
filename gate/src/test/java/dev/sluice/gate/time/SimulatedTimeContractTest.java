package dev.sluice.gate.time;

/** Simulated time keeps the contract in whatever order tasks run, and wherever its clock starts. */
class SimulatedTimeContractTest extends TimeContract {
  private static final long[] ORIGINS = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE - 1};

  @Override
  void in(Scenario scenario) {
    for (long seed = 0; seed < 25; seed++) {
      for (long origin : ORIGINS) {
        SimulatedTime.with(seed).origin(origin).run(scenario::run);
      }
    }
  }
}
