package dev.sluice.simulator.dataverse;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** Ids by a given chance. */
final class Chance {
  private Chance() {}

  /** An id like a random one: version 4, and the usual variant. */
  static UUID uuid(RandomGenerator random) {
    return new UUID(
        (random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() & ~(3L << 62)) | (1L << 63));
  }
}
