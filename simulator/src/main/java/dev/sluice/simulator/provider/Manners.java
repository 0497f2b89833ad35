package dev.sluice.simulator.provider;

import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_IN_BODY;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_IN_MILLISECONDS;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_IN_WORDS;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_NEGATIVE;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_TOO_SHORT;
import static dev.sluice.simulator.provider.Misbehaviour.RETRY_AFTER_ZERO;

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
    if (options.has(RETRY_AFTER_ZERO)) {
      return 0;
    }
    if (!options.signal().tellsWait()
        || options.has(RETRY_AFTER_NEGATIVE)
        || options.has(RETRY_AFTER_IN_WORDS)
        || options.has(RETRY_AFTER_IN_BODY)) {
      return Verdict.NOTHING_TOLD;
    }
    long told = wait;
    if (options.has(RETRY_AFTER_TOO_SHORT)) {
      told = Math.max(SECOND, told / 2 / SECOND * SECOND);
    }
    if (options.has(RETRY_AFTER_IN_MILLISECONDS)) {
      told = Math.min(told, Long.MAX_VALUE / 4_000) * 1_000;
    }
    return told;
  }
}
