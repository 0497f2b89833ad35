package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The connectors that come with the project work, and can prove it. */
class ReadyConnectorsTest {
  private static final int FEWEST_CHECKS = 3;

  private static Path root() {
    Path here = Path.of("");
    return Files.exists(here.resolve("connectors")) ? here : Path.of("..");
  }

  static List<Path> connectors() throws Exception {
    try (Stream<Path> files = Files.list(root().resolve("connectors"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @Test
  void there_are_some() throws Exception {
    assertThat(connectors()).hasSizeGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource("connectors")
  void a_connector_passes_every_check_that_it_brings_along(Path file) throws Exception {
    List<Checks.Result> results =
        Checks.run(ConnectorFile.read(file), root().resolve("connectors"));
    assertThat(results).as("checks of %s", file).hasSizeGreaterThanOrEqualTo(FEWEST_CHECKS);
    for (Checks.Result result : results) {
      assertThat(result.problems()).as("%s: %s", file, result.name()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("connectors")
  void a_connector_begins_with_what_to_configure_and_which_limits_apply(Path file)
      throws Exception {
    List<String> head =
        Files.readAllLines(file).stream().takeWhile(line -> line.startsWith("#")).toList();
    assertThat(head)
        .as("the comment at the head of %s", file)
        .anyMatch(line -> line.startsWith("# Configure: "))
        .anyMatch(line -> line.startsWith("# Limits: "));
  }

  @ParameterizedTest
  @MethodSource("connectors")
  void a_connector_is_in_the_table_of_the_documentation(Path file) throws Exception {
    String row = "| [`%s`](../connectors/%s) |".formatted(file.getFileName(), file.getFileName());
    assertThat(Files.readAllLines(root().resolve("docs/connectors.md")))
        .filteredOn(line -> line.startsWith(row))
        .as("rows of docs/connectors.md that begin with %s", row)
        .hasSize(1);
  }

  @Test
  void the_connector_of_the_simulator_reads_everything_that_is_there() throws Exception {
    ConnectorFile file = ConnectorFile.read(root().resolve("connectors/simulated-provider.yaml"));
    SimulatedTime.run(
        1,
        time -> {
          ProviderTwin twin = new ProviderTwin(ProviderOptions.DEFAULTS, time);
          Connector connector = file.bind(Map.of(), twin, time);
          Harvest harvest = new Harvest(connector, twin, time);
          harvest.run(Mode.STEADY);
          assertThat(harvest.byKey).hasSize(1000);
          DetailStream comments = connector.streams().getFirst().details().getFirst();
          CollectedRecord discussed =
              harvest.all.stream().filter(comments::wants).findFirst().orElseThrow();
          List<CollectedRecord> found = new ArrayList<>();
          comments.read(
              "",
              comments.remembered(discussed),
              twin.requests(connector.provider().authorization()),
              found::add);
          assertThat(found).hasSize(discussed.body().get("comments").intValue());
        });
  }
}
