package dev.sluice.load.run;

/** A load that cannot begin; the message says what to do. Nothing was sent. */
public final class LoadException extends Exception {
  private static final long serialVersionUID = 1;

  LoadException(String message) {
    super(message);
  }
}
