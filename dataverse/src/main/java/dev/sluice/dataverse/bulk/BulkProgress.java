package dev.sluice.dataverse.bulk;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Map;

/**
 * Where a job stands: one consistent moment. Immutable.
 *
 * @param done records that are in
 * @param rejected records that the service does not take
 * @param deferred records given back when the job ended
 * @param inFlight messages that are with the service
 * @param batchSize records of the next message
 * @param elapsed since the job began
 * @param perSecond records settled per second, over all of it
 * @param perSecondNow the same over the last 30 s
 * @param messages sent, repeats and look-ups included
 * @param halved messages that were sent again in halves
 * @param repeated messages that were sent again as they were, by what had happened
 * @param throttles throttled messages by the limit that was hit
 * @param idle how long nothing was with the service, by cause
 */
public record BulkProgress(
    long done,
    long rejected,
    long deferred,
    int inFlight,
    int batchSize,
    Duration elapsed,
    double perSecond,
    double perSecondNow,
    long messages,
    long halved,
    Map<String, Long> repeated,
    Map<Signal.Facet, Long> throttles,
    Map<IdleCause, Duration> idle) {

  /** Why nothing was with the service. */
  public enum IdleCause {
    /** Every identity was told to wait, or paced. */
    HELD,
    /** What failed was waiting to be tried again. */
    BACKOFF,
    /** There was nothing to send yet: reading, converting, writing down. */
    INPUT
  }

  public BulkProgress {
    repeated = Map.copyOf(repeated);
    throttles = Map.copyOf(throttles);
    idle = Map.copyOf(idle);
  }

  /** Records that have their outcome. */
  public long settled() {
    return done + rejected + deferred;
  }
}
