package dev.sluice.runs.lease;

import java.time.Instant;

/** What became of the wish for a lease. Immutable. */
public sealed interface Claim {

  /**
   * It is ours.
   *
   * @param lease to be closed
   */
  record Taken(Lease lease) implements Claim {}

  /**
   * Somebody else has it.
   *
   * @param name what is leased
   * @param holder who has it
   * @param since when it was taken
   * @param until when it expires, unless it is renewed before
   */
  record Held(String name, Holder holder, Instant since, Instant until) implements Claim {
    /** For people. */
    public String message() {
      return "'%s' is being worked on by %s since %s; if that process is gone, this can start at %s"
          .formatted(name, holder, since, until);
    }
  }
}
