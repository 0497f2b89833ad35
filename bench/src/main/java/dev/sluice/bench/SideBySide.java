package dev.sluice.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks on 1, 2 and 8 threads and prints one table: nanoseconds and bytes allocated
 * per operation. Arguments are JMH's own; a pattern chooses some of the benchmarks.
 */
public final class SideBySide {
  private static final List<Integer> THREADS = List.of(1, 2, 8);

  private SideBySide() {}

  /** Fails if any benchmark does: a limiter that answered otherwise than expected is one. */
  public static void main(String[] args) throws CommandLineOptionException, RunnerException {
    Options given = new CommandLineOptions(args);
    List<Figure> figures = new ArrayList<>();
    for (int threads : THREADS) {
      Options options =
          new OptionsBuilder()
              .parent(given)
              .threads(threads)
              .mode(Mode.Throughput)
              .timeUnit(TimeUnit.NANOSECONDS)
              .addProfiler(GCProfiler.class)
              .shouldFailOnError(true)
              .build();
      figures.addAll(figures(new Runner(options).run()));
    }
    System.out.println();
    System.out.print(Figure.table(figures, THREADS));
  }

  private static List<Figure> figures(Collection<RunResult> results) {
    return results.stream().map(Figure::of).toList();
  }
}
