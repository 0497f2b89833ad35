package dev.sluice.gate.time;

/** Real time keeps the contract; the only tests of this module that a real clock decides. */
class RealTimeTest extends TimeContract {

  @Override
  void in(Scenario scenario) throws Exception {
    scenario.run(Time.real());
  }
}
