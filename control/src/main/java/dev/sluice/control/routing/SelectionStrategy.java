package dev.sluice.control.routing;

/**
 * Chooses the lane that a request goes through.
 *
 * <p>A strategy answers from what it is shown, reads no clock and allocates nothing. A gate has one
 * of its own and asks it under its lock, so it need not be thread-safe and may remember its last
 * choice. A choice is usually followed by a grant, but not if the run's budget refuses it: what was
 * granted is known from {@link Candidates#lastUsed} alone.
 */
@FunctionalInterface
public interface SelectionStrategy {

  /** There is no such lane. */
  int NONE = -1;

  /**
   * The index of the lane to use now; {@link #NONE} if none is ready.
   *
   * @param now in monotonic nanoseconds
   */
  int select(Candidates candidates, long now);
}
