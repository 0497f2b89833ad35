package dev.sluice.cli;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.gate.time.Time;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadException;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.FaultKind;
import dev.sluice.simulator.dataverse.FaultRule;
import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
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
      "application users; one of them is used by somebody else, too. Then does the same",
      "with a fixed number of requests at once, in a fresh environment, and compares.",
      "Checks that every record is there exactly once.",
      ""
    })
final class Demo implements Callable<Integer> {
  private static final int MOST = 1_000_000;
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration EXECUTION_TIME = Duration.ofSeconds(14);
  private static final int REQUESTS = 120;
  private static final int CONCURRENT = 52;
  private static final int LOGGED = 10_000;

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
      description = "Where to draw every request, as HTML (default: a new temporary file).")
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
      Path input = folder.resolve("accounts.csv");
      write(input);
      out.printf(
          "A simulated Dataverse environment: %d s of execution time, %d requests and %d at once"
              + " per user in any %d s.%n",
          EXECUTION_TIME.toSeconds(), REQUESTS, CONCURRENT, WINDOW.toSeconds());
      out.printf("%,d records wait in %s.%n%n", records, input.getFileName());

      out.printf("1. Through three application users, by the quota policy (the default):%n");
      out.flush();
      Played ours = play(folder, input, "quota", AdaptiveRateOptions.DEFAULTS);
      out.printf("%n2. The same with a fixed number at once, as the service recommends:%n");
      out.flush();
      Played fixed =
          play(
              folder,
              input,
              "fixed",
              AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build());
      out.println();
      compare(out, ours, fixed);
      report(out, ours, fixed);
      return ours.isWhole() && fixed.isWhole() ? ExitCode.DONE.number() : ExitCode.FAILED.number();
    } finally {
      delete(folder);
    }
  }

  /** One load into one environment, and what was found there afterwards. */
  private record Played(
      LoadResult result, long rows, String difference, List<RequestRecord> requests) {
    boolean isWhole() {
      return difference.isEmpty() && result.outcome() instanceof Outcome.Completed;
    }
  }

  private Played play(Path folder, Path input, String name, AdaptiveRateOptions rate)
      throws IOException, InterruptedException {
    List<ApplicationUser> users = ApplicationUser.several(3, seed);
    Environment environment = new Environment(environment(users), time, seed);
    try (LoopbackServer server = LoopbackServer.start(0, environment, time);
        Store store = Store.open(folder.resolve(name + ".db"), time);
        DataverseClient client = DataverseClient.connect(options(server, users, rate))) {
      Time.Task neighbour = time.start("neighbour", () -> useUp(environment));
      Load load =
          new Load(
              LoadRequest.of(
                  server.address().toString(),
                  client.table("account"),
                  Operation.CREATE,
                  input.toString()),
              client.bulk(),
              store,
              time);
      PrintWriter err = spec.commandLine().getErr();
      LoadResult result =
          new LoadScreen(load, client.gate(), err, LiveLine.onTerminal(), time)
              .run(InputStream.nullInputStream());
      neighbour.interrupt();
      neighbour.join();
      LoadScreen.summary(spec.commandLine().getOut(), result);
      List<Map<String, @Nullable Object>> rows = environment.rows("account");
      return new Played(result, rows.size(), difference(rows), environment.requests(LOGGED));
    } catch (LoadException | MappingException | BadInputException e) {
      throw new IllegalStateException("the demonstration's own input is refused", e);
    }
  }

  private static EnvironmentOptions environment(List<ApplicationUser> users) {
    ProtectionOptions limits =
        ProtectionOptions.DOCUMENTED
            .withWindow(WINDOW)
            .withExecutionTime(EXECUTION_TIME)
            .withRequests(REQUESTS)
            .withConcurrent(CONCURRENT)
            .withWaits(Duration.ofSeconds(1), Duration.ofSeconds(30))
            .withPress(Duration.ofMillis(500));
    return EnvironmentOptions.of(users)
        .withFarm(FarmOptions.DEFAULTS.withProtection(limits))
        .withFaults(
            List.of(
                FaultRule.rate(FaultKind.DEADLOCK, 0.01),
                FaultRule.rate(FaultKind.DROPPED, 0.005)));
  }

  private static DataverseOptions options(
      LoopbackServer server, List<ApplicationUser> users, AdaptiveRateOptions rate) {
    List<Identity> identities =
        users.stream()
            .map(
                user ->
                    new Identity(
                        user.name(),
                        new Credential.ClientSecret(
                            EnvironmentOptions.TENANT.toString(),
                            user.clientId().toString(),
                            user.secret())))
            .toList();
    return DataverseOptions.of(server.address(), identities)
        .withAuthority(server.address())
        .withAdaptiveRate(rate)
        .withLimits(
            new QuotaOptions(REQUESTS, EXECUTION_TIME, WINDOW, CONCURRENT, OptionalInt.empty()));
  }

  /** Somebody else, who sends requests as the second user until that is throttled, for a while. */
  private void useUp(Environment environment) {
    try {
      time.sleep(Duration.ofMillis(500));
      Headers headers = Headers.of("Authorization", "Bearer " + environment.token(1));
      for (int i = 0; i < REQUESTS; i++) {
        Reply unused = environment.answer(Request.of("GET", "/api/data/v9.2/WhoAmI", headers));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the load was quicker
    }
  }

  private void write(Path file) throws IOException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      out.print("name,accountnumber,telephone1,numberofemployees\n");
      for (int i = 0; i < records; i++) {
        out.printf("%s,%s,+49 30 %07d,%d%n", nameOf(i), "D-" + i, i, i % 5_000);
      }
    }
  }

  private static String nameOf(int record) {
    return "Account " + record;
  }

  /** Empty if the table holds exactly the records. */
  private String difference(List<Map<String, @Nullable Object>> rows) {
    Set<String> missing = new HashSet<>();
    for (int i = 0; i < records; i++) {
      missing.add(nameOf(i));
    }
    int surplus = 0;
    for (Map<String, @Nullable Object> row : rows) {
      if (!missing.remove(String.valueOf(row.get("name")))) {
        surplus++;
      }
    }
    return missing.isEmpty() && surplus == 0
        ? ""
        : "%d missing, %d too many".formatted(missing.size(), surplus);
  }

  private static void compare(PrintWriter out, Played ours, Played fixed) {
    out.printf("                        quota        fixed%n");
    row(out, "records in the table", ours.rows(), fixed.rows());
    out.printf("%-20s %8s %12s%n", "time", seconds(ours.result()), seconds(fixed.result()));
    row(out, "requests sent", messages(ours), messages(fixed));
    row(out, "throttled", throttles(ours), throttles(fixed));
    out.printf("%n");
    out.printf("quota: %s%n", verdict(ours));
    out.printf("fixed: %s%n", verdict(fixed));
    out.flush();
  }

  private static String verdict(Played played) {
    return played.isWhole()
        ? "every record is in the table exactly once"
        : "NOT whole: " + played.difference() + " " + played.result().outcome();
  }

  /** Where somebody can look at every request; a place that cannot be written is no failure. */
  private void report(PrintWriter out, Played ours, Played fixed) {
    String page =
        DemoReport.page(
            List.of(
                chapter("Three users, by the quota policy", ours),
                chapter("The same with a fixed number at once", fixed)));
    try {
      Path file = report == null ? Files.createTempFile("sluice-demo", ".html") : report;
      Files.writeString(file, page);
      out.printf("%nEvery request, drawn: %s%n", file.toUri());
    } catch (IOException e) {
      spec.commandLine().getErr().printf("The report cannot be written: %s%n", e);
    }
    out.flush();
  }

  private static DemoReport.Chapter chapter(String title, Played played) {
    return new DemoReport.Chapter(
        title,
        List.of(
            "%,d records in %s".formatted(played.rows(), seconds(played.result())),
            "%,d bulk messages, %,d requests throttled"
                .formatted(messages(played), throttles(played)),
            verdict(played)),
        played.requests());
  }

  private static void row(PrintWriter out, String name, long ours, long fixed) {
    out.printf("%-20s %,8d %,12d%n", name, ours, fixed);
  }

  private static String seconds(LoadResult result) {
    return "%.1f s".formatted(result.progress().sending().elapsed().toMillis() / 1000.0);
  }

  private static long messages(Played played) {
    return played.result().progress().sending().messages();
  }

  private static long throttles(Played played) {
    Map<Signal.Facet, Long> throttles = played.result().progress().sending().throttles();
    return throttles.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
