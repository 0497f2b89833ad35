package dev.sluice.simulator.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A client that was written for the real service by others, unmodified, over HTTP: the npm package
 * dynamics-web-api. It is installed below {@code target/}, as its lock file says; without Node.js
 * on the machine the test is skipped.
 */
class ForeignClientTest {
  private static final Path SOURCE = Path.of("src", "test", "node");
  private static final Path PLACE = Path.of("target", "foreign-client");
  private static final long PATIENCE_SECONDS = 180;
  private static final List<String> FILES =
      List.of(
          "package.json",
          "package-lock.json",
          "client.mjs",
          "harness.mjs",
          "records.mjs",
          "queries.mjs",
          "messages.mjs");

  @Test
  void a_client_of_the_real_service_works_and_is_throttled_without_special_treatment()
      throws Exception {
    assumeTrue(isInstalled("node") && isInstalled("npm"), "Node.js is not on this machine");
    install();
    List<ApplicationUser> users = ApplicationUser.several(1, 3);
    Environment environment =
        new Environment(EnvironmentOptions.of(users).withTimes(ServiceTimes.NONE), Time.real(), 3);
    try (LoopbackServer server = LoopbackServer.start(0, environment, Time.real())) {
      String said =
          run(
              "node",
              "client.mjs",
              server.address().toString(),
              EnvironmentOptions.TENANT.toString(),
              users.get(0).clientId().toString(),
              users.get(0).secret());
      List<String> lines = said.lines().toList();
      assertThat(lines.subList(0, lines.size() - 1))
          .containsExactly(
              "ok functions",
              "ok create",
              "ok retrieve",
              "ok update",
              "ok upsert",
              "ok delete",
              "ok query",
              "ok relations",
              "ok expand",
              "ok batch",
              "ok actions",
              "ok pages",
              "ok metadata",
              "ok throttle");
      assertThat(lines.getLast()).startsWith("calls ");
      assertThat(Integer.parseInt(lines.getLast().substring("calls ".length())))
          .as("calls of the client, each with its check")
          .isGreaterThanOrEqualTo(80);
    }
    assertThat(environment.counters().rows()).containsEntry("account", 6_003);
    assertThat(environment.counters().statuses()).containsKey(429);
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(PLACE);
    Path lock = PLACE.resolve("package-lock.json");
    boolean same =
        Files.exists(lock)
            && Files.isDirectory(PLACE.resolve("node_modules"))
            && Files.mismatch(lock, SOURCE.resolve("package-lock.json")) < 0;
    for (String file : FILES) {
      Files.copy(SOURCE.resolve(file), PLACE.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!same) {
      String unused = run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error");
    }
  }

  /** What a program said, which must have ended well. */
  private static String run(String... command) throws IOException, InterruptedException {
    Path said = Files.createTempFile("foreign-client", ".txt");
    Process process =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(PLACE.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      String text = Files.readString(said, StandardCharsets.UTF_8);
      assertThat(ended).as("%s, which said: %s", command[0], text).isTrue();
      assertThat(process.exitValue()).as("%s, which said: %s", command[0], text).isZero();
      return text;
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(said);
    }
  }
}
