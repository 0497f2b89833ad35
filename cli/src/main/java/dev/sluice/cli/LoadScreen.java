package dev.sluice.cli;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.quota.QuotaOptions;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * What people see of a load: a line that is written over while it runs on a terminal, a line every
 * ten seconds elsewhere, and a summary at the end.
 */
final class LoadScreen {
  private static final Duration NEARLY = Duration.ofSeconds(1);

  /** A part of the line: the higher its number, the sooner it is left out for want of room. */
  private record Part(int leftOut, String words) {}

  private final Load load;
  private final Gate gate;
  private final PrintWriter err;
  private final boolean terminal;
  private final Time time;
  private final LoadHistory history;

  /** Shows a load through a gate to a service with these limits. */
  LoadScreen(
      Load load, Gate gate, QuotaOptions limits, PrintWriter err, boolean terminal, Time time) {
    this.load = load;
    this.gate = gate;
    this.err = err;
    this.terminal = terminal;
    this.time = time;
    this.history = new LoadHistory(limits);
  }

  /** Carries the load out and shows how far it is. */
  LoadResult run(InputStream standardInput)
      throws LoadException, MappingException, IOException, InterruptedException {
    Time.Bell over = time.bell();
    Time.Task sampler = time.start("samples", () -> sample(over));
    LiveLine shown = new LiveLine(err, terminal, time, this::line);
    try {
      LoadResult result = load.run(standardInput);
      history.sample(result.progress(), gate.statistics(), time.nanos());
      return result;
    } finally {
      over.ring();
      sampler.join();
      shown.end();
    }
  }

  /** What the load did over time. */
  LoadHistory history() {
    return history;
  }

  private void sample(Time.Bell over) {
    try {
      while (!over.await(time.deadline(LoadHistory.EVERY))) {
        load.progress()
            .ifPresent(progress -> history.sample(progress, gate.statistics(), time.nanos()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // no more samples
    }
  }

  private Optional<String> line() {
    return load.progress()
        .map(
            progress -> {
              PoolStatistics pool = gate.statistics();
              return line(
                  progress,
                  pool,
                  history.timeLeft(progress, pool),
                  terminal ? LiveLine.columns() - 1 : Integer.MAX_VALUE);
            });
  }

  /** Everything that matters, on one line that is no longer than {@code width}. */
  static String line(
      LoadProgress progress, PoolStatistics pool, Optional<Duration> left, int width) {
    BulkProgress sending = progress.sending();
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(0, "%,d done".formatted(progress.done())));
    if (progress.rejected() > 0) {
      parts.add(new Part(0, "%,d rejected".formatted(progress.rejected())));
    }
    if (progress.lookups().waiting() > 0) {
      parts.add(new Part(3, "%,d wait for look-ups".formatted(progress.lookups().waiting())));
    }
    parts.add(new Part(1, "%,.0f rows/s".formatted(sending.perSecondNow())));
    parts.add(new Part(8, "%,.0f overall".formatted(sending.perSecond())));
    parts.add(
        new Part(6, "%d in flight × %d rows".formatted(sending.inFlight(), sending.batchSize())));
    int parallelism = pool.lanes().stream().mapToInt(LaneStatistics::parallelism).sum();
    parts.add(new Part(7, "parallelism " + parallelism));
    if (pool.throttledConnections() > 0) {
      parts.add(
          new Part(
              2,
              "%d of %d users throttled"
                  .formatted(pool.throttledConnections(), pool.totalConnections())));
    }
    left.ifPresent(
        time ->
            parts.add(
                new Part(
                    1,
                    time.compareTo(NEARLY) < 0
                        ? "nearly there"
                        : "about %s to go".formatted(Times.span(time.toMillis())))));
    String reason = sending.reason().isEmpty() ? pool.reason() : sending.reason();
    if (!reason.isEmpty()) {
      parts.add(new Part(5, reason));
    }
    return fitted(parts, width);
  }

  private static String fitted(List<Part> parts, int width) {
    List<Part> kept = new ArrayList<>(parts);
    while (true) {
      String line = kept.stream().map(Part::words).collect(Collectors.joining(" · "));
      if (line.length() <= width) {
        return line;
      }
      Part next = Collections.max(kept, Comparator.comparingInt(Part::leftOut));
      if (next.leftOut() == 0) {
        return line.substring(0, Math.max(0, width));
      }
      kept.remove(next);
    }
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
      out.printf("sent again: %s%n", repeated(sending.repeated()));
    }
    out.printf("nothing was with the service: %s%n", idle(sending.idle()));
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

  /** Throttled messages by limit, in words. */
  static String throttles(Map<Signal.Facet, Long> throttles) {
    return listed(
        throttles, (facet, count) -> "%,d by %s".formatted(count, LoadLimit.of(facet).words()));
  }

  /** Messages that were sent again by what had happened, in words. */
  static String repeated(Map<String, Long> repeated) {
    return listed(
        repeated,
        (cause, count) ->
            "%,d %s"
                .formatted(
                    count,
                    switch (cause) {
                      case "deadlock" -> "after a deadlock";
                      case "unknown_outcome" -> "after an answer that did not come";
                      case "not_dataverse" -> "after an answer that was not Dataverse's";
                      case "table_preparation" -> "while the table was being prepared";
                      case "busy" -> "because the service was busy";
                      case "authentication" -> "with a new token";
                      default -> "after " + cause.replace('_', ' ');
                    }));
  }

  /** How long nothing was with the service by cause, in words. */
  static String idle(Map<BulkProgress.IdleCause, Duration> idle) {
    return listed(
        idle,
        (cause, lost) ->
            "for %s %s"
                .formatted(
                    Times.span(lost.toMillis()),
                    switch (cause) {
                      case HELD -> "while every user was throttled";
                      case PACED -> "while no user had any budget left";
                      case BACKOFF -> "before something that had failed was sent again";
                      case INPUT -> "while the input was read, converted and written down";
                    }));
  }

  /** In the order of the letters, so that the same is always said alike. */
  private static <K, V> String listed(Map<K, V> all, BiFunction<K, V, String> words) {
    return all.isEmpty()
        ? "never"
        : all.entrySet().stream()
            .sorted(Comparator.comparing(entry -> entry.getKey().toString()))
            .map(entry -> words.apply(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
  }
}
