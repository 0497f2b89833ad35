package dev.sluice.bench;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.bulk.BulkJob;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.ItemSource;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.wire.RandomIds;
import dev.sluice.gate.time.Time;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadException;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the bulk executor and a whole load, with its durable journal, cost beside a bare loop of
 * {@link HttpClient#send}: batches of 100 rows per second into a simulated environment over HTTP on
 * this machine, without limits, with 20 ms of service time and 8 requests in flight. The loop's
 * bodies are made beforehand; the load reads a CSV file and writes its state beside it. The three
 * take turns, and each turn is one measurement.
 *
 * <p>Arguments: batches in a turn (default 2,000) and turns (default 5).
 */
public final class BesideBareLoop {
  private static final int ROWS = 100;
  private static final int IN_FLIGHT = 8;
  private static final Duration SERVICE_TIME = Duration.ofMillis(20);

  private final Time time = Time.real();
  private final int batches;
  private final Path folder;
  private final Environment environment;
  private final LoopbackServer server;
  private final DataverseOptions options;
  private final SplittableRandom random = new SplittableRandom(1);

  private BesideBareLoop(int batches, Path folder) throws IOException {
    this.batches = batches;
    this.folder = folder;
    ApplicationUser user = ApplicationUser.several(1, 1).getFirst();
    this.environment =
        new Environment(
            EnvironmentOptions.of(List.of(user))
                .withFarm(FarmOptions.DEFAULTS.withProtection(ProtectionOptions.UNLIMITED))
                .withTimes(
                    new ServiceTimes(
                        Duration.ZERO, Duration.ZERO, Duration.ZERO, SERVICE_TIME, Duration.ZERO))
                .withParallelism(IN_FLIGHT),
            time,
            1);
    this.server = LoopbackServer.start(0, environment, time);
    this.options =
        DataverseOptions.of(
                server.address(),
                List.of(
                    new Identity(
                        user.name(),
                        new Credential.ClientSecret(
                            EnvironmentOptions.TENANT.toString(),
                            user.clientId().toString(),
                            user.secret()))))
            .withAuthority(server.address())
            .withAdaptiveRate(AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build());
  }

  /** Measures, and prints a table in Markdown. */
  public static void main(String[] args) throws Exception {
    int batches = args.length > 0 ? Math.clamp(Integer.parseInt(args[0]), 10, 100_000) : 2_000;
    int turns = args.length > 1 ? Math.clamp(Integer.parseInt(args[1]), 1, 100) : 5;
    Path folder = Files.createTempDirectory("sluice-bench");
    try {
      BesideBareLoop bench = new BesideBareLoop(batches, folder);
      try {
        bench.run(turns);
      } finally {
        bench.server.close();
      }
    } finally {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private void run(int turns) throws Exception {
    Path csv = csv();
    double[][] rates = new double[3][turns];
    for (int turn = -1; turn < turns; turn++) { // the first warms up
      for (int i = 0; i < rates.length; i++) {
        int which = Math.floorMod(i + turn, rates.length); // nobody always follows the same one
        double rate =
            switch (which) {
              case 0 -> loop();
              case 1 -> executor();
              default -> load(csv, turn);
            };
        if (turn >= 0) {
          rates[which][turn] = rate;
        }
      }
    }
    System.out.println("| | batches per second, by turn | share of the loop, median (range) |");
    System.out.println("|---|---|---|");
    print("bare loop", rates[0], rates[0]);
    print("bulk executor", rates[1], rates[0]);
    print("load with journal", rates[2], rates[0]);
  }

  private static void print(String name, double[] rates, double[] loop) {
    double[] shares = new double[rates.length];
    StringBuilder each = new StringBuilder();
    for (int i = 0; i < rates.length; i++) {
      shares[i] = 100 * rates[i] / loop[i];
      each.append(i == 0 ? "" : " · ").append(String.format(Locale.ROOT, "%.1f", rates[i]));
    }
    Arrays.sort(shares);
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.1f %% (%.1f to %.1f) |%n",
        name,
        each,
        shares[shares.length / 2],
        shares[0],
        shares[shares.length - 1]);
  }

  /** What was made beforehand, and what the turn before left behind, is not collected in a turn. */
  private long begin() {
    System.gc();
    return time.nanos();
  }

  private double rate(long start) {
    double seconds = (time.nanos() - start) / 1e9;
    int rows = environment.counters().rows().getOrDefault("account", 0);
    if (rows != batches * ROWS) {
      throw new IllegalStateException(rows + " rows are in, not " + batches * ROWS);
    }
    environment.clear("account");
    return batches / seconds;
  }

  /** As many tasks as may be in flight, each of which sends the next body. */
  private double loop() throws InterruptedException {
    List<String> bodies = new ArrayList<>();
    for (int batch = 0; batch < batches; batch++) {
      List<String> rows = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        rows.add(
            "{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\",\"accountid\":\"%s\",%s}"
                .formatted(newId(), columns(batch * ROWS + row)));
      }
      bodies.add("{\"Targets\":[" + String.join(",", rows) + "]}");
    }
    URI address =
        server.address().resolve("/api/data/v9.2/accounts/Microsoft.Dynamics.CRM.CreateMultiple");
    String token = "Bearer " + environment.token(0);
    AtomicInteger next = new AtomicInteger();
    try (HttpClient client = HttpClient.newHttpClient()) {
      long start = begin();
      List<Time.Task> senders = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        senders.add(
            time.start(
                "sender",
                () -> {
                  for (int b = next.getAndIncrement(); b < batches; b = next.getAndIncrement()) {
                    send(client, address, token, bodies.get(b));
                  }
                }));
      }
      for (Time.Task sender : senders) {
        sender.join();
      }
      return rate(start);
    }
  }

  private static void send(HttpClient client, URI address, String token, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Authorization", token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("OData-Version", "4.0")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      int status = client.send(request, HttpResponse.BodyHandlers.ofByteArray()).statusCode();
      if (status != 200) {
        throw new IllegalStateException("status " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private double executor() throws IOException, InterruptedException {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < batches * ROWS; i++) {
      items.add(new Item(i, new RecordKey.Id(newId()), true, columns(i)));
    }
    try (DataverseClient client = DataverseClient.connect(options)) {
      Table table = client.table("account");
      long start = begin();
      client
          .bulk()
          .execute(
              BulkJob.of(table, Operation.CREATE, ItemSource.of(items))
                  .withOptions(BulkOptions.DEFAULTS.withFixedBatch(ROWS)));
      return rate(start);
    }
  }

  private double load(Path csv, int turn)
      throws IOException, InterruptedException, MappingException, LoadException {
    try (DataverseClient client = DataverseClient.connect(options);
        Store store = Store.open(folder.resolve("state" + turn + ".db"), time)) {
      LoadRequest plain =
          LoadRequest.of(
              server.address().toString(),
              client.table("account"),
              Operation.CREATE,
              csv.toString());
      LoadRequest request =
          new LoadRequest(
              plain.environment(),
              plain.table(),
              plain.operation(),
              plain.source(),
              plain.input(),
              plain.mapping(),
              plain.mappingOptions(),
              plain.bulk().withFixedBatch(ROWS),
              plain.envelope(),
              plain.maxRejects(),
              true);
      long start = begin();
      new Load(request, client.bulk(), store, time).run(InputStream.nullInputStream());
      return rate(start);
    }
  }

  private UUID newId() {
    return RandomIds.next(random);
  }

  private static String columns(int i) {
    return ("\"name\":\"Account %1$d\",\"emailaddress1\":\"account%1$d@example.com\","
            + "\"numberofemployees\":%1$d,\"revenue\":%1$d.50,\"creditonhold\":false")
        .formatted(i);
  }

  private Path csv() throws IOException {
    Path file = folder.resolve("accounts.csv");
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("name,emailaddress1,numberofemployees,revenue,creditonhold\n");
      for (int i = 0; i < batches * ROWS; i++) {
        out.write("Account %1$d,account%1$d@example.com,%1$d,%1$d.50,false\n".formatted(i));
      }
    }
    return file;
  }
}
