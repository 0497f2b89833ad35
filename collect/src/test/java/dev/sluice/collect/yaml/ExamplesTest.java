package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.gate.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the documentation are files that work. */
class ExamplesTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n(connector:.*?)```");

  static List<String> examples() throws Exception {
    Path docs = Path.of("docs", "connectors.md");
    Path file = Files.exists(docs) ? docs : Path.of("..").resolve(docs);
    return BLOCK.matcher(Files.readString(file)).results().map(found -> found.group(1)).toList();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void an_example_can_be_bound_and_passes_its_checks(String text) throws Exception {
    ConnectorFile file = ConnectorFile.parse("example.yaml", text);
    Connector connector = file.bind(file.madeUp(Map.of()), Script.NOBODY, Time.real());
    assertThat(connector.streams()).isNotEmpty();
    assertThat(Checks.run(file, Path.of(".")))
        .allSatisfy(result -> assertThat(result.problems()).isEmpty());
  }
}
