package dev.sluice.simulator.provider;

import java.util.concurrent.TimeUnit;

/** What a refusal says, by the service's signal and in spite of better knowledge. */
final class Manners {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private Manners() {}

  /** The status of a throttle. */
  static int status(ServiceOptions options) {
    for (Misbehaviour misbehaviour : options.misbehaviours()) {
      if (misbehaviour.throttleStatus() != 0) {
        return misbehaviour.throttleStatus();
      }
    }
    return options.signal().status();
  }

  /**
   * The wait that a throttle tells, as the standard reads it; {@link Verdict#NOTHING_TOLD} if none.
   *
   * @param wait how long it really is, in whole seconds
   */
  static long told(ServiceOptions options, long wait) {
    if (options.has(Misbehaviour.RETRY_AFTER_ZERO)) {
      return 0;
    }
    if (!options.signal().tellsWait()) {
      return Verdict.NOTHING_TOLD;
    }
    long told = wait;
    if (options.has(Misbehaviour.RETRY_AFTER_TOO_SHORT)) {
      told = Math.max(SECOND, told / 2 / SECOND * SECOND);
    }
    if (options.has(Misbehaviour.RETRY_AFTER_IN_MILLISECONDS)) {
      told = Math.min(told, Long.MAX_VALUE / 1_000) * 1_000;
    }
    return told;
  }
}
