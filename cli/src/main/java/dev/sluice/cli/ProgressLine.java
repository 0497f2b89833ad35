package dev.sluice.cli;

import dev.sluice.arena.Progress;
import java.io.PrintWriter;
import java.time.Duration;

/** Says on standard error how far it is: at first often, then every ten seconds. */
final class ProgressLine implements Progress {
  private static final long EVERY_SECONDS = 10;

  private final PrintWriter err;
  private final String what;
  private long nextAt;

  ProgressLine(PrintWriter err, String what) {
    this.err = err;
    this.what = what;
  }

  @Override
  public void soFar(int done, int all, Duration elapsed, Duration left) {
    if (elapsed.toSeconds() < nextAt && done < all) {
      return;
    }
    nextAt = elapsed.toSeconds() + (elapsed.toSeconds() < EVERY_SECONDS ? 2 : EVERY_SECONDS);
    err.printf(
        "%d of %d %s after %s%s%n",
        done,
        all,
        what,
        words(elapsed),
        done == all ? "" : left.isNegative() ? "" : ", about %s to go".formatted(words(left)));
    err.flush();
  }

  private static String words(Duration time) {
    return time.toMinutes() == 0
        ? time.toSeconds() + " s"
        : "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart());
  }
}
