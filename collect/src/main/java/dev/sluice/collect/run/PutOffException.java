package dev.sluice.collect.run;

import dev.sluice.gate.Refusal;
import java.time.Instant;

/**
 * The provider does not serve one request, or those of one stream, before a time that is further
 * away than the run may wait. Everything else can go on.
 */
final class PutOffException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Instant until;
  private final boolean told;

  private PutOffException(String message, Instant until, boolean told) {
    super(message, null, false, false);
    this.until = until;
    this.told = told;
  }

  /** A call on a stream was postponed. */
  static PutOffException of(String stream, Refusal.Postponed later) {
    if (!later.told()) {
      return standing(stream, later.until());
    }
    return new PutOffException(
        "a request of stream %s is not served before %s".formatted(stream, later.until()),
        later.until(),
        true);
  }

  /** A stream was told so before, and nothing was sent. */
  static PutOffException standing(String stream, Instant until) {
    return new PutOffException(
        "stream %s may not be asked for before %s".formatted(stream, until), until, false);
  }

  /** Whether the provider told it just now, to this very request. */
  boolean isTold() {
    return told;
  }

  /** When it may be asked for. */
  Instant until() {
    return until;
  }
}
