package dev.sluice.runs.pressure;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.run.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a provider under pressure is left alone, across runs. Immutable: every event gives the
 * next state.
 *
 * <p>An episode of pressure arms it once, for a time that doubles with every episode in a row; the
 * first success after that time ends the row. Only pressure can arm it: what a run had planned is
 * of another type, and does not fit in.
 *
 * @param reason what armed it; empty if nothing did
 * @param lastPressure when the answer came that armed it; at the epoch if nothing did
 * @param until when it ends; at the epoch if nothing armed it
 * @param consecutive how many episodes in a row armed it; at least 0
 */
public record Cooldown(
    Optional<Reason.Pressure> reason, Instant lastPressure, Instant until, int consecutive) {
  /** Nothing has armed it, or a success has ended it. */
  public static final Cooldown NONE =
      new Cooldown(Optional.empty(), Instant.EPOCH, Instant.EPOCH, 0);

  /** How long it lasts at first. */
  public static final Duration FIRST = Duration.ofSeconds(60);

  /** How long it lasts at most, unless the provider asks for more. */
  public static final Duration LONGEST = Duration.ofHours(6);

  /** After so many episodes in a row a person should look at it. */
  public static final int FRUITLESS = 12;

  /** Twice as often and the shift would reach the sign; the longest is reached long before. */
  private static final int MOST_DOUBLINGS = 30;

  public Cooldown {
    requireNonNull(reason, "reason");
    requireNonNull(lastPressure, "lastPressure");
    requireNonNull(until, "until");
    if (consecutive < 0) {
      throw new IllegalArgumentException(
          "consecutive is " + consecutive + ", but must be 0 or more (episodes in a row)");
    }
  }

  /**
   * A run defers because of an answer that it received itself. An answer that came before this
   * cooldown ended belongs to the episode that armed it, and changes nothing.
   *
   * @param pressure why the run defers
   * @param answered when the answer came
   * @param notBefore when the provider said that it may be asked again, if it did
   */
  public Cooldown armed(Reason.Pressure pressure, Instant answered, Optional<Instant> notBefore) {
    if (consecutive > 0 && answered.isBefore(until)) {
      return this;
    }
    Duration doubled = FIRST.multipliedBy(1L << Math.min(consecutive, MOST_DOUBLINGS));
    Instant own = answered.plus(doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled);
    return new Cooldown(
        Optional.of(pressure),
        answered,
        notBefore.filter(own::isBefore).orElse(own),
        Math.addExact(consecutive, 1));
  }

  /**
   * A success came. One that came before the end was under way already, and says nothing about the
   * rest that the provider needs.
   *
   * @param answered when it came
   */
  public Cooldown succeeded(Instant answered) {
    return answered.isBefore(until) ? this : NONE;
  }

  /**
   * A person goes on in spite of it. It ends now; should the provider still be under pressure, the
   * next one is as long as if it had been kept.
   */
  public Cooldown overridden(Instant now) {
    return stands(now) ? new Cooldown(reason, lastPressure, now, consecutive) : this;
  }

  /** Whether nothing may be sent now. */
  public boolean stands(Instant now) {
    return now.isBefore(until);
  }

  /** How long nothing may be sent; zero if something may. */
  public Duration remaining(Instant now) {
    return stands(now) ? Duration.between(now, until) : Duration.ZERO;
  }

  /** Whether waiting was in vain so often that a person should look at it. */
  public boolean needsAttention() {
    return consecutive >= FRUITLESS;
  }
}
