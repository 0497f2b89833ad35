package dev.sluice.gate.time;

import java.util.random.RandomGenerator;

/**
 * SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), written out so that a seed means the same order
 * on every JDK: the library's own generators do not promise their sequence.
 *
 * <p>Not thread-safe; each task has its own.
 */
final class SplitMix implements RandomGenerator {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  /** The generator number {@code stream} of a seed; streams do not overlap in practice. */
  SplitMix(long seed, long stream) {
    this.state = mix(mix(seed) + stream);
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** A number from 0 to below {@code bound}; its bias of bound / 2^64 does not matter here. */
  int below(int bound) {
    return (int) Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  /** Spreads every bit of {@code z} over the whole word. */
  static long mix(long z) {
    long once = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long twice = (once ^ (once >>> 27)) * 0x94d049bb133111ebL;
    return twice ^ (twice >>> 31);
  }
}
