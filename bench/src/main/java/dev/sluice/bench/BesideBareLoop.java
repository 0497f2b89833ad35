package dev.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
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
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.lang.management.ManagementFactory;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * What the bulk executor and a whole load, with its durable journal, cost beside a bare loop of
 * {@link HttpClient#send}: batches of 100 rows into a simulated environment over HTTP, without
 * limits, with 8 requests in flight. The environment is a process of its own. All send the same
 * bodies; {@code bare loop} made them beforehand, {@code loop over the file} reads the same CSV
 * file as the load, splits its lines at commas and puts bodies together. They take turns, and each
 * turn is one measurement of rows per second and of the processor time of this process.
 *
 * <p>Arguments: batches in a turn (default 2,000), turns (default 5), service time of a batch in
 * milliseconds (default 20).
 */
public final class BesideBareLoop {
  static final int ROWS = 100;
  static final int IN_FLIGHT = 8;

  private static final String[] NAMES = {
    "bare loop", "loop over the file", "bulk executor", "load with journal"
  };
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Time time = Time.real();
  private final int batches;
  private final Path folder;
  private final URI address;
  private final BareLoop bare;
  private final DataverseOptions options;
  private final HttpClient control = HttpClient.newHttpClient();
  private final SplittableRandom random = new SplittableRandom(1);

  private BesideBareLoop(int batches, Path folder, String[] service) {
    this.batches = batches;
    this.folder = folder;
    this.address = URI.create(service[0]);
    this.bare = new BareLoop(address, "Bearer " + service[1], time);
    this.options =
        DataverseOptions.of(
                address,
                List.of(
                    new Identity(
                        "app1",
                        new Credential.ClientSecret(
                            EnvironmentOptions.TENANT.toString(), service[2], service[3]))))
            .withAuthority(address)
            .withAdaptiveRate(AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build());
  }

  /** Measures, and prints a table in Markdown. */
  public static void main(String[] args) throws Exception {
    if (args.length > 1 && args[0].equals("serve")) {
      serve(Integer.parseInt(args[1]));
      return;
    }
    int batches = args.length > 0 ? Math.clamp(Integer.parseInt(args[0]), 10, 100_000) : 2_000;
    int turns = args.length > 1 ? Math.clamp(Integer.parseInt(args[1]), 1, 100) : 5;
    int millis = args.length > 2 ? Math.clamp(Integer.parseInt(args[2]), 0, 10_000) : 20;
    Process service =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                BesideBareLoop.class.getName(),
                "serve",
                String.valueOf(millis))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (Scratch scratch = Scratch.in(null);
        BufferedReader said = service.inputReader()) {
      String line = said.readLine();
      if (line == null) {
        throw new IOException("the simulated environment did not start");
      }
      new BesideBareLoop(batches, scratch.folder(), line.split(" ", -1)).run(turns);
    } finally {
      service.destroy();
    }
  }

  /** The simulated environment, until somebody ends the process. */
  private static void serve(int millis) throws IOException, InterruptedException {
    Time time = Time.real();
    ApplicationUser user = ApplicationUser.several(1, 1).getFirst();
    ServiceTimes times =
        new ServiceTimes(
            Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(millis), Duration.ZERO);
    Environment environment =
        new Environment(
            EnvironmentOptions.of(List.of(user))
                .withFarm(FarmOptions.DEFAULTS.withProtection(ProtectionOptions.UNLIMITED))
                .withTimes(times)
                .withParallelism(IN_FLIGHT),
            time,
            1);
    try (LoopbackServer server = LoopbackServer.start(0, environment, time)) {
      System.out.printf(
          "%s %s %s %s%n", server.address(), environment.token(0), user.clientId(), user.secret());
      boolean unused = time.bell().await(Time.NEVER);
    }
  }

  /** One contestant's figures, by turn. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Figures(double[] rowsPerSecond, double[] processorMicros) {}

  private void run(int turns) throws Exception {
    Path csv = csv();
    List<Figures> figures = new ArrayList<>();
    for (String unused : NAMES) {
      figures.add(new Figures(new double[turns], new double[turns]));
    }
    for (int turn = -1; turn < turns; turn++) { // the first warms up
      for (int i = 0; i < NAMES.length; i++) {
        int which = Math.floorMod(i + turn, NAMES.length); // nobody always follows the same one
        Turn measured =
            switch (which) {
              case 0 -> loop(bodies());
              case 1 -> loopOver(csv);
              case 2 -> executor();
              default -> load(csv, turn);
            };
        if (turn >= 0) {
          figures.get(which).rowsPerSecond[turn] = measured.rowsPerSecond();
          figures.get(which).processorMicros[turn] = measured.processorMicros();
        }
      }
    }
    System.out.println(
        "| | rows per second, by turn | of the bare loop | of the loop over the file"
            + " | processor, µs per row | of the bare loop | of the loop over the file |");
    System.out.println("|---|---|---:|---:|---|---:|---:|");
    for (int which = 0; which < NAMES.length; which++) {
      Figures own = figures.get(which);
      System.out.printf(
          "| %s | %s | %s | %s | %s | %s | %s |%n",
          NAMES[which],
          each(own.rowsPerSecond, "%,.0f"),
          share(own.rowsPerSecond, figures.get(0).rowsPerSecond),
          share(own.rowsPerSecond, figures.get(1).rowsPerSecond),
          each(own.processorMicros, "%.2f"),
          share(own.processorMicros, figures.get(0).processorMicros),
          share(own.processorMicros, figures.get(1).processorMicros));
    }
  }

  private static String each(double[] values, String format) {
    return Arrays.stream(values)
        .mapToObj(value -> String.format(Locale.ROOT, format, value))
        .collect(Collectors.joining(" · "));
  }

  /** Median and range of the ratios, turn by turn. */
  private static String share(double[] own, double[] other) {
    double[] shares = new double[own.length];
    Arrays.setAll(shares, i -> own[i] / other[i]);
    Arrays.sort(shares);
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f to %.2f)",
        shares[shares.length / 2],
        shares[0],
        shares[shares.length - 1]);
  }

  /** What one turn took. */
  private record Turn(double rowsPerSecond, double processorMicros) {}

  /** Something that writes all rows. */
  private interface Writing {
    void run() throws Exception;
  }

  /** What was made beforehand, and what the turn before left behind, is not collected in a turn. */
  private Turn measure(Writing writing) throws Exception {
    System.gc();
    long processor = PROCESS.getProcessCpuTime();
    long start = time.nanos();
    writing.run();
    double seconds = (time.nanos() - start) / 1e9;
    double used = (PROCESS.getProcessCpuTime() - processor) / 1e3;
    int rows = batches * ROWS;
    String stored = ask("GET", "/simulator/counters");
    if (!stored.matches("(?s).*\"account\": ?" + rows + "\\b.*")) {
      throw new IllegalStateException("%d rows should be in: %s".formatted(rows, stored));
    }
    String unused = ask("DELETE", "/simulator/tables/account");
    return new Turn(rows / seconds, used / rows);
  }

  private String ask(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve(path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return control.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private List<byte[]> bodies() {
    List<byte[]> bodies = new ArrayList<>();
    for (int batch = 0; batch < batches; batch++) {
      List<String> rows = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        rows.add(
            "{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\",\"accountid\":\"%s\",%s}"
                .formatted(newId(), columns(batch * ROWS + row)));
      }
      bodies.add(
          ("{\"Targets\":[" + String.join(",", rows) + "]}").getBytes(StandardCharsets.UTF_8));
    }
    return bodies;
  }

  private Turn loop(List<byte[]> bodies) throws Exception {
    AtomicInteger next = new AtomicInteger();
    return measure(
        () ->
            bare.sendAll(
                () -> {
                  int body = next.getAndIncrement();
                  return body < bodies.size() ? bodies.get(body) : null;
                }));
  }

  /** No quotes, no types, no journal. */
  private Turn loopOver(Path csv) throws Exception {
    return measure(
        () -> {
          try (BufferedReader lines = Files.newBufferedReader(csv)) {
            String header = lines.readLine();
            if (header == null) {
              throw new IOException(csv + " is empty");
            }
            ReentrantLock lock = new ReentrantLock();
            bare.sendAll(
                () -> {
                  lock.lock(); // one reads at a time
                  try {
                    return bare.body(lines);
                  } finally {
                    lock.unlock();
                  }
                });
          }
        });
  }

  private Turn executor() throws Exception {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < batches * ROWS; i++) {
      items.add(new Item(i, new RecordKey.Id(newId()), true, columns(i)));
    }
    try (DataverseClient client = DataverseClient.connect(options)) {
      Table table = client.table("account");
      BulkJob job =
          BulkJob.of(table, Operation.CREATE, ItemSource.of(items))
              .withOptions(BulkOptions.DEFAULTS.withFixedBatch(ROWS));
      return measure(() -> client.bulk().execute(job));
    }
  }

  private Turn load(Path csv, int turn) throws Exception {
    try (DataverseClient client = DataverseClient.connect(options);
        Store store = Store.open(folder.resolve("state" + turn + ".db"), time)) {
      LoadRequest plain =
          LoadRequest.of(
              address.toString(), client.table("account"), Operation.CREATE, csv.toString());
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
              true,
              plain.name(),
              plain.again(),
              plain.caller());
      return measure(
          () -> new Load(request, client.bulk(), store, time).run(InputStream.nullInputStream()));
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
