package dev.sluice.arena.contender;

import com.netflix.concurrency.limits.limit.AbstractLimit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import java.util.random.RandomGenerator;

/**
 * A transcription of {@link VegasLimit} 0.5.4 with its defaults, because the library draws the time
 * of its probes from the thread's own chance, which cannot be given. A test plays both with the
 * same draws and compares every limit.
 *
 * <p>The queue is estimated as {@code ceil(limit * (1 - fastest / roundTrip))}. With {@code l =
 * max(1, floor(log10(limit)))}, a queue of at most {@code l} raises the limit by {@code 6 l}, one
 * below {@code 3 l} by {@code l}; one above {@code 6 l}, or a drop, lowers it by {@code l}. Every
 * {@code 30 * limit} answers, less up to half of it by chance, the fastest round trip is forgotten.
 */
final class SeededVegas extends AbstractLimit {
  static final int INITIAL = 20;
  static final int PROBE_EVERY = 30;

  private final int max;
  private final RandomGenerator chance;
  private double estimate = INITIAL;
  private long fastest;
  private int sinceProbe;
  private double jitter;

  /**
   * A limit at its start.
   *
   * @param max the highest limit
   * @param chance when to probe
   */
  SeededVegas(int max, RandomGenerator chance) {
    super(INITIAL);
    this.max = max;
    this.chance = chance;
    this.jitter = draw();
  }

  @Override
  protected int _update(long startTime, long roundTrip, int inFlight, boolean dropped) {
    sinceProbe++;
    boolean probe = sinceProbe >= jitter * PROBE_EVERY * estimate;
    if (probe) {
      jitter = draw();
      sinceProbe = 0;
    }
    if (probe || fastest == 0 || roundTrip < fastest) {
      fastest = roundTrip;
    } else {
      estimate = Math.clamp(estimate + step(roundTrip, inFlight, dropped), 1, max);
    }
    return (int) estimate;
  }

  private int step(long roundTrip, int inFlight, boolean dropped) {
    int unit = unit((int) estimate);
    if (dropped) {
      return -unit;
    }
    if (inFlight * 2 < estimate) {
      return 0; // too little in use to say anything
    }
    int queue = (int) Math.ceil(estimate * (1 - (double) fastest / roundTrip));
    if (queue <= unit) {
      return 6 * unit;
    }
    if (queue < 3 * unit) {
      return unit;
    }
    return queue > 6 * unit ? -unit : 0;
  }

  /** {@code max(1, floor(log10(limit)))}, without a logarithm that could differ by machine. */
  private static int unit(int limit) {
    return limit >= 1000 ? 3 : limit >= 100 ? 2 : 1;
  }

  private double draw() {
    return chance.nextDouble(0.5, 1);
  }
}
