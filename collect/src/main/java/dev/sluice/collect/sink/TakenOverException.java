package dev.sluice.collect.sink;

import java.io.IOException;

/** Somebody with a newer lease writes the track now; nothing of this writer's is kept any more. */
public final class TakenOverException extends IOException {
  private static final long serialVersionUID = 1L;

  /** With a message for people. */
  public TakenOverException(String message) {
    super(message);
  }
}
