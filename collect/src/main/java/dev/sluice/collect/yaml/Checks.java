package dev.sluice.collect.yaml;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.check.CheckRule;
import dev.sluice.collect.yaml.check.CheckedReading;
import dev.sluice.collect.yaml.check.ScriptedProvider;
import dev.sluice.config.ConfigurationException;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Simulation;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.time.Trace;
import dev.sluice.gate.wire.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the checks of a connector file: offline and in simulated time. Waits take no time, and equal
 * files give equal results.
 */
public final class Checks {
  private static final long SEED = 1;
  private static final Transport NOBODY =
      request -> {
        throw new IOException("checks ask nobody");
      };

  private Checks() {}

  /**
   * What came of one.
   *
   * @param problems what was otherwise than expected, each a sentence; empty if nothing was
   */
  public record Result(String name, List<String> problems) {
    public Result {
      problems = List.copyOf(problems);
    }

    /** Whether everything came as expected. */
    public boolean passed() {
      return problems.isEmpty();
    }
  }

  /**
   * Runs all of a file, in order.
   *
   * @param folder where the bodies of answers lie
   * @throws ConfigurationException if there are mistakes in the checks, or such that no check gets
   *     round: then none is run
   */
  public static List<Result> run(ConnectorFile file, Path folder) throws ConfigurationException {
    List<CheckRule> checks = file.checks();
    requireUsable(file, checks);
    List<Result> results = new ArrayList<>();
    for (CheckRule check : checks) {
      List<String> problems = new ArrayList<>();
      Simulation simulation = SimulatedTime.with(SEED);
      Trace unused =
          check
              .now()
              .map(simulation::wallClock)
              .orElse(simulation)
              .run(time -> problems.addAll(run(file, check, folder, time)));
      results.add(new Result(check.name(), problems));
    }
    return results;
  }

  /** What is wrong whatever a check configures is wrong with the file, and told once. */
  private static void requireUsable(ConnectorFile file, List<CheckRule> checks)
      throws ConfigurationException {
    Set<Map<String, String>> configurations = new LinkedHashSet<>();
    checks.forEach(check -> configurations.add(check.config()));
    if (configurations.isEmpty() && !file.isBaseConfigured()) {
      configurations.add(Map.of());
    }
    List<List<String>> found =
        configurations.stream().map(config -> mistakes(file, config)).toList();
    Set<String> wrong = new LinkedHashSet<>(found.isEmpty() ? List.of() : found.getFirst());
    found.forEach(wrong::retainAll);
    if (!wrong.isEmpty()) {
      throw new ConfigurationException(List.copyOf(wrong));
    }
  }

  private static List<String> mistakes(ConnectorFile file, Map<String, String> config) {
    try {
      Connector unused = file.bind(file.madeUp(config), NOBODY, Time.real());
      return List.of();
    } catch (ConfigurationException e) {
      return e.mistakes();
    }
  }

  private static List<String> run(ConnectorFile file, CheckRule check, Path folder, Time time)
      throws InterruptedException {
    Connector connector;
    try {
      connector = file.bind(file.madeUp(check.config()), NOBODY, time);
    } catch (ConfigurationException e) {
      return e.mistakes();
    }
    ListStream stream =
        connector.streams().stream()
            .filter(each -> each.shape().name().equals(check.stream()))
            .findFirst()
            .orElseThrow();
    ScriptedProvider provider =
        new ScriptedProvider(check.script(), folder, connector.provider().signals(), time);
    CheckedReading reading = new CheckedReading(stream, check, provider, time);
    Instant begun = time.instant();
    Optional<String> failure = Optional.empty();
    String why = "";
    try {
      reading.read();
    } catch (ProviderException refused) {
      failure = Optional.of(refused.reason().wireName());
      why = ": " + refused.getMessage();
    } catch (IOException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
    CheckRule.Expected expected = check.expected();
    List<String> problems = new ArrayList<>();
    if (!failure.equals(expected.fails())) {
      problems.add(
          "fails is %s, but %s was expected%s"
              .formatted(failure.orElse("not so"), expected.fails().orElse("no failure"), why));
    }
    compare(problems, "records", expected.records(), Optional.of(reading.records()));
    int before = problems.size();
    compare(problems, "details", expected.details(), Optional.of(reading.details()));
    compare(problems, "gaps", expected.gaps(), Optional.of(reading.gaps()));
    if (problems.size() > before && !reading.firstGap().isEmpty()) {
      problems.add("the first gap is of " + reading.firstGap());
    }
    compare(problems, "gone", expected.gone(), Optional.of(reading.gone()));
    compare(problems, "requests", expected.requests(), Optional.of(provider.requests()));
    compare(problems, "throttled", expected.throttled(), Optional.of(provider.throttled()));
    if (expected.cursor().isPresent() && !expected.cursor().equals(reading.cursor())) {
      problems.add(
          "cursor is %s, but %s was expected%s"
              .formatted(
                  reading.cursor().orElse("not there"),
                  expected.cursor().get(),
                  ahead(expected.cursor().get(), begun)));
    }
    if (failure.isEmpty() && provider.left() > 0) {
      problems.add("%d answers of the script were not asked for".formatted(provider.left()));
    }
    return problems;
  }

  /** What is to be known of a time that the check's clock has not reached. */
  private static String ahead(String cursor, Instant begun) {
    try {
      return OffsetDateTime.parse(cursor).toInstant().isAfter(begun)
          ? "; the check's clock began at %s, and what lies ahead moves no cursor (now: sets it)"
              .formatted(begun)
          : "";
    } catch (DateTimeException e) {
      return ""; // no time
    }
  }

  private static <T> void compare(
      List<String> problems, String what, Optional<T> expected, Optional<T> found) {
    if (expected.isPresent() && !expected.equals(found)) {
      problems.add(
          "%s is %s, but %s was expected"
              .formatted(what, found.map(Object::toString).orElse("not there"), expected.get()));
    }
  }
}
