package dev.sluice.bench;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * One measurement.
 *
 * @param step which step was measured: {@code Pace}, {@code Slot}, {@code Gate}
 * @param outcome whether every request was let through, or none
 * @param who whose limiter
 * @param threads how many threads shared it
 * @param nanos per operation, the average over all operations of all threads
 * @param error half of the 99.9 % confidence interval in nanoseconds; NaN if too few were measured
 * @param bytes allocated per operation; NaN if that was not measured
 */
record Figure(
    String step,
    String outcome,
    String who,
    int threads,
    double nanos,
    double error,
    double bytes) {

  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /**
   * Reads a throughput, in operations per nanosecond. It weighs each operation alike, whereas JMH's
   * average time weighs each thread alike: there, one thread that is kept waiting for long while
   * the others work would decide the figure.
   */
  static Figure of(RunResult result) {
    BenchmarkParams params = result.getParams();
    String[] path = params.getBenchmark().split("\\.", -1);
    Result<?> throughput = result.getPrimaryResult();
    Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
    double nanos = params.getThreads() / throughput.getScore();
    return new Figure(
        path[path.length - 2].replace("Benchmark", ""),
        params.getParam("outcome").toLowerCase(Locale.ROOT),
        path[path.length - 1],
        params.getThreads(),
        nanos,
        nanos * throughput.getScoreError() / throughput.getScore(),
        bytes == null ? Double.NaN : bytes.getScore());
  }

  /** All figures in Markdown, one table for each step and outcome, one column for each number. */
  static String table(List<Figure> figures, List<Integer> threads) {
    return figures.stream()
        .collect(groupingBy(Figure::title, LinkedHashMap::new, groupingBy(Figure::who)))
        .entrySet()
        .stream()
        .map(entry -> table(entry.getKey(), entry.getValue(), threads))
        .collect(joining("\n"));
  }

  /**
   * Sluice's nanoseconds divided by Resilience4j's for the same step, in Markdown. Both were
   * measured in one run, so this can be compared between two builds.
   */
  static String ratios(List<Figure> figures, List<Integer> threads) {
    return figures.stream()
        .filter(figure -> figure.peer(figures).isPresent())
        .collect(groupingBy(Figure::comparison, LinkedHashMap::new, toList()))
        .entrySet()
        .stream()
        .map(row -> "| " + row.getKey() + " |" + ratioCells(row.getValue(), figures, threads))
        .collect(joining("\n", head("Sluice ÷ Resilience4j", threads), "\n"));
  }

  private static String ratioCells(List<Figure> row, List<Figure> figures, List<Integer> threads) {
    return cells(
        row,
        threads,
        ours -> "%.2f".formatted(ours.nanos / ours.peer(figures).orElseThrow().nanos));
  }

  /** Of {@code sluiceCall} that is {@code resilience4jCall}, on as many threads. */
  private Optional<Figure> peer(List<Figure> figures) {
    String peer = who.replaceFirst("^sluice", "resilience4j");
    return figures.stream()
        .filter(other -> !peer.equals(who) && other.who.equals(peer))
        .filter(other -> other.title().equals(title()) && other.threads == threads)
        .findFirst();
  }

  private String comparison() {
    return title() + ": " + who;
  }

  private static String table(String title, Map<String, List<Figure>> rows, List<Integer> threads) {
    return rows.entrySet().stream()
        .map(row -> "| " + row.getKey() + " |" + cells(row.getValue(), threads, Figure::cell))
        .sorted()
        .collect(joining("\n", head(title, threads), "\n"));
  }

  private static String head(String title, List<Integer> threads) {
    String rule = "|---|" + "---:|".repeat(threads.size()) + "\n";
    return threads.stream()
        .map(count -> count == 1 ? " 1 thread |" : " " + count + " threads |")
        .collect(joining("", "| " + title + " |", "\n" + rule));
  }

  private static String cells(
      List<Figure> row, List<Integer> threads, Function<Figure, String> cell) {
    return threads.stream()
        .map(
            count ->
                row.stream()
                    .filter(figure -> figure.threads == count)
                    .map(figure -> " " + cell.apply(figure))
                    .collect(joining("", "", " |")))
        .collect(joining());
  }

  private String title() {
    return step + ", " + outcome;
  }

  /** {@code 23.4 ± 0.5 ns, 24 B}. */
  private String cell() {
    String spread = Double.isNaN(error) ? "" : " ± %.1f".formatted(error);
    String memory = Double.isNaN(bytes) ? "" : ", %.0f B".formatted(bytes);
    return "%.1f%s ns%s".formatted(nanos, spread, memory);
  }
}
