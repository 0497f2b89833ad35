package dev.sluice.runs.pressure;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.learning.Profile;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.HoldCause;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * What a store remembers of a lane: one provider with one credential. Immutable.
 *
 * @param holdUntil the provider's own "not before"; at the epoch if it never said one
 * @param holdCause why; empty if it is not known
 * @param cooldown the rest that it needs besides
 * @param stopped why nothing may be sent until a person acts; empty if it may
 * @param circuit the last move of its circuit; empty if there was none
 * @param proven the rate that it has granted; empty if none was ever seen
 * @param profile what else was learned of it; empty if nothing
 * @param updated when any of this changed last
 */
public record LaneRecord(
    String name,
    Instant holdUntil,
    Optional<HoldCause> holdCause,
    Cooldown cooldown,
    Optional<Signal.Stopped.Reason> stopped,
    Optional<CircuitMove> circuit,
    Optional<ProvenRate> proven,
    Optional<Profile> profile,
    Instant updated) {
  public LaneRecord {
    requireNonNull(name, "name");
    requireNonNull(holdUntil, "holdUntil");
    requireNonNull(holdCause, "holdCause");
    requireNonNull(cooldown, "cooldown");
    requireNonNull(stopped, "stopped");
    requireNonNull(circuit, "circuit");
    requireNonNull(proven, "proven");
    requireNonNull(profile, "profile");
    requireNonNull(updated, "updated");
  }

  /** A lane that nothing is known of yet. */
  public static LaneRecord unknown(String name, Instant now) {
    return new LaneRecord(
        name,
        Instant.EPOCH,
        Optional.empty(),
        Cooldown.NONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        now);
  }

  /**
   * What it is called where its name must not stand, because that tells of an address: the CRC-32
   * of its name.
   */
  public long number() {
    CRC32 sum = new CRC32();
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  /** How long nothing may be sent, for the provider's word or for the cooldown. */
  public Duration held(Instant now) {
    Instant until = holdUntil.isAfter(cooldown.until()) ? holdUntil : cooldown.until();
    return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
  }

  /** Whether a person has to look at it: it is stopped, or waiting was in vain too often. */
  public boolean needsAttention() {
    return stopped.isPresent() || cooldown.needsAttention();
  }
}
