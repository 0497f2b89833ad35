package dev.sluice.load.input;

import dev.sluice.load.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record as it stands in the input: texts by the position of their column. Immutable.
 *
 * <p>It keeps nothing of its reader, and may be held for as long as it is on its way.
 */
public final class RawRecord {
  private final long index;
  private final long line;
  private final @Nullable String[] values;
  private final @Nullable String source;
  private final @Nullable Rejection rejection;

  RawRecord(
      long index,
      long line,
      @Nullable String[] values,
      @Nullable String source,
      @Nullable Rejection rejection) {
    this.index = index;
    this.line = line;
    this.values = values;
    this.source = source;
    this.rejection = rejection;
  }

  /** Its place among the records of the input, from 0; those with a rejection count, too. */
  public long index() {
    return index;
  }

  /** The line on which it starts, from 1. */
  public long line() {
    return line;
  }

  /** How many values it has; of a ragged row more or fewer than there are columns. */
  public int size() {
    return values.length;
  }

  /**
   * The value at a position.
   *
   * @return empty for an empty cell and for a JSON {@code null}; null if there is no such cell or
   *     member
   */
  public @Nullable String value(int position) {
    return position < values.length ? values[position] : null;
  }

  /** The line as it was, for JSON Lines; null for CSV, and for a line that was too long. */
  public @Nullable String source() {
    return source;
  }

  /** Why it cannot be used; null if it can. */
  public @Nullable Rejection rejection() {
    return rejection;
  }
}
