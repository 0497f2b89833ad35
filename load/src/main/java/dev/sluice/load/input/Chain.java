package dev.sluice.load.input;

/**
 * The running hash of a reader: 64 bits, four characters at a step, of which each is
 *
 * <pre>{@code
 * state = (state ^ word) * MULTIPLIER;  state ^= state >>> 29
 * }</pre>
 *
 * <p>A text's words are its length and then its characters, four at a time, zero-filled; a record
 * ends with a word of its own. A step is reversible in the state and in the word, so a change
 * within one word is always noticed; any other change slips through once in 2^64. It guards against
 * accidents, not against forgery.
 */
final class Chain {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L; // 2^64 / golden ratio, odd
  private static final long START = 0x243F6A8885A308D3L; // pi's fraction
  private static final long RECORD_END = -1;

  private long state = START;

  void text(char[] buffer, int offset, int length) {
    long hash = step(state, length);
    int whole = offset + (length & ~3);
    int i = offset;
    for (; i < whole; i += 4) {
      hash =
          step(
              hash,
              buffer[i]
                  | ((long) buffer[i + 1] << 16)
                  | ((long) buffer[i + 2] << 32)
                  | ((long) buffer[i + 3] << 48));
    }
    if (i < offset + length) {
      long word = 0;
      for (int shift = 0; i < offset + length; i++, shift += 16) {
        word |= (long) buffer[i] << shift;
      }
      hash = step(hash, word);
    }
    state = hash;
  }

  void endRecord() {
    state = step(state, RECORD_END);
  }

  long value() {
    return state;
  }

  private static long step(long state, long word) {
    long mixed = (state ^ word) * MULTIPLIER;
    return mixed ^ (mixed >>> 29);
  }
}
