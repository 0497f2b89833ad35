package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.ProviderServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command as its user runs it, a process of its own, killed without warning while it collects
 * and called again: in the end every record of the provider is there exactly once.
 */
class CollectKillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int PAGE = 10;
  private static final Duration SLOW = Duration.ofMillis(100);

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  private final Time time = Time.real();

  @ParameterizedTest
  @ValueSource(strings = {"json-lines", "sqlite"})
  void a_collection_that_is_killed_three_times_loses_and_doubles_nothing(String sink)
      throws Exception {
    killed(3, sink);
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"json-lines", "sqlite"})
  void a_collection_that_is_killed_twenty_times_loses_and_doubles_nothing(String sink)
      throws Exception {
    killed(20, sink);
  }

  @Test
  void whoever_stops_a_collection_is_told_at_once_and_the_same_command_goes_on_from_there()
      throws Exception {
    int items = 200;
    Provider provider = provider(items, ServiceOptions.DEFAULTS.withLatency(SLOW, 0));
    try (ProviderServer server = ProviderServer.start(provider, time, 0)) {
      configure(server, "json-lines");
      Process process = start();
      awaitRequests(provider, 2, process);
      process.destroy(); // as Ctrl-C does
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(log()).isEqualTo(ExitCode.DEFERRED.number());
      assertThat(log()).containsSubsequence("stopping: ", "mine: ", "stopped; the same command");
      assertThat(start().waitFor()).as(log()).isZero();
    }
    assertThat(lines())
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, items).boxed().toList());
  }

  private Provider provider(int items, ServiceOptions service) {
    return new Provider(
        ProviderOptions.DEFAULTS
            .withCatalogue(CatalogueOptions.DEFAULTS.withItems(items))
            .withService(service),
        time);
  }

  private void killed(int times, String sink) throws Exception {
    SplittableRandom chance = new SplittableRandom(times);
    int items = 300 * (times + 1); // so many that the last kill still finds it at work
    Provider provider =
        provider(
            items,
            ServiceOptions.DEFAULTS
                .withLatency(Duration.ofMillis(5), 0.5)
                .withMisbehaviours(
                    Set.of(Misbehaviour.CONNECTION_DROPS, Misbehaviour.BODY_TRUNCATED)));
    try (ProviderServer server = ProviderServer.start(provider, time, 0)) {
      configure(server, sink);
      for (int kill = 0; kill < times; kill++) {
        long before = provider.counters(0).admitted();
        Process process = start();
        awaitRequests(provider, before + chance.nextLong(1, 25), process);
        time.sleep(Duration.ofMillis(chance.nextInt(100)));
        assertThat(process.isAlive()).as("at work at kill %d: %s", kill, log()).isTrue();
        process.destroyForcibly().waitFor();
        Ran gaps = Ran.of("gaps", "--state", folder.resolve(".sluice/state.db").toString());
        assertThat(gaps.code()).isEqualTo(ExitCode.DEFERRED.number());
        assertThat(gaps.out())
            .containsPattern(
                "mine: its last run .* was killed after .*; the next run goes on with ");
      }
      Process last = start();
      assertThat(last.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(last.exitValue()).as(log()).isZero();
    }
    assertThat(sink.equals("sqlite") ? rows() : lines())
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, items).boxed().toList());
  }

  private void awaitRequests(Provider provider, long wanted, Process process) throws Exception {
    long deadline = time.deadline(PATIENCE);
    while (provider.counters(0).admitted() < wanted) {
      assertThat(process.isAlive()).as(log()).isTrue();
      assertThat(time.nanos() - deadline).as("nothing is sent; %s", log()).isNegative();
      time.sleep(Duration.ofMillis(5));
    }
  }

  private List<Integer> lines() throws IOException {
    List<Integer> ids = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.getFileName().toString()).endsWith(".jsonl");
        for (String line : Files.readAllLines(file)) {
          ids.add(JsonMapper.shared().readTree(line).path("id").asInt());
        }
      }
    }
    return ids;
  }

  private List<Integer> rows() throws Exception {
    List<Integer> ids = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("data"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select id from items")) {
      while (rows.next()) {
        ids.add(rows.getInt(1));
      }
    }
    return ids;
  }

  private String log() throws IOException {
    Path log = folder.resolve("log.txt");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  private Process start() throws IOException {
    return Ran.process("collect", folder.resolve("mine.yaml").toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log.txt").toFile())
        .start();
  }

  private void configure(ProviderServer server, String sink) throws IOException {
    Files.writeString(
        folder.resolve("items.yaml"),
        """
        connector: items
        version: 1
        provider: {base: "%s"}
        pacing: {start: 200/s, ceiling: 1000/s}
        streams:
          items:
            get: /items
            query: {sort: id, limit: %d}
            records: $.items[*]
            %s
            pages: {token: $.next_cursor, ask: query cursor}
        """
            // With a key a row that came twice would replace itself.
            .formatted(server.address(), PAGE, sink.equals("sqlite") ? "" : "key: id"));
    Files.writeString(
        folder.resolve("mine.yaml"),
        """
        collect: items.yaml
        as: mine
        into: {%s: data}
        """
            .formatted(sink));
  }
}
