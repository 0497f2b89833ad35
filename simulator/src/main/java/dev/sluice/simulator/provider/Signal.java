package dev.sluice.simulator.provider;

/** How a service lets it be known that it has had enough. */
public enum Signal {
  /** 429 with a Retry-After in whole seconds, never too short. */
  RETRY_AFTER(429, true),
  /** 429 and nothing else. */
  BARE_429(429, false),
  /** 503 and nothing else, as if something had broken. */
  BARE_503(503, false),
  /** 503 with a Retry-After. */
  RETRY_AFTER_503(503, true),
  /**
   * None: what exceeds the limit is answered late, when the limit has room for it, in turn; a
   * minute's queue is the longest, and then follows a 503.
   */
  SLOW_DOWN(503, false);

  private final int status;
  private final boolean tellsWait;

  Signal(int status, boolean tellsWait) {
    this.status = status;
    this.tellsWait = tellsWait;
  }

  /** The status of a refusal. */
  public int status() {
    return status;
  }

  /** Whether a refusal says how long to stay away. */
  public boolean tellsWait() {
    return tellsWait;
  }
}
