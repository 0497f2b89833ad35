package dev.sluice.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks on 1, 2 and 8 threads and prints tables: nanoseconds and bytes allocated per
 * operation, and Sluice's time divided by Resilience4j's. Arguments are JMH's own; a pattern
 * chooses some of the benchmarks.
 */
public final class SideBySide {
  private static final List<Integer> THREADS = List.of(1, 2, 8);

  private SideBySide() {}

  /**
   * A benchmark that fails leaves its cell empty, and the others go on. Exit code 1: one failed,
   * for example because a limiter answered otherwise than it was set up to.
   */
  public static void main(String[] args) throws CommandLineOptionException, RunnerException {
    Options given = new CommandLineOptions(args);
    int wanted = THREADS.size() * chosen(given) * outcomes(given);
    List<Figure> figures = new ArrayList<>();
    for (int threads : THREADS) {
      Options options =
          new OptionsBuilder()
              .parent(given)
              .threads(threads)
              .mode(Mode.Throughput)
              .timeUnit(TimeUnit.NANOSECONDS)
              .addProfiler(GCProfiler.class)
              .shouldFailOnError(false)
              .build();
      figures.addAll(figures(new Runner(options).run()));
    }
    System.out.println();
    System.out.print(Figure.table(figures, THREADS));
    System.out.println();
    System.out.print(Figure.ratios(figures, THREADS));
    if (figures.size() < wanted) {
      System.out.printf(
          "%d of %d failed: look for <failure> above%n", wanted - figures.size(), wanted);
      System.exit(1);
    }
  }

  private static List<Figure> figures(Collection<RunResult> results) {
    return results.stream().map(Figure::of).toList();
  }

  private static int chosen(Options given) {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
    return BenchmarkList.defaultList()
        .find(silent, given.getIncludes(), given.getExcludes())
        .size();
  }

  private static int outcomes(Options given) {
    var chosen = given.getParameter("outcome");
    return chosen.hasValue() ? chosen.get().size() : Outcome.values().length;
  }
}
