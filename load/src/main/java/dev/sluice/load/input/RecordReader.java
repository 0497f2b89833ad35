package dev.sluice.load.input;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of an input one after the other, in memory that does not grow with the input.
 * For one thread.
 */
public interface RecordReader extends AutoCloseable {

  /** How the input is written. */
  Layout layout();

  /**
   * The names of the columns, by position. Those of a CSV file are its header's. JSON Lines start
   * with those of the first object, and the list grows when {@link #next} meets further ones: it is
   * a view.
   */
  List<String> columns();

  /**
   * The next record; null at the end. A record that cannot be used is handed out, too, and says
   * why: {@link RawRecord#rejection()}.
   *
   * @throws BadInputException if the rest of the input cannot be read
   */
  @Nullable RawRecord next() throws IOException;

  /** How many lines there are in what was read of the input so far, records or not. */
  long lines();

  /**
   * A hash over everything up to and including the record that was handed out last: equal chains
   * after equally many records mean an unchanged beginning. It is the same in every process, and
   * speaks of characters, not bytes: an input that was stored in another encoding has the same
   * chain. See {@link Chain} for how it is made.
   */
  long chain();

  @Override
  void close() throws IOException;
}
