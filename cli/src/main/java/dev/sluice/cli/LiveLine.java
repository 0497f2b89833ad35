package dev.sluice.cli;

import dev.sluice.gate.time.Time;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A line about work under way, until it ends: written over on a terminal, a line every ten seconds
 * elsewhere.
 */
final class LiveLine {
  private static final Duration ON_TERMINAL = Duration.ofMillis(250);
  private static final Duration ELSEWHERE = Duration.ofSeconds(10);

  private final PrintWriter err;
  private final boolean terminal;
  private final Time time;
  private final Supplier<Optional<String>> line;
  private final Time.Bell over;
  private final Time.Task task;
  private int width;

  /**
   * Begins to show.
   *
   * @param line what there is to say; empty as long as there is nothing
   */
  LiveLine(PrintWriter err, boolean terminal, Time time, Supplier<Optional<String>> line) {
    this.err = err;
    this.terminal = terminal;
    this.time = time;
    this.line = line;
    this.over = time.bell();
    this.task = time.start("progress", this::show);
  }

  /** Whether standard error is a terminal: the launcher looks, because Java 21 cannot tell. */
  static boolean onTerminal() {
    return Boolean.getBoolean("sluice.terminal");
  }

  /** How many columns the terminal has: the launcher looks, too. 80 if it could not tell. */
  static int columns() {
    int told = Integer.getInteger("sluice.columns", 0);
    return told < 20 ? 80 : told;
  }

  private void show() {
    try {
      while (!over.await(time.deadline(terminal ? ON_TERMINAL : ELSEWHERE))) {
        line.get().ifPresent(this::print);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no more lines
    }
  }

  private void print(String whole) {
    if (terminal) {
      // A line that wraps could not be written over.
      String text = whole.length() < columns() ? whole : whole.substring(0, columns() - 1);
      String padded = text + " ".repeat(Math.max(0, width - text.length()));
      width = text.length();
      err.print("\r" + padded);
    } else {
      err.println(whole);
    }
    err.flush();
  }

  /** The work is over; the last line stays. */
  void end() throws InterruptedException {
    over.ring();
    task.join();
    if (terminal && width > 0) {
      err.println();
      err.flush();
    }
  }
}
