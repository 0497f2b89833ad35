package dev.sluice.dataverse.bulk;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

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
 * @param reason why some messages are not sent: they failed and wait, in one sentence; empty if
 *     there are none
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
    Map<IdleCause, Duration> idle,
    String reason) {

  /** Why nothing was with the service. */
  public enum IdleCause {
    /** The service told every identity to wait, or its circuit was open. */
    HELD,
    /** No identity was told to wait, but each had spent what it may in this window. */
    PACED,
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

  /**
   * Both jobs together, if this one came after another: counts and times are added, and what speaks
   * of the present is this one's.
   */
  public BulkProgress after(BulkProgress earlier) {
    Duration both = elapsed.plus(earlier.elapsed);
    long settled = done + rejected + earlier.done + earlier.rejected;
    return new BulkProgress(
        done + earlier.done,
        rejected + earlier.rejected,
        deferred + earlier.deferred,
        inFlight,
        batchSize,
        both,
        settled * 1e9 / Math.max(1, both.toNanos()),
        perSecondNow,
        messages + earlier.messages,
        halved + earlier.halved,
        sum(repeated, earlier.repeated, Long::sum),
        sum(throttles, earlier.throttles, Long::sum),
        sum(idle, earlier.idle, Duration::plus),
        reason);
  }

  private static <K, V> Map<K, V> sum(Map<K, V> one, Map<K, V> other, BinaryOperator<V> plus) {
    Map<K, V> both = new HashMap<>(one);
    other.forEach((key, value) -> both.merge(key, value, plus));
    return both;
  }

  /** Records that have their outcome. */
  public long settled() {
    return done + rejected + deferred;
  }
}
