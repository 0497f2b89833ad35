package dev.sluice.arena;

/** A bout could not be played to its end: an entrant, a world or an oracle threw. */
public final class BoutFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Names the bout, so that it can be played again. */
  public BoutFailedException(String bout, Throwable cause) {
    super("%s failed: %s".formatted(bout, cause), cause);
  }
}
