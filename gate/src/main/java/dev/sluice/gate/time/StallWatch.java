package dev.sluice.gate.time;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices a simulation that stands still because the task whose turn it is blocks on something
 * real, which nobody will ever bring. It looks from outside, in real time, and speaks once of each
 * turn.
 *
 * <p>A task counts as blocked if it has the same turn at two looks, a whole period apart, and its
 * thread waits at both: however busy the machine is, a task that computes is not taken for one.
 */
final class StallWatch {
  final Duration period;
  private final Consumer<String> report;
  private @Nullable SimulatedTask seen;
  private long seenTurn;
  private boolean told;

  StallWatch(Duration period, Consumer<String> report) {
    this.period = period;
    this.report = report;
  }

  /** Another period is over, and {@code holder} has the turn. */
  void look(SimulatedTask holder) {
    boolean blocked =
        switch (holder.thread.getState()) {
          case WAITING, TIMED_WAITING, BLOCKED -> true;
          case NEW, RUNNABLE, TERMINATED -> false;
        };
    if (!blocked || seen != holder || seenTurn != holder.turns) {
      seen = blocked ? holder : null;
      seenTurn = holder.turns;
      told = false;
    } else if (!told) {
      told = true;
      report.accept(
          "the simulation stands still: task '%s' has blocked on something real for %s, at %s;"
                  .formatted(holder.name(), period, Scheduler.place(holder))
              + " wait with a bell, a sleep or a join of this time instead");
    }
  }
}
