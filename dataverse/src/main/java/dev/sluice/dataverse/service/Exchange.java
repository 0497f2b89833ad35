package dev.sluice.dataverse.service;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.gate.wire.WebAnswer;
import org.jspecify.annotations.Nullable;

/**
 * An answer and what it means.
 *
 * @param answer what came back; an empty 401 if the sign-in service refused the identity, so that
 *     nothing was sent
 * @param fault what went wrong; null if nothing did
 * @param signal what it says to the gate
 */
public record Exchange(WebAnswer answer, @Nullable Fault fault, Signal signal) {
  public Exchange {
    requireNonNull(answer, "answer");
    requireNonNull(signal, "signal");
  }
}
