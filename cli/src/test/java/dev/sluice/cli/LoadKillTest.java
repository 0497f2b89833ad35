package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.FaultKind;
import dev.sluice.simulator.dataverse.FaultRule;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command as its user runs it, a process of its own, killed without warning while it sends and
 * called again: in the end nothing is missing and nothing is there twice.
 */
class LoadKillTest {
  private static final String NOBODY = "00000000-0000-0000-0000-00000000dead";
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @TempDir Path folder;

  private final Time time = Time.real();
  private final List<ApplicationUser> users = ApplicationUser.several(2, 1);
  private final List<String> refused = new ArrayList<>();
  private int records;

  @Test
  void a_load_that_is_killed_three_times_loses_and_doubles_nothing() throws Exception {
    killed(3);
  }

  @Test
  @Tag("slow")
  void a_load_that_is_killed_twenty_times_loses_and_doubles_nothing() throws Exception {
    killed(20);
  }

  private void killed(int times) throws Exception {
    SplittableRandom chance = new SplittableRandom(times);
    records = 1_000 * (times + 1); // so many that the last kill still finds it at work
    Environment environment =
        new Environment(
            EnvironmentOptions.of(users)
                .withTimes(ServiceTimes.TYPICAL)
                .withParallelism(4)
                .withFaults(
                    List.of(
                        FaultRule.rate(FaultKind.DROPPED, 0.02).onlyOn("account"),
                        FaultRule.rate(FaultKind.DEADLOCK, 0.02).onlyOn("account"))),
            time,
            1);
    Path input = input(chance);
    try (LoopbackServer server = LoopbackServer.start(0, environment, time)) {
      configure(server);
      for (int kill = 0; kill < times; kill++) {
        long before = rows(environment);
        Process process = start(input);
        awaitRows(environment, before + chance.nextLong(1, 500), process);
        time.sleep(Duration.ofMillis(chance.nextInt(200)));
        process.destroyForcibly().waitFor();
        assertThat(rows(environment)).as("rows after kill %d", kill).isLessThan(records);
      }
      Process last = start(input);
      assertThat(last.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(last.exitValue()).as(log()).isEqualTo(ExitCode.REJECTED_RECORDS.number());
    }
    assertThatAllIsThere(environment);
  }

  private void assertThatAllIsThere(Environment environment) throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    for (Map<String, ?> row : environment.rows("account")) {
      found.merge(String.valueOf(row.get("name")), 1, Integer::sum);
    }
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      String name = name(i);
      int expected = refused.contains(name) ? 0 : 1;
      Integer count = found.remove(name);
      if ((count == null ? 0 : count) != expected) {
        wrong.add("%s: %s times".formatted(name, count));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).isEmpty();
    List<String> rejects = Files.readAllLines(folder.resolve("accounts.rejected.csv"));
    assertThat(rejects.removeFirst()).isEqualTo("name,primarycontactid,error_code,error_message");
    assertThat(rejects)
        .allMatch(line -> line.matches("record \\d+," + NOBODY + ",0x[0-9a-fA-F]{8},.+"));
    assertThat(rejects.stream().map(line -> line.substring(0, line.indexOf(','))))
        .containsExactlyInAnyOrderElementsOf(refused);
  }

  private Path input(SplittableRandom chance) throws IOException {
    List<String> lines = new ArrayList<>(List.of("name,primarycontactid"));
    for (int i = 0; i < records; i++) {
      boolean bad = chance.nextInt(1_000) == 0;
      if (bad) {
        refused.add(name(i)); // only the service knows that there is no such contact
      }
      lines.add(name(i) + "," + (bad ? NOBODY : ""));
    }
    Path input = folder.resolve("accounts.csv");
    Files.write(input, lines);
    return input;
  }

  private static String name(int i) {
    return "record " + i;
  }

  private static long rows(Environment environment) {
    return environment.counters().rows().getOrDefault("account", 0);
  }

  private void awaitRows(Environment environment, long wanted, Process process) throws Exception {
    long deadline = time.deadline(PATIENCE);
    while (rows(environment) < wanted) {
      assertThat(process.isAlive()).as(log()).isTrue();
      assertThat(time.nanos() - deadline).as("nothing is sent; %s", log()).isNegative();
      time.sleep(Duration.ofMillis(10));
    }
  }

  private String log() throws IOException {
    Path log = folder.resolve("log.txt");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  private Process start(Path input) throws IOException {
    return Ran.process(
            "load",
            "account",
            input.toString(),
            "--batch-size",
            "25",
            "--config",
            folder.resolve("sluice.yaml").toString(),
            "--state",
            folder.resolve("state.db").toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log.txt").toFile())
        .start();
  }

  private void configure(LoopbackServer server) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            dataverse:
              environment: %1$s
              authority: %1$s
              tenant: %2$s
              identities:
            """
                .formatted(server.address(), EnvironmentOptions.TENANT));
    for (ApplicationUser user : users) {
      Path secret = folder.resolve(user.name() + ".secret");
      Files.writeString(secret, user.secret());
      text.append(
          "    - {name: %s, clientId: %s, secretFile: %s}\n"
              .formatted(user.name(), user.clientId(), secret.getFileName()));
    }
    Files.writeString(folder.resolve("sluice.yaml"), text);
  }
}
