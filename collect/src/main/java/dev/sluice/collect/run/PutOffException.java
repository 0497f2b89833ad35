package dev.sluice.collect.run;

import java.time.Instant;

/**
 * The provider does not serve one request, or those of one stream, before a time that is further
 * away than the run may wait. Everything else can go on.
 */
final class PutOffException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Instant until;

  PutOffException(String what, Instant until) {
    super("%s may not be asked for before %s".formatted(what, until), null, false, false);
    this.until = until;
  }

  /** When it may be asked for. */
  Instant until() {
    return until;
  }
}
