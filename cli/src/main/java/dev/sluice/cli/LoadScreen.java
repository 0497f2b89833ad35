package dev.sluice.cli;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.gate.Gate;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.gate.time.Time;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.run.DryRun;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadException;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.load.run.LoadResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What people see of a load: a line that is written over while it runs on a terminal, a line every
 * ten seconds elsewhere, and a summary at the end.
 */
final class LoadScreen {
  private final Load load;
  private final Gate gate;
  private final PrintWriter err;
  private final boolean terminal;
  private final Time time;

  /** Shows a load through a gate. */
  LoadScreen(Load load, Gate gate, PrintWriter err, boolean terminal, Time time) {
    this.load = load;
    this.gate = gate;
    this.err = err;
    this.terminal = terminal;
    this.time = time;
  }

  /** Carries the load out and shows how far it is. */
  LoadResult run(InputStream standardInput)
      throws LoadException, MappingException, IOException, InterruptedException {
    LiveLine shown =
        new LiveLine(
            err,
            terminal,
            time,
            () -> load.progress().map(progress -> line(progress, gate.statistics())));
    try {
      return load.run(standardInput);
    } finally {
      shown.end();
    }
  }

  /** The input is read ahead of what is sent: of what was read, only what is through counts. */
  private static double settledShare(LoadProgress progress) {
    long through = progress.done() + progress.rejected() + progress.lookups().waiting();
    return progress.read() == 0
        ? Double.NaN
        : progress.share() * Math.min(1, through / (double) progress.read());
  }

  /** Everything that matters, on one line. */
  static String line(LoadProgress progress, PoolStatistics pool) {
    BulkProgress sending = progress.sending();
    StringJoiner line = new StringJoiner(" · ");
    line.add("%,d done".formatted(progress.done()));
    if (progress.rejected() > 0) {
      line.add("%,d rejected".formatted(progress.rejected()));
    }
    if (progress.lookups().waiting() > 0) {
      line.add("%,d wait for look-ups".formatted(progress.lookups().waiting()));
    }
    line.add("%,.0f rows/s (%,.0f overall)".formatted(sending.perSecondNow(), sending.perSecond()));
    line.add("%d in flight × %d rows".formatted(sending.inFlight(), sending.batchSize()));
    line.add("parallelism " + pool.lanes().stream().mapToInt(LaneStatistics::parallelism).sum());
    if (pool.throttledConnections() > 0) {
      line.add(
          "%d of %d users throttled"
              .formatted(pool.throttledConnections(), pool.totalConnections()));
    }
    double share = settledShare(progress);
    if (share > 0.001 && share <= 1) {
      double left = sending.elapsed().toMillis() * (1 - share) / share;
      line.add(share < 1 ? "about %s to go".formatted(Times.span((long) left)) : "nearly there");
    }
    String reason = sending.reason().isEmpty() ? pool.reason() : sending.reason();
    if (!reason.isEmpty()) {
      line.add(reason);
    }
    return line.toString();
  }

  /** The end, for people. */
  static void summary(PrintWriter out, LoadResult result) {
    LoadProgress progress = result.progress();
    BulkProgress sending = progress.sending();
    out.printf(
        "%,d records read: %,d done, %,d rejected, %,d deferred%s%n",
        progress.read(),
        progress.done(),
        progress.rejected(),
        result.deferred(),
        result.complete() ? "" : "; the input was not read to its end");
    LoadProgress.Lookups lookups = progress.lookups();
    if (lookups.waiting() > 0 || lookups.set() > 0) {
      out.printf(
          "look-ups within the file: set in %,d rows, %,d are in and wait for them%n",
          lookups.set(), lookups.waiting());
    }
    out.printf(
        "%s, %,.0f records/s; %,d messages, %,d of them sent in halves again%n",
        Times.span(sending.elapsed().toMillis()),
        sending.perSecond(),
        sending.messages(),
        sending.halved());
    out.printf("throttled: %s%n", throttles(sending.throttles()));
    if (!sending.repeated().isEmpty()) {
      out.printf("sent again: %s%n", sending.repeated());
    }
    StringJoiner idle = new StringJoiner(", ");
    sending
        .idle()
        .forEach(
            (cause, lost) ->
                idle.add(
                    "%s %s"
                        .formatted(
                            Times.span(lost.toMillis()), cause.name().toLowerCase(Locale.ROOT))));
    out.printf("nothing in flight: %s%n", idle.length() == 0 ? "never" : idle);
    Duration paced = sending.idle().getOrDefault(BulkProgress.IdleCause.PACED, Duration.ZERO);
    if (paced.toSeconds() > 0) {
      out.printf(
          "waited %s by its own ledger, before the service would have refused: the users had spent"
              + " what they may in a window%n",
          Times.span(paced.toMillis()));
    }
    reasons(out, progress.reasons());
    result
        .rejects()
        .ifPresent(file -> out.printf("rejected records, each with its reason: %s%n", file));
    out.flush();
  }

  /** What records were rejected for: how many, and where the first of them is. */
  private static void reasons(PrintWriter out, RejectReasons rejected) {
    if (rejected.reasons().isEmpty()) {
      return;
    }
    out.printf("rejected, by reason:%n");
    for (RejectReasons.Reason reason : rejected.reasons()) {
      out.printf(
          "%,10d  %s  %s%s%n",
          reason.count(),
          reason.code(),
          reason.message(),
          reason.line() > 0 ? " (line " + reason.line() + ")" : "");
    }
    if (rejected.others() > 0) {
      out.printf("%,10d  for other reasons%n", rejected.others());
    }
  }

  /** The end of a rehearsal, for people. */
  static void summary(PrintWriter out, DryRun.Result result) {
    out.printf(
        "%,d records read: %,d can be sent, %,d cannot. Nothing was sent.%n",
        result.read(), result.read() - result.rejected(), result.rejected());
    reasons(out, result.reasons());
    result.rejects().ifPresent(file -> out.printf("those that cannot, with reasons: %s%n", file));
    out.flush();
  }

  private static String throttles(Map<Signal.Facet, Long> throttles) {
    if (throttles.isEmpty()) {
      return "never";
    }
    StringJoiner words = new StringJoiner(", ");
    throttles.forEach((facet, count) -> words.add("%,d by %s".formatted(count, facet.wireName())));
    return words.toString();
  }
}
