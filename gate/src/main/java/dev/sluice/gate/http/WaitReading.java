package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Optional;

/** What a told wait comes to. No wait in it is ever negative, zero or beyond 31 days. */
public sealed interface WaitReading {

  /** Could not be read. */
  WaitReading MALFORMED = new Unusable(Flag.HINT_MALFORMED);

  /** Zero, negative or past: nothing to wait for. On a throttle this never means "go now". */
  WaitReading STALE = new Unusable(Flag.HINT_STALE);

  /** How long to stay away: exactly as told, or the cooldown; empty if there is no usable wait. */
  Optional<Duration> stayAway();

  /** What to report; empty if nothing was odd. */
  Optional<Flag> flag();

  /** A wait short enough to be waited in place. */
  record Usable(Duration duration) implements WaitReading {
    public Usable {
      requireNonNull(duration, "duration");
    }

    @Override
    public Optional<Duration> stayAway() {
      return Optional.of(duration);
    }

    @Override
    public Optional<Flag> flag() {
      return Optional.empty();
    }
  }

  /** A plausible wait longer than may be waited in place: obeyed in full, never shortened. */
  record TooLong(Duration duration) implements WaitReading {
    public TooLong {
      requireNonNull(duration, "duration");
    }

    @Override
    public Optional<Duration> stayAway() {
      return Optional.of(duration);
    }

    @Override
    public Optional<Flag> flag() {
      return Optional.empty();
    }
  }

  /** No wait to speak of, and why. */
  record Unusable(Flag why) implements WaitReading {
    public Unusable {
      requireNonNull(why, "why");
    }

    @Override
    public Optional<Duration> stayAway() {
      return Optional.empty();
    }

    @Override
    public Optional<Flag> flag() {
      return Optional.of(why);
    }
  }

  /** Too long to be meant; the cooldown stands in for it. */
  record Implausible(Duration cooldown) implements WaitReading {
    public Implausible {
      requireNonNull(cooldown, "cooldown");
    }

    @Override
    public Optional<Duration> stayAway() {
      return Optional.of(cooldown);
    }

    @Override
    public Optional<Flag> flag() {
      return Optional.of(Flag.HINT_IMPLAUSIBLE);
    }
  }
}
