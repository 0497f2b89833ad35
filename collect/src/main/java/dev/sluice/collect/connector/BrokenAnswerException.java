package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/**
 * An answer arrived whole and cannot be read, as if it had been cut short: asking again may help.
 * The message is for people and safe to show.
 */
public final class BrokenAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with it. */
  public BrokenAnswerException(String message) {
    super(requireNonNull(message, "message"));
  }

  /** What is said when it stayed so. */
  public ProviderException inVain() {
    return ProviderException.unexpected(String.valueOf(getMessage()));
  }
}
