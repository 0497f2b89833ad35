package dev.sluice.runs.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Statements that happen together or not at all. For use inside the work that it was given to, by
 * its thread, and no longer. A statement that fails is the end of it: the work must let the
 * exception pass, since some databases refuse everything after it.
 *
 * <p>Arguments take the places of the question marks: {@code Long}, {@code Integer}, {@code
 * Double}, {@code String}, {@code byte[]}, {@link Instant} (stored as milliseconds since 1970) or
 * null. Statements are understood by SQLite and by PostgreSQL: names on the right of {@code on
 * conflict … do update set} say which table they are of, and results are numbers, texts or bytes,
 * never truth values.
 */
public interface Transaction {

  /**
   * The store's clock, in whole milliseconds: the same for everybody who uses this store. It may
   * stand still within a transaction.
   */
  Instant now();

  /**
   * Changes rows.
   *
   * @return how many
   */
  int update(String sql, @Nullable Object... arguments);

  /**
   * Changes rows by the same statement, once for each of these arguments and in their order: faster
   * than one by one.
   */
  void updateAll(String sql, List<@Nullable Object[]> arguments);

  /**
   * Reads rows, or changes some and reads them ({@code returning}).
   *
   * @param <T> what becomes of a row
   */
  <T> List<T> rows(String sql, Reader<T> reader, @Nullable Object... arguments);

  /**
   * The first row, if there is one.
   *
   * @param <T> what becomes of a row
   */
  default <T> Optional<T> row(String sql, Reader<T> reader, @Nullable Object... arguments) {
    return rows(sql, reader, arguments).stream().findFirst();
  }

  /**
   * Makes something of a row.
   *
   * @param <T> what it makes
   */
  @FunctionalInterface
  interface Reader<T> {
    /** Reads the row; it is gone afterwards. */
    T read(Row row);
  }

  /** One row of a result; columns are counted from 1. */
  interface Row {
    /** A number; 0 if there is none. */
    long number(int column);

    /** A text that is there. */
    String text(int column);

    /** A text, or null. */
    @Nullable String textOrNull(int column);

    /** Bytes; none if there are none. */
    byte[] bytes(int column);

    /** A time that is there. */
    Instant time(int column);

    /** Whether there is nothing in the column. */
    boolean isNull(int column);
  }
}
