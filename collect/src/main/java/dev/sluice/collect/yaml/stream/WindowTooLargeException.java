package dev.sluice.collect.yaml.stream;

/** A window has more in it than its connector wants to read at once. */
final class WindowTooLargeException extends Exception {
  private static final long serialVersionUID = 1L;

  WindowTooLargeException() {
    super("a smaller window is wanted");
  }
}
