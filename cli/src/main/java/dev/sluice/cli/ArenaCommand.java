package dev.sluice.cli;

import dev.sluice.arena.Arena;
import dev.sluice.arena.BoutFailedException;
import dev.sluice.arena.CollectorTrial;
import dev.sluice.arena.Entrant;
import dev.sluice.arena.League;
import dev.sluice.arena.Leagues;
import dev.sluice.arena.Progress;
import dev.sluice.arena.Results;
import dev.sluice.arena.Selection;
import dev.sluice.arena.Size;
import dev.sluice.arena.Trace;
import dev.sluice.arena.UnknownNameException;
import dev.sluice.arena.Venue;
import dev.sluice.arena.report.CollectorReport;
import dev.sluice.arena.report.HtmlReport;
import dev.sluice.arena.report.JsonReport;
import dev.sluice.arena.report.MarkdownReport;
import dev.sluice.arena.report.TextReport;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.Spelling;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code sluice arena}: plays policies against simulated services, and reports. */
@Command(
    name = "arena",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    customSynopsis = "sluice arena [--full | --golden | --collector | --list] [OPTION...]",
    description = "Compare throttling policies on simulated services.",
    footer = {
      "",
      "Policies and their peers play against simulated services in simulated time.",
      "Equal options give equal reports, to the last byte. Without options: every",
      "scenario that has a name, jobs of 3 windows, of 2,000 requests and of an hour,",
      "one seed. Options narrow or widen that, or what --full and --golden play. For",
      "example:",
      "",
      "  sluice arena --policy quota,fixed-52 --scenario four-servers --job hour",
      "  sluice arena --random 10 --seeds 3 --report report"
    })
final class ArenaCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @ArgGroup private @Nullable Preset preset;

  /** Where to start from. */
  static final class Preset {
    @Option(names = "--full", description = "All that the committed report shows.")
    boolean full;

    @Option(names = "--golden", description = "The little that the tests play again and compare.")
    boolean golden;
  }

  @Option(
      names = "--world",
      split = ",",
      paramLabel = "NAME",
      description = "Which kind of service; all if left out.")
  private @Nullable List<String> worlds;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description =
          "Which scenario, or one drawn by chance, such as random-9001; may be given several"
              + " times. All that have a name if left out.")
  private @Nullable List<String> scenarios;

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      description = "Which policies and peers; all if left out.")
  private @Nullable List<String> policies;

  @Option(
      names = "--job",
      split = ",",
      paramLabel = "SIZE",
      description =
          "Windows' worth of quota to do, such as 0.3 or 10; requests, such as 200 or 20000; or:"
              + " hour.")
  private @Nullable List<String> jobs;

  @Option(names = "--seed", paramLabel = "N", description = "The first seed of the chances.")
  private @Nullable Long seed;

  @Option(names = "--seeds", paramLabel = "N", description = "How many seeds, from that upwards.")
  private @Nullable Integer seeds;

  @Option(
      names = "--random",
      paramLabel = "N",
      description = "Draw so many scenarios of each world by chance.")
  private @Nullable Integer random;

  @Option(
      names = "--random-from",
      paramLabel = "N",
      description = "The number of the first of them.")
  private @Nullable Long randomFrom;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Also write report.md and report.html, with pictures, into this folder.")
  private @Nullable Path report;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description = "How many bouts at once; the number of cores if left out.")
  private @Nullable Integer tasks;

  @Option(names = "--list", description = "List worlds, scenarios and policies, and play nothing.")
  private boolean list;

  @Option(
      names = "--collector",
      description = "Play the collector, end to end, against ordinary providers; nothing else.")
  private boolean collector;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      list(out);
      return ExitCode.DONE.number();
    }
    if (collector) {
      out.print(CollectorReport.of(CollectorTrial.playAll(CollectorReport.RANDOM)));
      out.flush();
      return ExitCode.DONE.number();
    }
    try {
      Selection selection = selection();
      requireFolder();
      Arena arena =
          new Arena(
              Leagues.all(),
              Time.real(),
              tasks == null ? Runtime.getRuntime().availableProcessors() : tasks);
      Results results = arena.play(selection, progress("bouts"));
      List<Trace> traces =
          report == null ? List.of() : arena.trace(selection, progress("pictures"));
      out.print(output.json() ? JsonReport.of(results) + "\n" : TextReport.of(results));
      out.flush();
      if (report != null) {
        write(report, results, traces);
      }
      return ExitCode.DONE.number();
    } catch (UnknownNameException unknown) {
      throw new ParameterException(spec.commandLine(), advice(unknown), unknown);
    } catch (IllegalArgumentException refused) {
      throw new ParameterException(spec.commandLine(), refused.getMessage(), refused);
    } catch (IOException failed) {
      spec.commandLine()
          .getErr()
          .printf("sluice arena: the report cannot be written: %s%n", failed);
      return ExitCode.FAILED.number();
    } catch (BoutFailedException failed) {
      spec.commandLine().getErr().printf("sluice arena: %s%n", failed.getMessage());
      return ExitCode.FAILED.number();
    }
  }

  private Selection selection() {
    Selection start =
        preset == null ? Selection.QUICK : preset.full ? Selection.FULL : Selection.GOLDEN;
    return start
        .withWorlds(worlds == null ? start.worlds() : once(worlds))
        .withScenarios(scenarios == null ? start.scenarios() : once(scenarios))
        .withPolicies(policies == null ? start.policies() : once(policies))
        .withSizes(jobs == null ? start.sizes() : once(jobs.stream().map(Size::parse).toList()))
        .withSeeds(seed == null ? start.seed() : seed, seeds == null ? start.seeds() : seeds)
        .withRandom(
            random == null ? start.random() : random,
            randomFrom == null ? start.randomFrom() : randomFrom);
  }

  private static <T> List<T> once(List<T> named) {
    return named.stream().distinct().toList();
  }

  /** Refuses a folder that cannot be made: better now than after half an hour of play. */
  private void requireFolder() {
    Path there = report == null ? null : report.toAbsolutePath();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there != null && !Files.isDirectory(there)) {
      throw new IllegalArgumentException(
          "--report cannot be written: %s is not a folder".formatted(there));
    }
    if (there != null && !Files.isWritable(there)) {
      throw new IllegalArgumentException(
          "--report cannot be written: %s may not be changed".formatted(there));
    }
  }

  private static String advice(UnknownNameException unknown) {
    String meant =
        Spelling.closest(unknown.typed(), unknown.known())
            .map("%nDid you mean '%s'?"::formatted)
            .orElse("");
    return "there is no %s '%s'%s%nThere are: %s"
        .formatted(unknown.kind(), unknown.typed(), meant, String.join(", ", unknown.known()));
  }

  private Progress progress(String what) {
    PrintWriter err = spec.commandLine().getErr();
    return new ProgressLine(err, what);
  }

  private static void write(Path folder, Results results, List<Trace> traces) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("report.md"), MarkdownReport.of(results));
    Files.writeString(folder.resolve("report.html"), HtmlReport.of(results, traces));
  }

  private static void list(PrintWriter out) {
    for (League<?> league : Leagues.all()) {
      out.printf("world %s: %s%n%nscenarios%n", league.name(), league.title());
      venues(league)
          .forEach(
              venue ->
                  out.printf("  %-48s %s%n", Selection.slug(venue.name()), venue.description()));
      out.printf("  %-48s %s%n%npolicies%n", "random-N", "drawn by chance");
      for (Entrant<?> entrant : league.entrants()) {
        out.printf("  %-24s %-16s %s%n", entrant.name(), entrant.origin(), entrant.description());
      }
      out.println();
    }
    out.flush();
  }

  private static <S> List<Venue> venues(League<S> league) {
    return league.named().stream().map(league::venue).toList();
  }
}
