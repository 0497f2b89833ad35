package dev.sluice.load;

import static java.util.Objects.requireNonNull;

import java.util.Locale;

/**
 * Why a record is turned away before it is sent. Immutable.
 *
 * @param reason the kind of mistake
 * @param message for people: line, column, value, and what was expected
 */
public record Rejection(Reason reason, String message) {
  /** The column of a reject file that tells the kind of mistake; ignored when it is loaded. */
  public static final String ERROR_CODE = "error_code";

  /** The column of a reject file that tells people what is wrong; ignored when it is loaded. */
  public static final String ERROR_MESSAGE = "error_message";

  /**
   * The member of a line in a reject file that holds what was no object. As long as it is there the
   * line is not corrected, and is turned away again.
   */
  public static final String ERROR_SOURCE = "error_source";

  /** The kinds of mistakes; their wire names are what {@code error_code} shows. */
  public enum Reason {
    /** A row with more or fewer cells than the header has. */
    RAGGED_ROW,
    /** A line that is not one JSON object. */
    NOT_AN_OBJECT,
    /** A record that is larger than the limit. */
    TOO_LARGE,
    /** A row without any value. */
    EMPTY_ROW,
    /** A member that no column was found for; only where columns are not known beforehand. */
    UNKNOWN_COLUMN,
    /** A value that its column cannot hold. */
    BAD_VALUE,
    /** A row that does not say which row of the table it means. */
    NO_KEY,
    /** A look-up to a row of the same file that the file does not have. The row itself is in. */
    LOOKUP_UNKNOWN,
    /** A look-up to a row of the same file that was rejected. The row itself is in. */
    LOOKUP_REJECTED,
    /** A look-up to one of several rows of the same file. The row itself is in. */
    LOOKUP_AMBIGUOUS;

    /** As it stands in files: {@code ragged-row}. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Rejection {
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
  }
}
