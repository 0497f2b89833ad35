package dev.sluice.load;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The ids of the rows that a run creates, derivable again from three numbers: a create that is
 * repeated after a crash has the id that it had.
 *
 * <p>The layout is that of UUID version 7 (RFC 9562): 48 bits of milliseconds, then 74 bits that
 * are ours, 34 of a nonce and 40 of the row's number.
 *
 * <pre>{@code
 * mmmmmmmm-mmmm-7nnn-Vnnn-nnrrrrrrrrrr    V: 2 bits of the variant, 2 of the nonce
 * }</pre>
 *
 * <p>The row's number comes last because SQL Server compares the last six bytes of an id first:
 * rows of one run are neighbours in its index, in their order.
 *
 * @param startMillis when the run started, in milliseconds since 1970; 48 bits
 * @param nonce what tells apart runs that started in the same millisecond; 34 bits
 */
public record RowIds(long startMillis, long nonce) {
  private static final int NONCE_BITS = 34;
  private static final int ROW_BITS = 40;

  /** How many rows a run can have. */
  public static final long MAX_ROWS = 1L << ROW_BITS;

  /** Bits of the nonce that stand after the variant; the others stand after the version. */
  private static final int LOW_NONCE_BITS = 62 - ROW_BITS;

  public RowIds {
    if (startMillis < 0 || startMillis >= 1L << 48) {
      throw new IllegalArgumentException(
          "startMillis is %d, but must lie between 0 and %d (milliseconds since 1970)"
              .formatted(startMillis, (1L << 48) - 1));
    }
    if (nonce < 0 || nonce >= 1L << NONCE_BITS) {
      throw new IllegalArgumentException(
          "nonce is %d, but must lie between 0 and %d (it tells apart runs of one millisecond)"
              .formatted(nonce, (1L << NONCE_BITS) - 1));
    }
  }

  /** Ids for a new run; store both numbers with it. */
  public static RowIds starting(long startMillis, RandomGenerator random) {
    return new RowIds(startMillis, random.nextLong() >>> (Long.SIZE - NONCE_BITS));
  }

  /**
   * The id of a row.
   *
   * @param row its number, from 0 and below {@link #MAX_ROWS}
   */
  public UUID id(long row) {
    if (row < 0 || row >= MAX_ROWS) {
      throw new IllegalArgumentException(
          "row is %d, but must lie between 0 and %d".formatted(row, MAX_ROWS - 1));
    }
    long high = (startMillis << 16) | 0x7000 | (nonce >>> LOW_NONCE_BITS);
    long lowNonce = nonce & ((1L << LOW_NONCE_BITS) - 1);
    return new UUID(high, (1L << 63) | (lowNonce << ROW_BITS) | row);
  }
}
