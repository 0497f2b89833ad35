package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What an answer means, and what was odd about it. Immutable.
 *
 * @param signal what the permit is settled with
 * @param flags what to report; iterates in the order of {@link Flag}
 */
public record Reading(Signal signal, Set<Flag> flags) {
  static final Reading SUCCESS = new Reading(Signal.SUCCESS, Set.of());

  public Reading {
    requireNonNull(signal, "signal");
    flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
  }
}
