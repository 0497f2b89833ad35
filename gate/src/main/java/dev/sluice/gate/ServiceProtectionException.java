package dev.sluice.gate;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import java.time.Duration;

/**
 * A request was given up because the service protects itself: its throttle retries ran out, or the
 * wait would be longer than the caller tolerates. The work was not done and may be sent again after
 * {@link #retryAfter}.
 *
 * <p>Also knows the three error codes of Dataverse's service protection limits.
 */
public final class ServiceProtectionException extends RefusedException {
  /** Too many requests in the window: 0x80072322. */
  public static final int REQUESTS = -2147015902;

  /** Too much execution time in the window: 0x80072321. */
  public static final int EXECUTION_TIME = -2147015903;

  /** Too many requests at once: 0x80072326. */
  public static final int CONCURRENCY = -2147015898;

  private final String connection;
  private final int errorCode;
  private final Duration retryAfter;
  private final int attempts;

  /**
   * @param connection the one that was throttled last, or whose hold ends first
   * @param errorCode the service's code; 0 if unknown
   * @param retryAfter how long to stay away; below zero counts as zero
   * @param attempts how often the request was sent; 0 if it never was
   */
  ServiceProtectionException(
      Refusal refusal, String connection, int errorCode, Duration retryAfter, int attempts) {
    super(message(refusal, connection, errorCode, retryAfter, attempts), refusal);
    this.connection = requireNonNull(connection, "connection");
    this.errorCode = errorCode;
    this.retryAfter = retryAfter.isNegative() ? Duration.ZERO : retryAfter;
    this.attempts = attempts;
  }

  /** A hexadecimal error code as the number that it is; 0 for any other code. */
  static int errorCode(String text) {
    return text.matches("0x[0-9a-fA-F]{1,8}") ? Integer.parseUnsignedInt(text.substring(2), 16) : 0;
  }

  /** Whether an error code is one of the three by which Dataverse throttles. */
  public static boolean isServiceProtectionError(int errorCode) {
    return facet(errorCode) != Signal.Facet.UNKNOWN;
  }

  /** Which limit an error code speaks of; unknown if it is not one of the three. */
  public static Signal.Facet facet(int errorCode) {
    return switch (errorCode) {
      case REQUESTS -> Signal.Facet.REQUESTS;
      case EXECUTION_TIME -> Signal.Facet.EXECUTION_TIME;
      case CONCURRENCY -> Signal.Facet.CONCURRENCY;
      default -> Signal.Facet.UNKNOWN;
    };
  }

  /** The connection that was throttled last, or whose hold ends first. */
  public String connection() {
    return connection;
  }

  /** The service's code; 0 if unknown. */
  public int errorCode() {
    return errorCode;
  }

  /** Which limit was hit. */
  public Signal.Facet facet() {
    return facet(errorCode);
  }

  /** How long to stay away; never negative. */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** How often the request was sent; 0 if it never was. */
  public int attempts() {
    return attempts;
  }

  private static String message(
      Refusal refusal, String connection, int code, Duration retryAfter, int attempts) {
    String held = refusal.message() + "; come back then, add lanes, or allow for longer waits";
    if (attempts == 0) {
      return held;
    }
    String throttled =
        "connection %s is throttled%s after %s; "
            .formatted(
                connection, limit(code), attempts == 1 ? "1 attempt" : attempts + " attempts");
    return refusal instanceof Refusal.Held
        ? throttled + held
        : throttled
            + "try again in %s, add lanes, or allow for more waits (maxThrottleRetries)"
                .formatted(Waits.show(retryAfter));
  }

  /** As much of the limit as is known, which of most services is nothing. */
  private static String limit(int code) {
    if (code == 0) {
      return "";
    }
    return isServiceProtectionError(code)
        ? " (facet %s, code 0x%08X)".formatted(facet(code).wireName(), code)
        : " (code 0x%08X)".formatted(code);
  }
}
