package dev.sluice.load.run;

import dev.sluice.dataverse.message.RecordKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * On which line of an input each alternate key stood first, for messages. Eight bytes per key: 36
 * bits of its hash and 28 of its line, in sorted blocks. Beyond a fifth of the memory nothing more
 * is kept. Thread-safe.
 */
final class FirstLines {
  private static final int BLOCK = 1 << 16;
  private static final int LINE_BITS = 28;
  private static final long MOST_LINES = (1L << LINE_BITS) - 1;

  private final long most = Runtime.getRuntime().maxMemory() / 5 / Long.BYTES / BLOCK;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<long[]> blocks = new ArrayList<>();
  private long[] last = new long[0];
  private int filled;

  /** Notes the keys of a record; to be called in the order of the input. */
  void add(List<RecordKey.Alternate> keys, long line) {
    lock.lock();
    try {
      for (RecordKey.Alternate key : keys) {
        if (line <= MOST_LINES && blocks.size() < most) {
          add(hash(key) | line);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(long word) {
    if (filled == last.length) {
      last = Arrays.copyOf(last, Math.clamp(2L * filled, 64, BLOCK));
    }
    last[filled++] = word;
    if (filled == BLOCK) {
      Arrays.sort(last);
      blocks.add(last);
      last = new long[0];
      filled = 0;
    }
  }

  /** The first line that has one of the keys of a later one; empty if there is none. */
  OptionalLong before(List<RecordKey.Alternate> keys, long line) {
    lock.lock();
    try {
      return keys.stream().mapToLong(key -> first(hash(key))).filter(first -> first < line).min();
    } finally {
      lock.unlock();
    }
  }

  private long first(long hash) {
    for (long[] block : blocks) {
      int found = Arrays.binarySearch(block, hash);
      int at = found < 0 ? -found - 1 : found;
      if (at < BLOCK && (block[at] & ~MOST_LINES) == hash) {
        return block[at] & MOST_LINES;
      }
    }
    for (int i = 0; i < filled; i++) {
      if ((last[i] & ~MOST_LINES) == hash) {
        return last[i] & MOST_LINES;
      }
    }
    return Long.MAX_VALUE;
  }

  /** In the upper bits. */
  private static long hash(RecordKey.Alternate key) {
    String folded = key.folded();
    long hash = 0;
    for (int i = 0; i < folded.length(); i++) {
      hash = (hash ^ folded.charAt(i)) * 0x9E3779B97F4A7C15L; // 2^64 / golden ratio, odd
      hash ^= hash >>> 29;
    }
    return hash << LINE_BITS;
  }
}
