package dev.sluice.simulator.provider;

/**
 * What becomes of a request.
 *
 * @param kind what it is in truth
 * @param status what the answer says it is; {@link #NO_ANSWER} if the connection is reset, {@link
 *     #LOST} if none ever comes
 * @param closedFor nanoseconds after which the same request would be admitted, in truth, if nothing
 *     else came; 0 if it was admitted, and if waiting does not help
 * @param retryAfter nanoseconds that the answer says to wait, read as the standard reads it; {@link
 *     #NOTHING_TOLD} if it says nothing that can be read so. Told in lies, it need not be true
 * @param duration nanoseconds until the answer; if the request {@linkplain #runs runs}, {@link
 *     OpaqueService#finish} is due then
 */
public record Verdict(Kind kind, int status, long closedFor, long retryAfter, long duration) {
  /** The answer does not say how long to wait. */
  public static final long NOTHING_TOLD = -1;

  /** In the place of a status: the connection is reset instead of an answer. */
  public static final int NO_ANSWER = 0;

  /** In the place of a status: no answer ever comes; clients give up waiting at some time. */
  public static final int LOST = -1;

  /** Refused for good: waiting does not help, and nothing is told. */
  static Verdict end(Kind kind, int status) {
    return new Verdict(kind, status, 0, NOTHING_TOLD, 0);
  }

  /** Whether the request was served. */
  public boolean admitted() {
    return kind == Kind.ADMITTED;
  }

  /** Whether it runs, served or not: {@link OpaqueService#finish} is due when it ends. */
  public boolean runs() {
    return kind == Kind.ADMITTED || kind == Kind.FAILED;
  }

  /** What a verdict is in truth, whatever its status says. */
  public enum Kind {
    /** Served. */
    ADMITTED,
    /** Let in, and then something went wrong that has nothing to do with limits. */
    FAILED,
    /** Maintenance: nobody is served. */
    UNAVAILABLE,
    /** Too much; later it will do. */
    THROTTLED,
    /** The one object that was asked for is busy; nothing else is wrong. */
    OBJECT_LOCKED,
    /** What was paid for is used up; waiting does not help. */
    CREDIT_SPENT,
    /** The account was thrown out; waiting does not help. */
    SUSPENDED
  }
}
