package dev.sluice.gate.wire;

import java.io.IOException;

/** An answer came, and is larger than anybody should keep in memory. */
public final class AnswerTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Says how large it may be.
   *
   * @param most in bytes, unpacked
   */
  public AnswerTooLargeException(int most) {
    super("an answer has more than %,d bytes; ask for less at once".formatted(most));
  }
}
