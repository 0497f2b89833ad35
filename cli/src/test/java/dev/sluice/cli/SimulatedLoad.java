package dev.sluice.cli;

import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.InProcess;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Loads in simulated time, seen as {@code sluice load} sees them. The limits are those of the
 * service, in a window of 30 s.
 */
record SimulatedLoad(Environment environment, SimulatedTime time, Store store, int users) {
  static final QuotaOptions LIMITS =
      new QuotaOptions(
          600, Duration.ofSeconds(120), Duration.ofSeconds(30), 52, OptionalInt.empty());

  private static final URI ADDRESS = URI.create("http://localhost:5000");

  interface Story {
    void happen(SimulatedLoad scene) throws Exception;
  }

  /** What somebody saw who looked at a load every second. */
  record Look(long nanos, LoadProgress progress, Optional<Duration> left) {}

  /** A load that is over. */
  record Seen(
      LoadRequest request, LoadResult result, LoadHistory history, List<Look> looks, long ended) {}

  static void in(int users, EnvironmentOptions options, Story story) {
    SimulatedTime.run(
        1,
        time -> {
          try (Store store = Store.inMemory(time)) {
            story.happen(new SimulatedLoad(new Environment(options, time, 1), time, store, users));
          }
        });
  }

  static EnvironmentOptions environment(int users) {
    ProtectionOptions limits =
        ProtectionOptions.DOCUMENTED
            .withWindow(LIMITS.window())
            .withExecutionTime(LIMITS.executionTime())
            .withRequests(LIMITS.requests())
            .withConcurrent(LIMITS.maxInFlight());
    return EnvironmentOptions.of(ApplicationUser.several(users, 1))
        .withFarm(FarmOptions.DEFAULTS.withProtection(limits));
  }

  static Path file(Path folder, int rows) throws IOException {
    return Files.write(
        folder.resolve("in.csv"),
        IntStream.range(-1, rows).mapToObj(i -> i < 0 ? "name" : "Account " + i).toList());
  }

  /** Loads the file; stops it when so many rows are done. */
  Seen load(Path file, int batchSize, long stopAt) throws Exception {
    try (DataverseClient client = connect()) {
      LoadRequest plain =
          LoadRequest.of(
              ADDRESS.toString(), client.table("account"), Operation.CREATE, file.toString());
      LoadRequest request =
          new LoadRequest(
              plain.environment(),
              plain.table(),
              plain.operation(),
              plain.source(),
              plain.input(),
              plain.mapping(),
              plain.mappingOptions(),
              BulkOptions.DEFAULTS.withBatchSize(batchSize),
              plain.envelope(),
              plain.maxRejects(),
              false,
              plain.name(),
              plain.again(),
              plain.caller());
      Load load = new Load(request, client.bulk(), store, time);
      LoadScreen screen =
          new LoadScreen(
              load, client.gate(), LIMITS, new PrintWriter(Writer.nullWriter()), false, time);
      List<Look> looks = new ArrayList<>();
      Time.Bell over = time.bell();
      Time.Task watcher =
          time.start("watcher", () -> watch(load, screen, client, looks, over, stopAt));
      LoadResult result = screen.run(InputStream.nullInputStream());
      long ended = time.nanos();
      over.ring();
      watcher.join();
      return new Seen(request, result, screen.history(), looks, ended);
    }
  }

  private void watch(
      Load load,
      LoadScreen screen,
      DataverseClient client,
      List<Look> looks,
      Time.Bell over,
      long stopAt) {
    try {
      while (!over.await(time.deadline(Duration.ofSeconds(1)))) {
        load.progress()
            .ifPresent(
                progress -> {
                  PoolStatistics pool = client.gate().statistics();
                  looks.add(
                      new Look(time.nanos(), progress, screen.history().timeLeft(progress, pool)));
                  if (progress.done() >= stopAt) {
                    load.cancel(Duration.ofSeconds(20));
                  }
                });
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Somebody else sends requests as the first user until it is throttled. */
  void useUp() throws InterruptedException {
    Headers headers = Headers.of("Authorization", "Bearer " + environment.token(0));
    for (int i = 0; i < LIMITS.requests(); i++) {
      Reply unused = environment.answer(Request.of("GET", "/api/data/v9.2/WhoAmI", headers));
    }
  }

  private DataverseClient connect() throws IOException, InterruptedException {
    List<Identity> identities =
        ApplicationUser.several(users, 1).stream()
            .map(
                user ->
                    new Identity(
                        user.name(),
                        new Credential.ClientSecret(
                            EnvironmentOptions.TENANT.toString(),
                            user.clientId().toString(),
                            user.secret())))
            .toList();
    return DataverseClient.connect(
        DataverseOptions.of(ADDRESS, identities).withAuthority(ADDRESS).withLimits(LIMITS),
        new InProcess(environment, time),
        time,
        message -> {});
  }
}
