package dev.sluice.dataverse.bulk;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.dataverse.message.Messenger;
import dev.sluice.gate.Gate;

/**
 * Writes many records through all lanes of a gate. A message is sent as soon as some identity has a
 * slot and is not held back; records are read as they can be sent, so memory is bounded by what is
 * in flight. Every record ends done, rejected or deferred, whatever happens.
 *
 * <p>Thread-safe: many jobs may share one executor, and with it the identities' limits.
 */
public final class BulkOperationExecutor {
  private final Gate gate;
  private final Messenger messenger;
  private final ResilienceOptions resilience;

  /** An executor over a gate whose lanes are the messenger's identities. */
  public BulkOperationExecutor(Gate gate, Messenger messenger, ResilienceOptions resilience) {
    this.gate = requireNonNull(gate, "gate");
    this.messenger = requireNonNull(messenger, "messenger");
    this.resilience = requireNonNull(resilience, "resilience");
  }

  /** Carries out a job and returns when every record has its outcome. An interrupt cancels it. */
  public BulkResult execute(BulkJob job) {
    return prepare(job).run();
  }

  /** The same, to be watched and cancelled while it runs. */
  public BulkRun prepare(BulkJob job) {
    return new BulkRun(gate, messenger, resilience, job);
  }
}
