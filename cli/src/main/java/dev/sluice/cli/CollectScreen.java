package dev.sluice.cli;

import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.run.CollectionProgress;
import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.TrackResult;
import dev.sluice.control.policy.Figures;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.StringJoiner;

/** What people see of a collection run: a line while it goes on, and a summary at the end. */
final class CollectScreen {
  private final Collector collector;
  private final Time time;
  private final long begun;

  /** Shows a run. */
  CollectScreen(Collector collector, Time time) {
    this.collector = collector;
    this.time = time;
    this.begun = time.nanos();
  }

  /** Everything that matters, on one line. */
  Optional<String> line() {
    CollectionProgress now = collector.progress();
    StringJoiner line = new StringJoiner(" · ");
    if (!now.at().isEmpty()) {
      line.add(now.at());
    }
    line.add(Count.of(now.records(), "record"));
    line.add(Count.of(now.slices(), "slice"));
    line.add(Count.of(now.requests(), "request"));
    if (now.recovered() > 0) {
      line.add(Count.of(now.recovered(), "gap") + " closed");
    }
    if (now.gaps() > 0) {
      line.add(Count.of(now.gaps(), "gap"));
    }
    if (now.met().refused() > 0) {
      line.add("%,d refused".formatted(now.met().refused()));
    }
    collector.lane().ifPresent(lane -> line.add(speed(lane.measuredRate(), lane.rate())));
    collector.reason().ifPresent(line::add);
    line.add(Times.span((time.nanos() - begun) / 1_000_000));
    return Optional.of(line.toString());
  }

  /** What was sent lately, beside what may be. */
  static String speed(double measured, double allowed) {
    return Double.isInfinite(allowed)
        ? "sends " + Figures.rate(measured)
        : "sends %s of %s".formatted(Figures.rate(measured), Figures.rate(allowed));
  }

  /**
   * The end, for people.
   *
   * @param commands that find the run's state
   */
  static void summary(
      PrintWriter out, CollectionRequest request, CollectionResult result, NamedCommands commands) {
    CollectionProgress progress = result.progress();
    out.printf(
        "%s: %s in %s, %s%n",
        request.name(),
        Count.of(progress.records(), "record"),
        Count.of(progress.slices(), "slice"),
        Count.of(progress.requests(), "request"));
    out.printf("  %s%n", RunCounts.words(progress.met().named()));
    for (TrackResult track : result.tracks()) {
      out.printf(
          "  %s: %s%s; %s%n",
          track.track(),
          Count.of(track.records(), "record"),
          track.cursor().map(cursor -> ", next " + BookmarkWords.of(cursor)).orElse(""),
          commands.in(ending(track.outcome(), result.outcome())));
    }
    for (ListStream list : request.connector().streams()) {
      for (DetailStream detail : list.details()) {
        String name = detail.shape().name();
        if (result.records(name) > 0 || isWanted(request, list)) {
          out.printf("  %s: %s%n", name, Count.of(result.records(name), "record"));
        }
      }
    }
    if (progress.recovered() > 0) {
      out.printf("gaps closed: %,d%n", progress.recovered());
    }
    if (result.openGaps() > 0) {
      out.printf("gaps open: %,d (%s lists them)%n", result.openGaps(), commands.in("sluice gaps"));
    }
    out.flush();
  }

  private static boolean isWanted(CollectionRequest request, ListStream list) {
    return request.streams().isEmpty() || request.streams().contains(list.shape().name());
  }

  /** A track's own failure is told in full: that of the run, if it is another, does not say it. */
  private static String ending(Outcome track, Outcome run) {
    return track instanceof Outcome.Failed(Reason.Failure reason, String detail)
            && !track.equals(run)
        ? "failed, because %s (%s)".formatted(reason.words(), detail)
        : track instanceof Outcome.AlreadyRunning
            ? "another run is at it"
            : track.wireName().replace('_', ' ');
  }
}
