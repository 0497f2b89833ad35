package dev.sluice.dataverse.service;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.fault.Fault;
import java.io.IOException;

/** The service answered that something went wrong; {@link #fault()} says what. */
public final class FaultException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  /** For this fault of a request, named by its method and where it went. */
  public FaultException(String request, Fault fault) {
    super(
        "%s: %s (%s)"
            .formatted(request, (fault.code() + " " + fault.message()).strip(), fault.wireName()));
    this.fault = requireNonNull(fault, "fault");
  }

  /** What went wrong. */
  public Fault fault() {
    return fault;
  }
}
