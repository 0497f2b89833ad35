package dev.sluice.load.run;

import java.io.IOException;

/** An input is no longer what it was when its load began; the message says what to do. */
final class ChangedInputException extends IOException {
  private static final long serialVersionUID = 1;

  ChangedInputException(String message) {
    super(message);
  }
}
