package dev.sluice.load.mapping;

/** Makes JSON of a text, as one column wants it. For one thread. */
interface Converter {

  /**
   * Writes a value that is not empty.
   *
   * @return false if the column cannot hold it; then what was written is of no use
   */
  boolean write(String value, StringBuilder json);

  /** What would have been right in place of a value that could not be written. */
  String expected(String value);

  /** Whether spaces round a value mean something. */
  default boolean keepsSpaces() {
    return false;
  }
}
