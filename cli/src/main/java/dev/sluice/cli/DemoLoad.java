package dev.sluice.cli;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.gate.time.SimulatedTime;
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
import dev.sluice.simulator.http.InProcess;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The load of the demonstration, into a simulated environment of its own each time: in real time
 * over HTTP, or in simulated time, where the same figures come out on every machine.
 *
 * @param folder for the input and the state; may be deleted afterwards
 * @param records how many
 * @param seed decides what happens by chance
 */
record DemoLoad(Path folder, int records, long seed) {
  static final QuotaOptions LIMITS =
      new QuotaOptions(
          120, Duration.ofSeconds(14), Duration.ofSeconds(10), 52, OptionalInt.empty());

  private static final URI NOWHERE = URI.create("http://localhost:5000");
  private static final int LOGGED = 10_000;

  /**
   * How it went, and what was found in the environment afterwards.
   *
   * @param difference between the table and the input; empty if there is none
   * @param begun when it began, on the environment's clock, in nanoseconds
   */
  record Played(
      LoadResult result,
      long rows,
      String difference,
      List<RequestRecord> requests,
      LoadHistory history,
      long begun) {
    boolean isWhole() {
      return difference.isEmpty() && result.outcome() instanceof Outcome.Completed;
    }

    double seconds() {
      return result.progress().sending().elapsed().toMillis() / 1000.0;
    }

    long messages() {
      return result.progress().sending().messages();
    }

    long throttles() {
      return result.progress().sending().throttles().values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  /** Writes the input. */
  Path input() throws IOException {
    Path file = folder.resolve("accounts.csv");
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      out.print("name,accountnumber,telephone1,numberofemployees\n");
      for (int i = 0; i < records; i++) {
        out.printf("%s,%s,+49 30 %07d,%d\n", nameOf(i), "D-" + i, i, i % 5_000);
      }
    }
    return file;
  }

  private static String nameOf(int record) {
    return "Account " + record;
  }

  /**
   * In real time, over HTTP on this machine, with a line on {@code err} that says how far it is.
   */
  Played real(Path input, PolicyName policy, PrintWriter err)
      throws IOException, InterruptedException {
    Time time = Time.real();
    List<ApplicationUser> users = ApplicationUser.several(3, seed);
    Environment environment = new Environment(environment(users), time, seed);
    try (LoopbackServer server = LoopbackServer.start(0, environment, time);
        Store store = Store.open(folder.resolve("state.db"), time);
        DataverseClient client =
            DataverseClient.connect(options(server.address(), users, policy))) {
      return load(input, environment, client, store, time, err);
    }
  }

  /** The same in simulated time, in which nothing on this machine disturbs it. */
  Played simulated(Path input, PolicyName policy) {
    return SimulatedTime.with(seed)
        .call(
            time -> {
              List<ApplicationUser> users = ApplicationUser.several(3, seed);
              Environment environment = new Environment(environment(users), time, seed);
              try (Store store = Store.inMemory(time);
                  DataverseClient client =
                      DataverseClient.connect(
                          options(NOWHERE, users, policy),
                          new InProcess(environment, time),
                          time,
                          message -> {})) {
                PrintWriter nobody = new PrintWriter(Writer.nullWriter());
                return load(input, environment, client, store, time, nobody);
              }
            });
  }

  private Played load(
      Path input,
      Environment environment,
      DataverseClient client,
      Store store,
      Time time,
      PrintWriter err)
      throws IOException, InterruptedException {
    Time.Task neighbour = time.start("neighbour", () -> useUp(environment, time));
    try {
      LoadRequest request =
          LoadRequest.of(
              NOWHERE.toString(), client.table("account"), Operation.CREATE, input.toString());
      Load load = new Load(request, client.bulk(), store, time);
      LoadScreen screen =
          new LoadScreen(load, client.gate(), LIMITS, err, LiveLine.onTerminal(), time);
      long begun = time.nanos();
      LoadResult result = screen.run(InputStream.nullInputStream());
      List<Map<String, @Nullable Object>> rows = environment.rows("account");
      return new Played(
          result,
          rows.size(),
          difference(rows),
          environment.requests(LOGGED),
          screen.history(),
          begun);
    } catch (LoadException | MappingException | BadInputException e) {
      throw new IllegalStateException("the demonstration's own input is refused", e);
    } finally {
      neighbour.interrupt();
      neighbour.join();
    }
  }

  private static EnvironmentOptions environment(List<ApplicationUser> users) {
    ProtectionOptions limits =
        ProtectionOptions.DOCUMENTED
            .withWindow(LIMITS.window())
            .withExecutionTime(LIMITS.executionTime())
            .withRequests(LIMITS.requests())
            .withConcurrent(LIMITS.maxInFlight())
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
      URI address, List<ApplicationUser> users, PolicyName policy) {
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
    DataverseOptions options =
        DataverseOptions.of(address, identities).withAuthority(address).withLimits(LIMITS);
    return policy == PolicyName.QUOTA
        ? options // as somebody has it who sets nothing
        : options.withAdaptiveRate(AdaptiveRateOptions.builder().policy(policy).build());
  }

  /** Somebody else, who sends requests as the second user until that is throttled, for a while. */
  private static void useUp(Environment environment, Time time) {
    try {
      time.sleep(Duration.ofMillis(500));
      Headers headers = Headers.of("Authorization", "Bearer " + environment.token(1));
      for (int i = 0; i < LIMITS.requests(); i++) {
        Reply unused = environment.answer(Request.of("GET", "/api/data/v9.2/WhoAmI", headers));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the load was quicker
    }
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
}
