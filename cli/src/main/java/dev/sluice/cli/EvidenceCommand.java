package dev.sluice.cli;

import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code sluice evidence}: what happened in a run, or on a lane. */
@Command(
    name = "evidence",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Lists what happened in a run or on a lane.",
      "",
      "That is what the circuit did, holds, stops, cooldowns, slices that were given up,",
      "and gaps; the oldest comes first.",
      "Without --run and --lane it lists the latest run's. What people did between runs,",
      "such as reopening a lane, is listed with --lane.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything known is listed, even if that is nothing",
      "2:the state cannot be read",
      "3:there is no such run or lane, or no run yet"
    })
final class EvidenceCommand extends StoreCommand {
  @Option(names = "--run", paramLabel = "N", description = "The run, as sluice runs numbers it.")
  private @Nullable Long run;

  @Option(
      names = "--lane",
      paramLabel = "LANE",
      description = "All runs through this lane, as sluice status calls it.")
  private @Nullable String lane;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many of the latest at most (default: 100).")
  private int limit;

  @Override
  int call(Store store) {
    if (limit < 1) {
      return end(ExitCode.BAD_ARGUMENTS, "--limit is %d, but must be 1 or more".formatted(limit));
    }
    if (run != null && lane != null) {
      return end(ExitCode.BAD_ARGUMENTS, "--run and --lane exclude each other; give one of them");
    }
    return lane == null ? ofRun(store) : ofLane(store, lane);
  }

  private int ofLane(Store store, String name) {
    List<LaneRecord> lanes = store.read(Lanes::all);
    Optional<LaneRecord> known = lanes.stream().filter(each -> each.name().equals(name)).findAny();
    return known.isPresent()
        ? print(
            store.read(
                transaction -> EvidenceLog.latest(transaction, name, known.get().number(), limit)))
        : end(
            ExitCode.BAD_ARGUMENTS,
            "there is no lane '%s'; there are %s"
                .formatted(name, lanes.stream().map(LaneRecord::name).toList()));
  }

  private int ofRun(Store store) {
    Runs runs = new Runs(store, time);
    Optional<RunRecord> known = run == null ? runs.latest(1).stream().findFirst() : runs.find(run);
    if (known.isEmpty()) {
      return end(
          ExitCode.BAD_ARGUMENTS,
          run == null
              ? "there is no run yet"
              : pasteable("there is no run %d; sluice runs lists them".formatted(run)));
    }
    long found = known.get().id();
    return print(store.read(transaction -> EvidenceLog.latest(transaction, found, limit)));
  }

  private int print(List<Evidence> found) {
    if (json()) {
      ObjectNode json = object();
      ArrayNode all = json.putArray("evidence");
      found.forEach(each -> put(all.addObject(), each));
      return answer(json);
    }
    Table table = new Table("AT", "RUN", "WHAT", "FACTS");
    for (Evidence each : found) {
      table.row(
          Times.at(each.at()),
          each.run() == EvidenceLog.NO_RUN ? "-" : String.valueOf(each.run()),
          each.kind().wireName(),
          each.facts().entrySet().stream()
              .map(fact -> fact.getKey() + "=" + fact.getValue())
              .collect(Collectors.joining(" ")));
    }
    if (table.isEmpty()) {
      out().println("nothing out of the ordinary happened");
      out().flush();
    } else {
      table.print(out());
    }
    return ExitCode.DONE.number();
  }

  private static void put(ObjectNode json, Evidence evidence) {
    json.put("id", evidence.id());
    if (evidence.run() != EvidenceLog.NO_RUN) {
      json.put("run", evidence.run());
    }
    json.put("at", evidence.at().toString());
    json.put("kind", evidence.kind().wireName());
    ObjectNode facts = json.putObject("facts");
    evidence.facts().forEach(facts::put);
  }
}
