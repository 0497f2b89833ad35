package dev.sluice.collect.run;

import java.io.IOException;

/** A request kept failing while the provider served others: it is what was asked for that fails. */
final class FailsAloneException extends IOException {
  private static final long serialVersionUID = 1L;

  FailsAloneException(IOException last) {
    super(last.getMessage(), last);
  }
}
