package dev.sluice.arena;

import java.util.List;

/** The leagues that there are. */
public final class Leagues {
  private Leagues() {}

  /** All of them, in the order of the report. */
  public static List<League<?>> all() {
    return List.of(new DataverseLeague(), new OpaqueLeague(), new OrdinaryLeague());
  }
}
