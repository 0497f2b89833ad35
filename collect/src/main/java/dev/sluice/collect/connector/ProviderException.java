package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.run.Reason;

/**
 * The provider has answered, and another attempt alone does not help. The message is for people and
 * safe to show: of the address the host alone, no body, no credential.
 */
public final class ProviderException extends Exception {
  private static final long serialVersionUID = 1L;

  /** No status: the answer was a success, but not what was declared. */
  public static final int NO_STATUS = 0;

  private final Reason.Failure reason;
  private final int status;

  /**
   * Says what is wrong.
   *
   * @param status of the answer, or {@link #NO_STATUS}
   */
  public ProviderException(Reason.Failure reason, int status, String message) {
    super(requireNonNull(message, "message"));
    this.reason = requireNonNull(reason, "reason");
    this.status = status;
  }

  /** An answer of another shape than declared. */
  public static ProviderException unexpected(String message) {
    return new ProviderException(Reason.Failure.UNEXPECTED_CONTENT, NO_STATUS, message);
  }

  /** What has to be mended. */
  public Reason.Failure reason() {
    return reason;
  }

  /** The answer's status, or {@link #NO_STATUS}. */
  public int status() {
    return status;
  }
}
