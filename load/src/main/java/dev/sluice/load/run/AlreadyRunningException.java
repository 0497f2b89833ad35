package dev.sluice.load.run;

/** Another process is at the same load; the message says which, and since when. */
public final class AlreadyRunningException extends RuntimeException {
  private static final long serialVersionUID = 1;

  AlreadyRunningException(String message) {
    super(message);
  }
}
