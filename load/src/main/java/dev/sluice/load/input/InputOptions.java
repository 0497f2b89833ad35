package dev.sluice.load.input;

import static java.util.Objects.requireNonNull;

import java.nio.charset.Charset;
import java.util.Optional;

/**
 * What somebody said about an input. Immutable.
 *
 * @param format empty to go by the file's name, else by its first character
 * @param delimiter between the cells of a row; empty to find it among comma, semicolon, tab and bar
 * @param encoding of the characters; empty for UTF-8. A byte order mark goes before both
 * @param maxRecord the most characters that a record may have
 */
public record InputOptions(
    Optional<Format> format,
    Optional<Character> delimiter,
    Optional<Charset> encoding,
    int maxRecord) {

  private static final int LEAST_RECORD = 1024;
  private static final int MOST_RECORD = 1 << 29;

  /** Everything is found out; a record has at most 16 Mi characters. */
  public static final InputOptions DEFAULTS =
      new InputOptions(Optional.empty(), Optional.empty(), Optional.empty(), 1 << 24);

  public InputOptions {
    requireNonNull(format, "format");
    requireNonNull(encoding, "encoding");
    if (delimiter.isPresent() && "\"\r\n".indexOf(delimiter.get()) >= 0) {
      throw new IllegalArgumentException(
          "delimiter is a quote or a line end, but must be another character (it stands between"
              + " cells)");
    }
    if (maxRecord < LEAST_RECORD || maxRecord > MOST_RECORD) {
      throw new IllegalArgumentException(
          ("maxRecord is %d, but must lie between %d and %d (the most characters that"
                  + " a record may have)")
              .formatted(maxRecord, LEAST_RECORD, MOST_RECORD));
    }
  }

  public InputOptions withFormat(Format changed) {
    return new InputOptions(Optional.of(changed), delimiter, encoding, maxRecord);
  }

  public InputOptions withDelimiter(char changed) {
    return new InputOptions(format, Optional.of(changed), encoding, maxRecord);
  }

  public InputOptions withEncoding(Charset changed) {
    return new InputOptions(format, delimiter, Optional.of(changed), maxRecord);
  }

  public InputOptions withMaxRecord(int changed) {
    return new InputOptions(format, delimiter, encoding, changed);
  }
}
