package dev.sluice.control.parallelism;

import java.time.Duration;

/** A controller on settable time, and the few things that nearly every test does to it. */
final class Rig {
  static final String APP = "app1";
  static final int MAX = 52;

  final SettableTicker time = new SettableTicker();
  final AdaptiveRateController controller;

  Rig() {
    this(AdaptiveRateOptions.DEFAULTS);
  }

  Rig(AdaptiveRateOptions options) {
    controller = new AdaptiveRateController(options, time);
  }

  int level() {
    return controller.parallelism(APP, MAX);
  }

  int level(int max) {
    return controller.parallelism(APP, max);
  }

  void successes(int count) {
    for (int i = 0; i < count; i++) {
      controller.recordSuccess(APP);
    }
  }

  void successes(int count, Duration each) {
    for (int i = 0; i < count; i++) {
      controller.recordSuccess(APP, each);
    }
  }

  void throttle(Duration retryAfter) {
    controller.recordThrottle(APP, retryAfter);
  }

  void throttle() {
    throttle(Duration.ZERO);
  }

  /** Five seconds pass and three batches succeed: what a step up needs by default. */
  int step() {
    time.passSeconds(5);
    successes(3);
    return level();
  }

  AdaptiveRateStatistics statistics() {
    return controller.statistics(APP).orElseThrow();
  }
}
