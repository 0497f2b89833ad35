package dev.sluice.simulator.dataverse.error;

import org.jspecify.annotations.Nullable;

/** A request cannot be done; carries what the service says about it. Has no stack trace. */
public final class WebApiException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final @Nullable String rowDetails;

  /** An error with this status, code and message. */
  public WebApiException(int status, String code, String message) {
    this(status, code, message, null);
  }

  /** The same with the outcome of each row, as JSON, for those who ask for annotations. */
  public WebApiException(int status, String code, String message, @Nullable String rowDetails) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.rowDetails = rowDetails;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The error code: hexadecimal, sometimes empty. */
  public String code() {
    return code;
  }

  /** What the service says. */
  public String text() {
    String text = getMessage();
    return text == null ? "" : text;
  }

  /** The outcome of each row, as JSON; null where rows do not succeed by themselves. */
  public @Nullable String rowDetails() {
    return rowDetails;
  }
}
