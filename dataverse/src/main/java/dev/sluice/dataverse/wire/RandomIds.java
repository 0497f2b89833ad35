package dev.sluice.dataverse.wire;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Ids by chance: version 4 of RFC 9562. */
public final class RandomIds {
  private RandomIds() {}

  /** The generator's next. */
  public static UUID next(RandomGenerator random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low);
  }
}
