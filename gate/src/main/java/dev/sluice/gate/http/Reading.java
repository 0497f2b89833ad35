package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What an answer means, and what was odd about it. Immutable.
 *
 * @param signal what the permit is settled with
 * @param flags what to report; iterates in the order of {@link Flag}
 * @param reach whom a throttle keeps away: the whole provider unless something says otherwise, and
 *     on every answer that is none
 */
public record Reading(Signal signal, Set<Flag> flags, Reach reach) {
  static final Reading SUCCESS = new Reading(Signal.SUCCESS, Set.of(), Reach.PROVIDER);

  public Reading {
    requireNonNull(signal, "signal");
    requireNonNull(reach, "reach");
    flags = flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags));
  }
}
