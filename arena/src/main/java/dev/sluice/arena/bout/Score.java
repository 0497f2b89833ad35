package dev.sluice.arena.bout;

/**
 * What came of a bout.
 *
 * @param done requests that were done
 * @param gaps requests that always fail, and were given up
 * @param refused answers by which a limit refused
 * @param failed answers that failed for other reasons, or did not come
 * @param givenUp how often a request was given up that would not always have failed; it joins the
 *     queue again
 * @param nanos when the last answer came, or the job's deadline if it was not done by then
 * @param finished whether the job was done
 * @param longestWait the longest Retry-After seen, in nanoseconds
 * @param pressed requests that were sent while their sender was told to wait and had time to know
 * @param silence the longest time, in nanoseconds, in which nothing was sent though there was work,
 *     nobody had told the client to wait, and no rule of probing explains it; 0 if there was none
 * @param suspended whether the client was thrown out
 * @param waited for what there was work that was not sent
 */
public record Score(
    long done,
    long gaps,
    long refused,
    long failed,
    long givenUp,
    long nanos,
    boolean finished,
    long longestWait,
    long pressed,
    long silence,
    boolean suspended,
    Waited waited) {

  /** Nothing was played. */
  public static final Score NONE = new Score(0, 0, 0, 0, 0, 0, false, 0, 0, 0, false, Waited.NOT);

  /**
   * Nanoseconds in which there was work and it was not sent.
   *
   * @param told because an answer had said to wait
   * @param answers because only an answer could change that: as many were out as the client allows
   * @param own by the client's own decision: its pace, a rest, an open circuit
   */
  public record Waited(long told, long answers, long own) {
    /** Not at all. */
    public static final Waited NOT = new Waited(0, 0, 0);
  }

  /** The share of what was sent that was refused by a limit: 0 to 1. */
  public double throttled() {
    long sent = done + refused + failed;
    return sent == 0 ? 0 : (double) refused / sent;
  }
}
