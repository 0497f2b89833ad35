package dev.sluice.runs.journal;

import java.util.List;

/**
 * What a journal knew when it was opened: where to go on. Every row from 0 to {@code highest} is in
 * exactly one of the open compositions, in {@code neverBegun}, or finished. Immutable.
 *
 * @param open compositions that were sent, or about to be, and have no outcome; oldest first
 * @param neverBegun rows up to {@code highest} that must be read again: they were passed over
 * @param highest the highest row that was begun or settled; -1 if there is none
 * @param chain the chain value after that row; 0 if there is none
 * @param done rows that are done
 * @param rejected rows that are rejected
 * @param sidecarLength how much of the sidecar counts; what comes after it must be cut off
 */
public record Resume(
    List<Composition> open,
    RowSet neverBegun,
    long highest,
    long chain,
    long done,
    long rejected,
    long sidecarLength) {

  static final Resume NOTHING = new Resume(List.of(), RowSet.EMPTY, -1, 0, 0, 0, 0);

  public Resume {
    open = List.copyOf(open);
  }

  /** Whether there is nothing to go on from. */
  public boolean isEmpty() {
    return highest < 0;
  }
}
