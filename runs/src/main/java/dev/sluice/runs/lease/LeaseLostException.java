package dev.sluice.runs.lease;

/** Somebody else holds the lease now: nothing was written, and nothing will be. */
public class LeaseLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String lease;
  private final long fence;

  public LeaseLostException(String lease, long fence) {
    super(
        "the lease '%s' is no longer held with number %d: another process has taken over, because"
                .formatted(lease, fence)
            + " this one stood still for too long, or it was given back; nothing was written");
    this.lease = lease;
    this.fence = fence;
  }

  /** The name of the lease. */
  public String lease() {
    return lease;
  }

  /** The fencing number that is too low. */
  public long fence() {
    return fence;
  }
}
