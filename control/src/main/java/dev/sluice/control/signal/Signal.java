package dev.sluice.control.signal;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an answer means, and so who pays for it: the pace, the lane's hold, the circuit, the retry
 * budget. Read from HTTP in one place, settled on a permit exactly once.
 *
 * <p>Quota hints ride on any signal; they may lower the pace or set a not-before, never raise it.
 * Immutable.
 */
public sealed interface Signal {

  /** A success whose duration is the time between the permit's grant and its settlement. */
  Signal SUCCESS = new Success(Success.MEASURED, List.of());

  /** The caller cancelled: says nothing about the service. */
  Signal CANCELLED = new Cancelled();

  /** What the answer said about limits; empty if nothing. */
  List<QuotaHint> quota();

  /** A success with nothing else to report. */
  static Signal success() {
    return SUCCESS;
  }

  /**
   * A success that took {@code duration} from send to answer, waiting excluded.
   *
   * @throws IllegalArgumentException if it is negative
   */
  static Signal success(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("duration is " + duration + ", but must be 0 or more");
    }
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    return new Success(
        duration.compareTo(longest) > 0 ? Long.MAX_VALUE : duration.toNanos(), List.of());
  }

  /** A throttle that says how long to stay away; a wait of zero or less is no usable wait. */
  static Signal throttled(Duration wait) {
    return new Throttled(
        wait.isPositive() ? Optional.of(wait) : Optional.empty(), Facet.UNKNOWN, "", List.of());
  }

  /** A throttle with no usable wait. */
  static Signal throttled() {
    return new Throttled(Optional.empty(), Facet.UNKNOWN, "", List.of());
  }

  /**
   * This side's own connection takes no more requests at once (HTTP/2 streams): nothing was sent.
   * Policies understand it as one request too many at once.
   *
   * @param wait how long to stay away; positive
   */
  static Signal tooManyStreams(Duration wait) {
    return new Throttled(
        Optional.of(wait), Facet.CONCURRENCY, Throttled.TOO_MANY_STREAMS, List.of());
  }

  /** A failure that may pass. */
  static Signal transientFailure(Transient.Kind kind) {
    return new Transient(kind, List.of());
  }

  /** A healthy service speaking about the data or the work. */
  static Signal answered(Answered.Kind kind) {
    return new Answered(kind, List.of());
  }

  /** The item was refused. */
  static Signal rejected(Rejected.Kind kind) {
    return new Rejected(kind, List.of());
  }

  /** A terminal answer: nothing is sent on this lane until a person acts. */
  static Signal stopped(Stopped.Reason reason) {
    return new Stopped(reason, List.of());
  }

  /**
   * The service did what was asked.
   *
   * @param durationNanos send to answer, or {@link #MEASURED}
   */
  record Success(long durationNanos, List<QuotaHint> quota) implements Signal {
    /** The permit measures: from its grant to its settlement. */
    public static final long MEASURED = -1;

    public Success {
      if (durationNanos < MEASURED) {
        throw new IllegalArgumentException(
            "duration is " + durationNanos + " ns, but must be 0 or more, or MEASURED");
      }
      quota = List.copyOf(quota);
    }

    /**
     * How long it took, in nanoseconds: as told, or else as measured. Never negative.
     *
     * @param sentAt when it was sent, in monotonic nanoseconds
     * @param now when it was settled, on the same clock; before {@code sentAt} counts as no time
     */
    public long durationSince(long sentAt, long now) {
      return durationNanos == MEASURED ? Math.max(0, now - sentAt) : durationNanos;
    }
  }

  /**
   * The service asks to slow down.
   *
   * @param retryAfter how long to stay away, always positive; empty if the answer gave no usable
   *     wait
   * @param facet which limit was hit, where the service says so
   * @param code the service's own code, for logs ({@code 0x80072321}); may be empty
   */
  record Throttled(Optional<Duration> retryAfter, Facet facet, String code, List<QuotaHint> quota)
      implements Signal {
    private static final String TOO_MANY_STREAMS = "too_many_streams";

    public Throttled {
      if (retryAfter.isPresent() && !retryAfter.get().isPositive()) {
        throw new IllegalArgumentException(
            "retryAfter is "
                + retryAfter.get()
                + ", but must be positive; leave it empty if it is unusable");
      }
      requireNonNull(facet, "facet");
      requireNonNull(code, "code");
      quota = List.copyOf(quota);
    }

    /** Whether nothing was sent: see {@link Signal#tooManyStreams}. */
    public boolean isNotSent() {
      return code.equals(TOO_MANY_STREAMS);
    }
  }

  /** A healthy service speaking about the data or the work, whatever its status. */
  record Answered(Answered.Kind kind, List<QuotaHint> quota) implements Signal {
    public Answered {
      requireNonNull(kind, "kind");
      quota = List.copyOf(quota);
    }

    /** What it said. */
    public enum Kind implements WireName {
      DEADLOCK,
      SQL_TIMEOUT,
      TABLE_PREPARATION,
      TOO_LARGE;
    }
  }

  /** A failure that may pass: the request may be tried again, within the retry budget. */
  record Transient(Transient.Kind kind, List<QuotaHint> quota) implements Signal {
    public Transient {
      requireNonNull(kind, "kind");
      quota = List.copyOf(quota);
    }

    /**
     * How long the answer asks this request to wait before it is tried again; zero if it does not.
     * Nobody else has to.
     */
    public Duration retryAfter() {
      return quota.stream()
          .filter(hint -> hint.scope().reach() == QuotaHint.Reach.OBJECT)
          .flatMap(hint -> hint.retryAfter().stream())
          .max(Duration::compareTo)
          .orElse(Duration.ZERO);
    }

    /** What failed. */
    public enum Kind implements WireName {
      REQUEST_TIMEOUT,
      SERVER_ERROR,
      /**
       * 503, 509 or 529 without a usable wait: the whole service is short of capacity, or this is
       * how it says that a limit is reached. The only transient kind that lowers the pace.
       */
      UNAVAILABLE,
      /** There was no connection to send on: the service has not seen the request. */
      NOT_SENT,
      TRANSPORT,
      BODY_CUT_OFF,
      UNKNOWN_OUTCOME,
      /** Nobody said what came back: the call threw, or whoever made it forgot to. */
      UNSETTLED;

      /** Whether the service may have done the work although no answer says so. */
      public boolean outcomeUnknown() {
        return this != REQUEST_TIMEOUT && this != NOT_SENT;
      }
    }
  }

  /**
   * The caller cancelled the request or was interrupted after it was sent. The slot is free again;
   * what was spent stays spent, and nothing is learned about the service.
   */
  record Cancelled() implements Signal {
    @Override
    public List<QuotaHint> quota() {
      return List.of();
    }
  }

  /** A terminal answer: the lane stays closed until a person acts. */
  record Stopped(Reason reason, List<QuotaHint> quota) implements Signal {
    public Stopped {
      requireNonNull(reason, "reason");
      quota = List.copyOf(quota);
    }

    /** Why. */
    public enum Reason implements WireName {
      SUSPENDED,
      QUOTA_SPENT,
      AUTH_FAILURE;
    }
  }

  /** The item was refused; the run goes on. */
  record Rejected(Rejected.Kind kind, List<QuotaHint> quota) implements Signal {
    public Rejected {
      requireNonNull(kind, "kind");
      quota = List.copyOf(quota);
    }

    /**
     * Whether the provider looked for what was asked, and it is not there: then no limit is in the
     * way. Of other refusals that cannot be told.
     */
    public boolean isServed() {
      return kind == Kind.NOT_FOUND || kind == Kind.GONE;
    }

    /** Why. */
    public enum Kind implements WireName {
      /** 401: refresh the credential once; refused twice, it is {@link Stopped}. */
      UNAUTHORIZED,
      FORBIDDEN,
      NOT_FOUND,
      GONE,
      INVALID;
    }
  }

  /** Which of a service's limits a throttle speaks of. */
  enum Facet implements WireName {
    REQUESTS,
    EXECUTION_TIME,
    CONCURRENCY,
    UNKNOWN;
  }
}
