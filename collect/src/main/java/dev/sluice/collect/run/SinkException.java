package dev.sluice.collect.run;

import java.io.IOException;

/** A record could not be kept: not the provider's fault. */
final class SinkException extends IOException {
  private static final long serialVersionUID = 1L;

  SinkException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
