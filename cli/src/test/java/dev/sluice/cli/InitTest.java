package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.config.Configuration;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.wire.Timeouts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class InitTest {
  private static final Map<String, String> VARIABLES = Map.of("SLUICE_APP1_SECRET", "made up");

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine sluice =
      Sluice.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void what_it_writes_can_be_loaded_as_it_stands_and_leaves_every_default() throws Exception {
    Path file = written();
    assertThat(out.toString()).contains("Wrote " + file, "sluice probe --config " + file);
    DataverseOptions read = Configuration.read(file, VARIABLES).dataverse();
    assertThat(read).isEqualTo(DataverseOptions.of(read.environment(), read.identities()));
    assertThat(read.identities()).hasSize(1);
  }

  @Test
  void every_option_that_it_shows_shows_its_default() throws Exception {
    Path file = written();
    Files.writeString(file, Files.readString(file).replaceAll("(?m)^( *)#(?=[a-z])", "$1"));
    Configuration read = Configuration.read(file, VARIABLES);
    assertThat(read.adaptiveRate())
        .isEqualTo(AdaptiveRateOptions.builder().policy(PolicyName.AIMD).build());
    assertThat(read.resilience()).isEqualTo(ResilienceOptions.DEFAULTS);
    assertThat(read.pool()).isEqualTo(ConnectionPoolOptions.DEFAULTS);
    assertThat(read.timeouts()).isEqualTo(Timeouts.DEFAULTS);
    assertThat(read.limits()).isEqualTo(QuotaOptions.DATAVERSE);
    assertThat(read.dataverse().authority()).isEqualTo(DataverseOptions.PUBLIC_CLOUD);
    assertThat(read.dataverse().apiVersion()).isEqualTo(DataverseOptions.API_VERSION);
    assertThat(read.state()).isEqualTo(folder.resolve(".sluice/state.db"));
  }

  @Test
  void it_shows_every_option_that_there_is() throws Exception {
    String text = Files.readString(written());
    assertThat(
            Stream.of(
                    AdaptiveRateOptions.class,
                    ResilienceOptions.class,
                    ConnectionPoolOptions.class,
                    Timeouts.class,
                    QuotaOptions.class,
                    DataverseOptions.class)
                .flatMap(options -> Arrays.stream(options.getRecordComponents()))
                .map(RecordComponent::getName)
                .filter(
                    name -> !Set.of("roundTrip", "learned").contains(name))) // not set by people
        .allSatisfy(option -> assertThat(text).containsPattern("(?m)^ *#?" + option + ":"));
  }

  @Test
  void a_file_that_is_there_is_overwritten_only_by_force() throws IOException {
    Path file = folder.resolve("sluice.yaml");
    Files.writeString(file, "mine");
    assertThat(sluice.execute("init", file.toString())).isEqualTo(3);
    assertThat(err.toString()).contains("is there already; --force overwrites it");
    assertThat(file).hasContent("mine");
    assertThat(sluice.execute("init", "--force", file.toString())).isZero();
    assertThat(Files.readString(file)).contains("dataverse:");
  }

  @Test
  void a_folder_that_is_not_there_is_named() {
    Path file = folder.resolve("nowhere").resolve("sluice.yaml");
    assertThat(sluice.execute("init", file.toString())).isEqualTo(3);
    assertThat(err.toString()).contains("there is no folder " + folder.resolve("nowhere"));
  }

  @Test
  void help_fits_a_terminal_of_eighty_columns() {
    assertThat(sluice.execute("init", "--help")).isZero();
    assertThat(out.toString()).contains("--force", "FILE");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  private Path written() {
    Path file = folder.resolve("written.yaml");
    assertThat(sluice.execute("init", file.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    return file;
  }
}
