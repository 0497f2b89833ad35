package dev.sluice.gate.time;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A task that had not ended when a simulation failed.
 *
 * @param name its name
 * @param waitsFor what it waited for
 * @param place the line of code that waited, as in a stack trace
 */
public record WaitingTask(String name, String waitsFor, String place) {
  private static final int MOST_LISTED = 20;

  @Override
  public String toString() {
    return "task '" + name + "' waits for " + waitsFor + ", at " + place;
  }

  /** One line each, for messages. */
  static String lines(List<WaitingTask> tasks) {
    String listed =
        tasks.stream().limit(MOST_LISTED).map(task -> "\n  " + task).collect(Collectors.joining());
    int more = tasks.size() - MOST_LISTED;
    return more > 0 ? listed + "\n  and " + more + " more" : listed;
  }
}
