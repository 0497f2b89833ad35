package dev.sluice.cli;

import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.GapCount;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code sluice runs}: what ran, and how it ended. */
@Command(
    name = "runs",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {"Lists the latest runs, loads and collections alike, and how they ended.", ""})
final class RunsCommand extends StoreCommand {
  /** How many details of its collection were missing when a run ended. */
  private static final String MISSING = "missing";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many at most (default: 20).")
  private int limit;

  @Override
  int call(Store store) {
    if (limit < 1) {
      return end(ExitCode.BAD_ARGUMENTS, "--limit is %d, but must be 1 or more".formatted(limit));
    }
    List<RunRecord> runs = new Runs(store, time).latest(limit);
    if (json()) {
      ObjectNode json = object();
      ArrayNode all = json.putArray("runs");
      runs.forEach(run -> put(all.addObject(), run));
      return answer(json);
    }
    List<GapCount> gaps = store.read(DetailGaps::counts);
    Table table = new Table("RUN", "KIND", "NAME", "STARTED", "TOOK", "ENDED", "COUNTS");
    for (RunRecord run : runs) {
      table.row(
          String.valueOf(run.id()),
          run.kind(),
          run.name(),
          Times.at(run.started()),
          took(run),
          end(run),
          counts(run, gaps));
    }
    table.print(out());
    return ExitCode.DONE.number();
  }

  private static String counts(RunRecord run, List<GapCount> gaps) {
    Map<String, Long> counts = new TreeMap<>(run.counts());
    Long unused = counts.remove(RunRecord.RETRIES_LEFT); // sluice status has it
    Long missing = counts.remove(MISSING);
    return missing == null || missing == 0
        ? RunCounts.words(counts)
        : missing(run, missing, gaps) + ", " + RunCounts.words(counts);
  }

  /** What was missing when the run ended, whichever run had found so, and what became of it. */
  private static String missing(RunRecord run, long then, List<GapCount> gaps) {
    boolean still =
        gaps.stream()
            .filter(each -> each.collection().equals(run.name()))
            .anyMatch(each -> each.state().isOpen() && each.count() > 0);
    return "%,d missing at its end%s".formatted(then, still ? "" : " and none now");
  }

  private String took(RunRecord run) {
    Instant until = run.ended().orElseGet(time::instant);
    return run.ended().isEmpty() && !run.running()
        ? "?"
        : Times.span(Duration.between(run.started(), until).toMillis());
  }

  private static String end(RunRecord run) {
    return run.outcome()
        .map(
            outcome -> {
              Reason reason = outcome.reason();
              return reason == null
                  ? outcome.wireName()
                  : "%s (%s)".formatted(outcome.wireName(), reason.wireName());
            })
        .orElse(run.running() ? "runs" : "was killed");
  }

  private void put(ObjectNode json, RunRecord run) {
    json.put("run", run.id());
    json.put("kind", run.kind());
    json.put("name", run.name());
    json.put("started", run.started().toString());
    json.put("running", run.running());
    run.ended().ifPresent(ended -> json.put("ended", ended.toString()));
    if (run.outcome().isPresent()) {
      Outcome outcome = run.outcome().get();
      json.put("outcome", outcome.wireName());
      Reason reason = outcome.reason();
      if (reason != null) {
        json.put("reason", reason.wireName());
        json.put("detail", pasteable(outcome.detail()));
      }
    }
    ObjectNode counts = json.putObject("counts");
    run.counts().forEach(counts::put);
  }
}
