package dev.sluice.cli;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What {@code ./sluice} runs once after a build while the JDK records which classes are loaded, so
 * that later starts are quick: the help, and a load of a few rows into a simulated environment.
 */
final class TrainingRun {
  private static final int ROWS = 200;

  private TrainingRun() {}

  /** Ends with the exit code of the load. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("sluice-training");
    int code;
    try {
      code = load(folder);
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    System.exit(Math.max(code, Sluice.commandLine().execute("--help")));
  }

  private static int load(Path folder) throws IOException {
    Time time = Time.real();
    ApplicationUser user = ApplicationUser.several(1, 1).getFirst();
    EnvironmentOptions options = EnvironmentOptions.of(List.of(user)).withTimes(ServiceTimes.NONE);
    Path input = folder.resolve("accounts.csv");
    Files.write(
        input,
        IntStream.rangeClosed(0, ROWS)
            .mapToObj(
                i ->
                    i == 0
                        ? "name,numberofemployees,revenue,creditonhold"
                        : "Account %d,%d,%d.5,no".formatted(i, i, i))
            .toList());
    try (LoopbackServer server = LoopbackServer.start(0, new Environment(options, time, 1), time)) {
      Path configuration = folder.resolve("sluice.yaml");
      Files.writeString(folder.resolve("app1.secret"), user.secret());
      Files.writeString(
          configuration,
          """
          dataverse:
            environment: %1$s
            authority: %1$s
            tenant: %2$s
            identities:
              - {name: app1, clientId: %3$s, secretFile: app1.secret}
          """
              .formatted(server.address(), EnvironmentOptions.TENANT, user.clientId()));
      return Sluice.commandLine()
          .execute("load", "account", input.toString(), "--config", configuration.toString());
    }
  }
}
