package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Loads of every kind, one after the other, behind a gateway that answers, drops, delays, redirects
 * and garbles at random, while they are killed and called again and their files are moved. After
 * each load the table holds what it should, each row once, and only what Dataverse itself refused
 * is in the reject file.
 */
class LoadBehindProxyTest {
  private static final String NOBODY = "00000000-0000-0000-0000-00000000dead";
  private static final String STANDARD = "account";
  private static final String ELASTIC = "sim_sensorreading";

  /** So many rows of a long load cannot be written, as only the service knows: each is slow. */
  private static final int MOST_BAD = 10;

  private static final int MOST_ATTEMPTS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;

  private final Time time = Time.real();
  private final List<ApplicationUser> users = ApplicationUser.several(2, 1);
  private final Map<String, Map<String, String>> expected = new HashMap<>();
  private SplittableRandom chance = new SplittableRandom(0);
  private int killsLeft;
  private int movesLeft;
  private int stepsLeft;
  private int attempts;

  /** A load: what is called, with which lines, and what must be in the reject file in the end. */
  private record Step(
      String table, List<String> options, String header, List<String> lines, List<String> bad) {}

  @Test
  void loads_behind_a_lying_proxy_lose_and_double_nothing_whatever_kills_them() throws Exception {
    loads(Long.getLong("sluice.seed", 1), 2_000, 3);
  }

  @Test
  @Tag("slow")
  void fifty_thousand_rows_behind_a_lying_proxy_survive_twenty_kills() throws Exception {
    loads(Long.getLong("sluice.seed", 2), 50_000, 20);
  }

  private void loads(long seed, int rows, int kills) throws Exception {
    chance = new SplittableRandom(seed);
    killsLeft = kills;
    movesLeft = 2;
    stepsLeft = 8;
    Environment environment =
        new Environment(
            EnvironmentOptions.of(users)
                .withTimes(ServiceTimes.TYPICAL.times(0.2))
                .withParallelism(4),
            time,
            seed);
    try (LoopbackServer server = LoopbackServer.start(0, environment, time);
        RandomProxy proxy = RandomProxy.start(server.address(), seed, time)) {
      configure(proxy);
      try {
        for (String table : List.of(STANDARD, ELASTIC)) {
          carryOut(creates(table, rows / 5), environment, proxy);
          carryOut(updates(table, rows / 8, environment), environment, proxy);
          carryOut(upserts(table, rows / 8, environment), environment, proxy);
          carryOut(
              deletes(table, rows / 2 - rows / 5 - rows / 8 * 2, environment), environment, proxy);
        }
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed %d (-Dsluice.seed), after %d attempts: %s"
                .formatted(seed, attempts, proxy.happened()),
            e);
      }
      assertThat(killsLeft).as("kills that found no load at work").isZero();
      assertThat(movesLeft).as("moves between attempts").isZero();
    }
  }

  // What is loaded. A row is known by its number; what a load changes is its value.

  private Map<String, String> expected(String table) {
    return expected.computeIfAbsent(table, name -> new TreeMap<>());
  }

  private static String number(String table) {
    return table.equals(STANDARD) ? "accountnumber" : "sim_name";
  }

  private static String value(String table) {
    return table.equals(STANDARD) ? "name" : "sim_device";
  }

  private static String id(String table) {
    return table + "id";
  }

  private static boolean isBad(int row, int rows) {
    return row % Math.max(97, rows / MOST_BAD) == 50;
  }

  private Step creates(String table, int rows) {
    List<String> lines = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      write(table, "R-" + i, "created " + i, isBad(i, rows), lines, bad);
    }
    return new Step(table, List.of("--op", "create"), header(table, ""), lines, bad);
  }

  private static String header(String table, String before) {
    return before
        + number(table)
        + ","
        + value(table)
        + (table.equals(STANDARD) ? ",primarycontactid" : "");
  }

  /**
   * Only a look-up can be wrong without anybody but the service knowing; elastic rows have none.
   */
  private void write(
      String table,
      String number,
      String value,
      boolean isBad,
      List<String> lines,
      List<String> bad) {
    boolean refused = table.equals(STANDARD) && isBad;
    String line = number + "," + value;
    if (table.equals(STANDARD)) {
      line += "," + (refused ? NOBODY : "");
    }
    lines.add(line);
    if (refused) {
      bad.add(line);
    } else {
      expected(table).put(number, value);
    }
  }

  private Step updates(String table, int rows, Environment environment) {
    List<String> lines = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    Map<String, String> ids = ids(table, environment);
    List<String> numbers = shuffled(ids);
    for (int i = 0; i < rows; i++) {
      String number = numbers.get(i);
      boolean refused = isBad(i, rows);
      String line = (refused ? newId() : ids.get(number)) + ",updated " + i;
      lines.add(line);
      if (refused) {
        bad.add(line);
      } else {
        expected(table).put(number, "updated " + i);
      }
    }
    return new Step(table, List.of("--op", "update"), id(table) + "," + value(table), lines, bad);
  }

  /** Half of them are there. A standard table is given alternate keys, an elastic one ids. */
  private Step upserts(String table, int rows, Environment environment) {
    List<String> lines = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    Map<String, String> ids = ids(table, environment);
    List<String> numbers = shuffled(ids);
    boolean keyed = table.equals(STANDARD);
    for (int i = 0; i < rows; i++) {
      boolean there = i % 2 == 0;
      String number = there ? numbers.get(i / 2) : "U-" + i;
      if (keyed) {
        write(table, number, "upserted " + i, isBad(i, rows), lines, bad);
      } else {
        lines.add((there ? ids.get(number) : newId()) + "," + number + ",upserted " + i);
        expected(table).put(number, "upserted " + i);
      }
    }
    return new Step(
        table,
        keyed ? List.of("--op", "upsert", "--key", number(table)) : List.of("--op", "upsert"),
        header(table, keyed ? "" : id(table) + ","),
        lines,
        bad);
  }

  /** A row that is not there may be rejected, or taken for one that an earlier attempt deleted. */
  private Step deletes(String table, int rows, Environment environment) {
    List<String> lines = new ArrayList<>();
    Map<String, String> ids = ids(table, environment);
    for (String number : shuffled(ids).subList(0, rows)) {
      lines.add(String.valueOf(ids.get(number)));
      expected(table).remove(number);
    }
    return new Step(table, List.of("--op", "delete"), id(table), lines, List.of());
  }

  private static Map<String, String> ids(String table, Environment environment) {
    Map<String, String> ids = new TreeMap<>();
    for (Map<String, ?> row : environment.rows(table)) {
      ids.put(String.valueOf(row.get(number(table))), String.valueOf(row.get(id(table))));
    }
    return ids;
  }

  private List<String> shuffled(Map<String, String> ids) {
    List<String> numbers = new ArrayList<>(ids.keySet());
    Collections.shuffle(numbers, new java.util.Random(chance.nextLong()));
    return numbers;
  }

  private String newId() {
    return new UUID((chance.nextLong() & ~0xF000L) | 0x4000L, chance.nextLong() >>> 2 | 1L << 63)
        .toString();
  }

  // How it is loaded.

  private void carryOut(Step step, Environment environment, RandomProxy proxy) throws Exception {
    String name = "%s-%s".formatted(step.table(), step.options().get(1));
    Path file = folder.resolve(name + ".csv");
    List<String> lines = new ArrayList<>(List.of(step.header()));
    lines.addAll(step.lines());
    Files.write(file, lines);
    int kills = Math.ceilDiv(killsLeft, stepsLeft--);
    JsonNode result = null;
    for (int attempt = 0; result == null; attempt++) {
      assertThat(attempt).as(name).isLessThan(MOST_ATTEMPTS);
      attempts++;
      if (kills-- > 0) {
        result = killed(step, file, proxy);
      } else {
        Ran ran = Ran.of(command(step, file));
        result = whenFinished(ran.code(), ran.out(), ran.err());
      }
      if (result == null && movesLeft > 0) {
        file = moved(file);
      }
    }
    long deadline = time.deadline(PATIENCE);
    while (!proxy.isIdle()) {
      assertThat(time.nanos() - deadline).as("something is still on its way").isNegative();
      time.sleep(Duration.ofMillis(10));
    }
    assertThatAllIsWell(step, result, environment);
  }

  private Path moved(Path file) throws IOException {
    movesLeft--;
    Path elsewhere = Files.createDirectories(folder.resolve("moved " + movesLeft));
    return Files.move(file, elsewhere.resolve("renamed " + file.getFileName()));
  }

  /** What a load printed that came to its end; null if it is to be called again. */
  private static @Nullable JsonNode whenFinished(int code, String out, String err) {
    if (code == ExitCode.DONE.number() || code == ExitCode.REJECTED_RECORDS.number()) {
      return new Ran(code, out, err).json();
    }
    assertThat(code)
        .as(out + err)
        .isIn(
            ExitCode.FAILED.number(), ExitCode.DEFERRED.number(), ExitCode.NO_CONNECTION.number());
    return null;
  }

  /** Runs it as a process, and kills that at some time after it has begun to send. */
  private @Nullable JsonNode killed(Step step, Path file, RandomProxy proxy) throws Exception {
    Path out = folder.resolve("out.txt");
    Path err = folder.resolve("err.txt");
    Process process =
        Ran.process(command(step, file))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    int wanted = proxy.writes() + chance.nextInt(1, Math.max(2, step.lines().size() / 100));
    long deadline = time.deadline(PATIENCE);
    while (proxy.writes() < wanted && process.isAlive()) {
      assertThat(time.nanos() - deadline).as("nothing is sent").isNegative();
      time.sleep(Duration.ofMillis(5));
    }
    time.sleep(Duration.ofMillis(chance.nextInt(100)));
    if (process.isAlive()) {
      process.destroyForcibly().waitFor();
      killsLeft--;
      return null;
    }
    return whenFinished(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private String[] command(Step step, Path file) {
    List<String> command = new ArrayList<>(List.of("load", step.table(), file.toString()));
    command.addAll(step.options());
    command.addAll(
        List.of(
            "--batch-size",
            "10",
            "--output",
            "json",
            "--config",
            folder.resolve("sluice.yaml").toString()));
    return command.toArray(String[]::new);
  }

  private void assertThatAllIsWell(Step step, JsonNode result, Environment environment)
      throws IOException {
    String what = step.table() + " " + step.options() + " " + result;
    assertThat(result.path("read").asInt()).as(what).isEqualTo(step.lines().size());
    assertThat(result.path("deferred").asInt(-1)).as(what).isZero();
    assertThat(result.path("done").asInt() + result.path("rejected").asInt())
        .as(what)
        .isEqualTo(step.lines().size());
    assertThat(result.path("rejected").asInt()).as(what).isEqualTo(step.bad().size());
    assertThat(rejected(result)).as(what).containsExactlyInAnyOrderElementsOf(step.bad());
    Map<String, String> wanted = expected(step.table());
    TreeSet<String> wrong = new TreeSet<>();
    Map<String, String> found = new HashMap<>();
    for (Map<String, ?> row : environment.rows(step.table())) {
      String number = String.valueOf(row.get(number(step.table())));
      String value = String.valueOf(row.get(value(step.table())));
      String other = found.put(number, value);
      if (other != null) {
        wrong.add("%s twice: %s, %s".formatted(number, other, value));
      } else if (!value.equals(wanted.get(number))) {
        wrong.add("%s is %s and should be %s".formatted(number, value, wanted.get(number)));
      }
    }
    for (String number : wanted.keySet()) {
      if (!found.containsKey(number)) {
        wrong.add("%s is missing".formatted(number));
      }
    }
    assertThat(wrong).as(what).isEmpty();
  }

  /** The lines of the reject file as they were, each refused with a code of Dataverse's own. */
  private static List<String> rejected(JsonNode result) throws IOException {
    String file = result.path("rejects").asString("");
    if (file.isEmpty()) {
      return List.of();
    }
    List<String> lines = Files.readAllLines(Path.of(file));
    lines.removeFirst();
    assertThat(lines).allMatch(line -> line.matches(".+,0x[0-9a-fA-F]{8},.+"));
    return lines.stream().map(line -> line.replaceFirst(",0x[0-9a-fA-F]{8},.+", "")).toList();
  }

  private void configure(RandomProxy proxy) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            dataverse:
              environment: %1$s
              authority: %1$s
              tenant: %2$s
              timeouts: {connect: 2s, read: 1s, write: 1500ms}
              identities:
            """
                .formatted(proxy.address(), EnvironmentOptions.TENANT));
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
