package dev.sluice.arena.bout;

/**
 * What came of a bout.
 *
 * @param done requests that were accepted
 * @param refused requests that were refused, for whatever reason
 * @param nanos when the last answer came, or the job's deadline if it was not done by then
 * @param finished whether the job was done
 * @param longestWait the longest Retry-After seen, in nanoseconds
 * @param pressed requests that were sent while their sender was told to wait and had time to know
 * @param suspended whether the client was thrown out
 */
public record Score(
    long done,
    long refused,
    long nanos,
    boolean finished,
    long longestWait,
    long pressed,
    boolean suspended) {

  /** The share of what was sent that was refused: 0 to 1. */
  public double throttled() {
    return done + refused == 0 ? 0 : (double) refused / (done + refused);
  }
}
