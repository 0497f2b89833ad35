package dev.sluice.runs.bookmark;

import dev.sluice.control.signal.WireName;

/** Which end of a stream is worked on. The two have bookmarks of their own and never meet. */
public enum Mode implements WireName {
  /** What was there before: from a beginning up to a horizon, once. */
  CATCH_UP,
  /** What comes: from the horizon on, for ever. */
  STEADY;

  /** The one of this wire name. */
  public static Mode named(String wireName) {
    return wireName.equals(STEADY.wireName()) ? STEADY : CATCH_UP;
  }
}
