package dev.sluice.dataverse.wire;

import java.time.Duration;

/**
 * How long to wait for the service. Immutable; each is above 0 and at most an hour.
 *
 * @param connect for a connection
 * @param read for the whole answer to a question
 * @param write for the whole answer to a bulk write, which the service may carry out although
 *     nobody waits for it any longer
 */
public record Timeouts(Duration connect, Duration read, Duration write) {
  private static final Duration LONGEST = Duration.ofHours(1);

  /** 10 s, 30 s and 300 s. */
  public static final Timeouts DEFAULTS =
      new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(300));

  public Timeouts {
    check("connect", connect, "how long to wait for a connection");
    check("read", read, "how long to wait for the answer to a question");
    check("write", write, "how long to wait for the answer to a bulk write");
  }

  private static void check(String option, Duration value, String meaning) {
    if (!value.isPositive() || value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeouts.%s is %s, but must be above 0 and at most %s (%s)"
              .formatted(option, value, LONGEST, meaning));
    }
  }

  /** The same with another time for connections. */
  public Timeouts withConnect(Duration other) {
    return new Timeouts(other, read, write);
  }

  /** The same with another time for questions. */
  public Timeouts withRead(Duration other) {
    return new Timeouts(connect, other, write);
  }

  /** The same with another time for bulk writes. */
  public Timeouts withWrite(Duration other) {
    return new Timeouts(connect, read, other);
  }
}
