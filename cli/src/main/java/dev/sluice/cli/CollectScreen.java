package dev.sluice.cli;

import dev.sluice.collect.run.CollectionProgress;
import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.TrackResult;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.Time;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.StringJoiner;

/** What people see of a collection run: a line while it goes on, and a summary at the end. */
final class CollectScreen {
  private final Collector collector;
  private final Gate gate;
  private final Time time;
  private final long begun;

  /** Shows a run through the gate of its provider. */
  CollectScreen(Collector collector, Gate gate, Time time) {
    this.collector = collector;
    this.gate = gate;
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
    line.add("%,d records".formatted(now.records()));
    line.add("%,d slices".formatted(now.slices()));
    line.add("%,d requests".formatted(now.requests()));
    if (now.recovered() > 0) {
      line.add("%,d gaps closed".formatted(now.recovered()));
    }
    if (now.gaps() > 0) {
      line.add("%,d gaps".formatted(now.gaps()));
    }
    for (LaneStatistics lane : gate.statistics().lanes()) {
      line.add(state(lane));
    }
    line.add(LoadScreen.words((time.nanos() - begun) / 1_000_000));
    return Optional.of(line.toString());
  }

  private static String state(LaneStatistics lane) {
    if (lane.held().isPositive()) {
      return "waits another %s, as the provider asks".formatted(words(lane.held().toMillis()));
    }
    return Double.isInfinite(lane.rate())
        ? "%d in flight".formatted(lane.inFlight())
        : "%.3g requests/s".formatted(lane.rate());
  }

  private static String words(long millis) {
    return LoadScreen.words(millis);
  }

  /** The end, for people. */
  static void summary(PrintWriter out, CollectionRequest request, CollectionResult result) {
    CollectionProgress progress = result.progress();
    out.printf(
        "%s: %,d records in %,d slices, %,d requests%n",
        request.name(), progress.records(), progress.slices(), progress.requests());
    for (TrackResult track : result.tracks()) {
      out.printf(
          "  %s: %s, %,d records%s%n",
          track.track(),
          track.outcome().wireName().replace('_', ' '),
          track.records(),
          track.cursor().map(cursor -> ", next from " + cursor).orElse(""));
    }
    if (progress.recovered() > 0) {
      out.printf("gaps closed: %,d%n", progress.recovered());
    }
    if (result.openGaps() > 0) {
      out.printf("gaps open: %,d (sluice gaps lists them)%n", result.openGaps());
    }
    out.flush();
  }
}
