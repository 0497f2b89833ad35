package dev.sluice.cli;

import static java.util.Objects.requireNonNull;

import dev.sluice.cli.DemoLoad.Played;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code sluice demo}: the main job with nothing to install. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "The main job, with nothing to install and nobody to ask.",
      "",
      "Starts a simulated Dataverse environment on this machine, with limits scaled down",
      "so that it pushes back within seconds, and loads records into it through three",
      "application users; one of them is used by somebody else, too. Checks that every",
      "record is there exactly once. Then repeats the load with each policy in simulated",
      "time, where nothing else on this machine disturbs it: those figures are the same",
      "on every machine. Draws every request in sluice-demo.html.",
      ""
    })
final class Demo implements Callable<Integer> {
  private static final int MOST = 1_000_000;
  private static final Path REPORT = Path.of("sluice-demo.html");

  /** So much longer than simulated, and something on this machine was in the way. */
  private static final double DISTURBED = 1.15;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20000",
      description = "How many records are loaded (default: 20000).")
  private int records;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Decides what the environment does by chance (default: 1).")
  private long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = {
        "Where to draw every request, as HTML (default: sluice-demo.html; if that is not",
        "a report of Sluice, a name with a number)."
      })
  private @Nullable Path report;

  private final Time time = Time.real();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (records < 1 || records > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--records is %d, but must be 1 to %d".formatted(records, MOST));
    }
    PrintWriter out = spec.commandLine().getOut();
    Path folder = Files.createTempDirectory("sluice-demo");
    try {
      DemoLoad load = new DemoLoad(folder, records, seed);
      Path input = load.input();
      out.printf(
          "A simulated Dataverse environment: %d s of execution time, %d requests and %d at once"
              + " per user in any %d s.%n",
          DemoLoad.LIMITS.executionTime().toSeconds(),
          DemoLoad.LIMITS.requests(),
          DemoLoad.LIMITS.maxInFlight(),
          DemoLoad.LIMITS.window().toSeconds());
      out.printf("%,d records wait in %s.%n%n", records, input.getFileName());

      out.printf(
          "1. In real time, through three application users, by the quota policy (the default):%n");
      out.flush();
      Played real = load.real(input, PolicyName.QUOTA, spec.commandLine().getErr());
      LoadScreen.summary(out, real.result());
      out.printf("%s%n%n", verdict(real));

      out.printf(
          "2. The same in simulated time, with each policy: exact, and the same anywhere.%n");
      out.flush();
      long begun = time.nanos();
      Map<PolicyName, Played> simulated = new LinkedHashMap<>();
      for (PolicyName policy : List.of(PolicyName.QUOTA, PolicyName.AIMD, PolicyName.FIXED)) {
        simulated.put(policy, load.simulated(input, policy));
      }
      compare(out, real, simulated, Duration.ofNanos(time.nanos() - begun));
      report(out, real, simulated);
      return real.isWhole() && simulated.values().stream().allMatch(Played::isWhole)
          ? ExitCode.DONE.number()
          : ExitCode.FAILED.number();
    } finally {
      delete(folder);
    }
  }

  private static void compare(
      PrintWriter out, Played real, Map<PolicyName, Played> simulated, Duration computed) {
    out.printf("%-22s%12s%14s%n", "", "real time", "simulated");
    out.printf("%-22s%12s%14s%10s%10s%n", "", "quota", "quota", "aimd", "fixed");
    row(out, "records in the table", real, simulated, it -> "%,d".formatted(it.rows()));
    row(out, "time", real, simulated, it -> "%.1f s".formatted(it.seconds()));
    row(out, "requests sent", real, simulated, it -> "%,d".formatted(it.messages()));
    row(out, "throttled", real, simulated, it -> "%,d".formatted(it.throttles()));
    out.println();
    simulated.forEach(
        (policy, played) -> {
          if (!played.isWhole()) {
            out.printf("%s, simulated: %s%n", name(policy), verdict(played));
          }
        });
    double longer = real.seconds() / by(PolicyName.QUOTA, simulated).seconds();
    out.printf(
        "The simulated columns took %s to compute. %s%n",
        Times.span(computed.toMillis()),
        longer > DISTURBED
            ? "In real time it took %.1f times as long as simulated: something on this machine, or in the program, took longer."
                .formatted(longer)
            : "Nothing disturbed the one in real time.");
    out.flush();
  }

  private static void row(
      PrintWriter out,
      String name,
      Played real,
      Map<PolicyName, Played> simulated,
      Function<Played, String> figure) {
    out.printf(
        "%-22s%12s%14s%10s%10s%n",
        name,
        figure.apply(real),
        figure.apply(by(PolicyName.QUOTA, simulated)),
        figure.apply(by(PolicyName.AIMD, simulated)),
        figure.apply(by(PolicyName.FIXED, simulated)));
  }

  private static Played by(PolicyName policy, Map<PolicyName, Played> simulated) {
    return requireNonNull(simulated.get(policy));
  }

  private static String name(PolicyName policy) {
    return policy.name().toLowerCase(Locale.ROOT);
  }

  private static String verdict(Played played) {
    return played.isWhole()
        ? "every record is in the table exactly once"
        : "NOT whole: " + played.difference() + " " + played.result().outcome();
  }

  /** Where somebody can look at every request; a place that cannot be written is no failure. */
  private void report(PrintWriter out, Played real, Map<PolicyName, Played> simulated) {
    String page =
        DemoReport.page(
            Stream.concat(
                    Stream.of(
                        new DemoReport.Chapter(
                            "In real time, by the quota policy", facts(real), real)),
                    simulated.entrySet().stream()
                        .map(
                            entry ->
                                new DemoReport.Chapter(
                                    "In simulated time, by the policy " + name(entry.getKey()),
                                    facts(entry.getValue()),
                                    entry.getValue())))
                .toList());
    try {
      Path file = report == null ? ReportFile.free(REPORT) : report;
      ReportFile.write(file, page);
      out.printf("%nEvery request, drawn: %s%n", file.toUri());
    } catch (IOException e) {
      spec.commandLine().getErr().printf("The report cannot be written: %s%n", e.getMessage());
    }
    out.flush();
  }

  private static String facts(Played played) {
    return "%,d records in %.1f s; %,d bulk messages, %,d of them throttled; %s."
        .formatted(
            played.rows(),
            played.seconds(),
            played.messages(),
            played.throttles(),
            verdict(played));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
