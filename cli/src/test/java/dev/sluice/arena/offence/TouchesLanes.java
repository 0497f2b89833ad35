package dev.sluice.arena.offence;

import dev.sluice.control.lane.Lane;

final class TouchesLanes {
  boolean admits(Lane lane) {
    return lane.admits(0);
  }
}
