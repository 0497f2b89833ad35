package dev.sluice.control.routing;

/**
 * The lanes to choose from, as they are at one moment: a read-only view that the gate offers to a
 * {@link SelectionStrategy}, valid during one call only.
 *
 * <p>Indexes run from 0 to {@link #size()} − 1. They, too, are valid during one call only: lanes
 * come and go, so the same index may mean another lane next time.
 */
public interface Candidates {

  /** How many lanes there are. */
  int size();

  /** A lane's name. */
  String name(int index);

  /**
   * Whether a lane could send now: neither held nor open-circuited, with a free slot, and its pace
   * allows it.
   */
  boolean ready(int index);

  /** How many requests a lane has in flight. */
  int inFlight(int index);

  /** How many requests a lane may have in flight. */
  int level(int index);

  /** The number of a lane's last grant in the gate's own count of grants; 0 if it had none. */
  long lastUsed(int index);

  /** The share of its quota that a lane has left, 0 to 1; 1 if unknown. */
  double headroom(int index);
}
