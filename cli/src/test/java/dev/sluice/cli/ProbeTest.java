package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Over HTTP, against a simulated environment on loopback. */
class ProbeTest {
  @TempDir Path folder;

  private final List<ApplicationUser> users = ApplicationUser.several(2, 1);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine sluice =
      Sluice.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
  private LoopbackServer server;

  @BeforeEach
  void start() throws IOException {
    Time time = Time.real();
    server =
        LoopbackServer.start(
            0, new Environment(EnvironmentOptions.of(users).withParallelism(20), time, 1), time);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void it_says_who_signed_in_what_a_table_takes_and_how_long_a_load_lasts() throws IOException {
    configure(server.address(), users.get(0).secret(), users.get(1).secret());
    assertThat(probe("--table", "account", "--rows", "1000000")).as(err.toString()).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .startsWith(server.address().toString())
        .containsPattern("organization +[0-9a-f-]{36}")
        .contains("app1          user %s, 20 requests at once".formatted(users.get(0).userId()))
        .contains("app2          user %s, 20 requests at once".formatted(users.get(1).userId()))
        .contains("account (accounts)")
        .containsPattern("columns +\\d+ that can be written")
        .containsPattern("\\R  name +text, at most 160 characters, required\\R")
        .containsPattern("\\R  numberofemployees +whole number, 0 to 1000000000\\R")
        .containsPattern("\\R  primarycontactid +look-up to contact\\R")
        .contains(
            "policy quota: 2 users, servers unknown, starts at 20 at once, 1,200 s of execution time"
                + " per 5 min")
        .containsPattern("keys +accountid")
        .contains("CreateMultiple, UpdateMultiple, UpsertMultiple")
        .contains("$batch is used for the others")
        // 5,000 requests of each user: four windows of 1,200 and ten rounds of 20
        .contains("1,000,000 rows take 20 min 10 s at best: 826 rows/s")
        .contains("1,200 s of execution time in 5 min 0 s, per user and server")
        .contains("users         2, each on 1 server (assumed; --servers)")
        .contains("each further user adds 400 rows/s");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void json_is_one_object_with_the_same_facts() throws IOException {
    configure(server.address(), users.get(0).secret(), users.get(1).secret());
    assertThat(probe("--table", "account", "--servers", "2", "--output", "json")).isZero();
    assertThat(out.toString().lines()).hasSize(1);
    JsonNode report = JsonMapper.shared().readTree(out.toString());
    assertThat(report.at("/environment").asString()).isEqualTo(server.address().toString());
    assertThat(report.at("/identities/1/name").asString()).isEqualTo("app2");
    assertThat(report.at("/identities/1/signedIn").asBoolean()).isTrue();
    assertThat(report.at("/identities/1/recommendedParallelism").asInt()).isEqualTo(20);
    assertThat(report.at("/table/entitySet").asString()).isEqualTo("accounts");
    assertThat(report.at("/table/elastic").asBoolean()).isFalse();
    assertThat(report.at("/table/bulk")).hasSize(3);
    JsonNode name = report.at("/table/writable/0");
    for (JsonNode column : report.at("/table/writable")) {
      name = column.path("name").asString("").equals("name") ? column : name;
    }
    assertThat(report.at("/table/writable")).hasSize(report.at("/table/columns").asInt());
    assertThat(name.path("label").asString()).isEqualTo("Name");
    assertThat(name.path("type").asString()).isEqualTo("text");
    assertThat(name.path("maxLength").asInt()).isEqualTo(160);
    assertThat(name.path("required").asBoolean()).isTrue();
    assertThat(report.at("/policy/name").asString()).isEqualTo("quota");
    assertThat(report.at("/policy/startsAtOncePerUser").asInt()).isEqualTo(20);
    assertThat(report.at("/policy/executionSeconds").asInt()).isEqualTo(1_200);
    assertThat(report.at("/policy/plan").asString()).startsWith("quota: 2 users");
    assertThat(report.at("/plan/users").asInt()).isEqualTo(2);
    assertThat(report.at("/plan/servers").asInt()).isEqualTo(2);
    assertThat(report.at("/plan/serversAssumed").asBoolean()).isFalse();
    assertThat(report.at("/plan/boundBy").asString()).isEqualTo("execution-time");
  }

  @Test
  void an_elastic_table_takes_every_bulk_message() throws IOException {
    configure(server.address(), users.get(0).secret());
    assertThat(probe("--table", elasticTable())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("elastic:", "DeleteMultiple");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {policy: fixed}                        | policy fixed: 1 user, always 20 at once
          {policy: aimd, preset: conservative}   | policy aimd: 1 user, starts at 10 at once, searches up to 20, preset conservative
          {policy: quota}                        | policy quota: 1 user, servers unknown, starts at 20 at once, 1,200 s of execution time per 5 min
          """)
  void the_policy_in_force_and_its_plan_are_named(String rate, String says) throws IOException {
    configure(server.address(), users.get(0).secret());
    Path file = folder.resolve("sluice.yaml");
    Files.writeString(file, Files.readString(file) + "  adaptiveRate: " + rate + "\n");
    assertThat(probe()).as(err.toString()).isZero();
    assertThat(out.toString().lines()).contains(says);
  }

  @Test
  void a_mapping_to_start_from_is_accepted_by_a_load_as_it_is() throws IOException {
    configure(server.address(), users.get(0).secret());
    Path rows = folder.resolve("accounts.csv");
    Files.writeString(rows, "Account Number,NAME,Remarks\nA-1,Alpha,none\n");
    Path mapping = folder.resolve("accounts.yaml");
    String[] write = {"--table", "account", "--write-mapping", mapping.toString()};
    List<String> args = new ArrayList<>(Arrays.asList(write));
    args.addAll(List.of("--file", rows.toString()));
    assertThat(probe(args.toArray(String[]::new))).as(err.toString()).isZero();
    assertThat(err.toString())
        .contains(
            "Wrote " + mapping + ": 2 columns of " + rows + " go to columns of account, 1 are");
    assertThat(Files.readString(mapping))
        .contains("\"Account Number\": accountnumber", "NAME: name", "Remarks: {skip: true}");
    String config = folder.resolve("sluice.yaml").toString();
    assertThat(
            sluice.execute(
                "load",
                "account",
                rows.toString(),
                "--mapping",
                mapping.toString(),
                "--config",
                config))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains("1 records read: 1 done");

    assertThat(probe(write)).as("it is there already").isEqualTo(3);
    assertThat(err.toString()).contains(mapping + " is there already; --force overwrites it");
    List<String> forced = new ArrayList<>(Arrays.asList(write));
    forced.add("--force");
    assertThat(probe(forced.toArray(String[]::new))).isZero();
    assertThat(Files.readString(mapping)).contains("columns: {}", "  # name: name");
    assertThat(
            sluice.execute(
                "load",
                "account",
                rows.toString(),
                "--mapping",
                mapping.toString(),
                "--config",
                config,
                "--dry-run"))
        .as("Account Number has no place, as without a mapping")
        .isEqualTo(3);
  }

  @ParameterizedTest(name = "[{index}] {0} is refused: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --write-mapping m.yaml                               | --write-mapping needs --table
          --table account --file a.csv                         | --file is for --write-mapping
          --table account --write-mapping m.yaml --file no.csv | no.csv
          """)
  void a_mapping_that_cannot_be_written_is_refused_before_anybody_signs_in(
      String options, String says) throws IOException {
    configure(server.address(), "wrong~secret");
    assertThat(probe(options.split(" ", -1))).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains(says);
  }

  private String elasticTable() {
    return Schema.builtIn().tables().stream()
        .filter(TableSchema::elastic)
        .findFirst()
        .orElseThrow()
        .name();
  }

  @Test
  void an_identity_that_is_not_let_in_is_told_with_its_reason_and_the_others_are_planned_with()
      throws IOException {
    configure(server.address(), users.get(0).secret(), "wrong~secret");
    assertThat(probe()).isEqualTo(5);
    assertThat(out.toString())
        .containsPattern("app2 +not signed in: .*secret")
        .contains("users         1,")
        .doesNotContain("wrong~secret");
  }

  @Test
  void nobody_let_in_means_no_plan() throws IOException {
    configure(server.address(), "wrong~secret");
    assertThat(probe("--output", "json", "--table", "account")).isEqualTo(5);
    JsonNode report = JsonMapper.shared().readTree(out.toString());
    assertThat(report.at("/identities/0/signedIn").asBoolean()).isFalse();
    assertThat(report.at("/identities/0/exitCode").asInt()).isEqualTo(5);
    assertThat(report.has("plan")).isFalse();
    assertThat(report.has("table")).isFalse();
  }

  @Test
  void a_table_that_is_not_there_is_a_mistake_of_whoever_asks() throws IOException {
    configure(server.address(), users.get(0).secret());
    assertThat(probe("--table", "acount")).isEqualTo(3);
    assertThat(err.toString()).contains("sluice probe: there is no table 'acount'");
  }

  @Test
  void an_environment_that_does_not_answer_could_not_be_connected_to() throws IOException {
    URI nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = URI.create("http://127.0.0.1:" + free.getLocalPort());
    }
    configure(nobody, users.get(0).secret());
    assertThat(probe()).isEqualTo(4);
    assertThat(out.toString()).containsPattern("app1 +could not connect: .*does not answer");
  }

  @ParameterizedTest(name = "[{index}] {0} {1} is refused: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --rows              | 0    | --rows is 0, but must be 1 to
          --servers           | 0    | --servers is 0, but must be 1 to
          --seconds-per-batch | 1000 | --seconds-per-batch is 1000.0, but must be above 0 and at most 300
          --batch-size        | 2000 | --batch-size is 2000, but must be 1 to 1000
          """)
  void options_that_cannot_be_are_refused_before_anybody_signs_in(
      String option, String value, String says) throws IOException {
    configure(server.address(), "wrong~secret");
    assertThat(probe(option, value)).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains(says).contains("See: sluice probe --help");
  }

  @Test
  void a_mistake_in_the_configuration_is_told_with_its_line() throws IOException {
    Path file = folder.resolve("sluice.yaml");
    Files.writeString(file, "dataverse:\n  pol: {}\n");
    assertThat(probe()).isEqualTo(3);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            file + ":2: dataverse.pol is not known; did you mean pool?\n");
  }

  @Test
  void what_an_option_means_stands_on_a_line_of_its_own() throws IOException {
    Path file = folder.resolve("sluice.yaml");
    Files.writeString(file, "dataverse: {adaptiveRate: {decreaseFactor: 1.5}}\n");
    assertThat(probe()).isEqualTo(3);
    assertThat(err.toString())
        .startsWith(
            """
            %s:1: dataverse.adaptiveRate.decreaseFactor is 1.5, but must lie between 0.1 and 0.9
            %s(the share of"""
                .formatted(file, " ".repeat(file.toString().length() + 4)));
  }

  @Test
  void a_configuration_that_is_not_there_is_named() {
    assertThat(probe()).isEqualTo(3);
    assertThat(err.toString()).contains("there is no file " + folder.resolve("sluice.yaml"));
  }

  @Test
  void help_names_every_option_and_fits_a_terminal_of_eighty_columns() {
    assertThat(sluice.execute("probe", "--help")).isZero();
    assertThat(out.toString())
        .contains("--config", "--table", "--rows", "--servers", "--seconds-per-batch", "--output");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  private int probe(String... args) {
    List<String> all = new ArrayList<>(List.of("probe", "--config"));
    all.add(folder.resolve("sluice.yaml").toString());
    all.addAll(Arrays.asList(args));
    return sluice.execute(all.toArray(String[]::new));
  }

  /** The first users with these secrets. */
  private void configure(URI address, String... secrets) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            dataverse:
              environment: %1$s
              authority: %1$s
              tenant: %2$s
              identities:
            """
                .formatted(address, EnvironmentOptions.TENANT));
    for (int i = 0; i < secrets.length; i++) {
      Files.writeString(folder.resolve(i + ".secret"), secrets[i]);
      text.append(
          "    - {name: %s, clientId: %s, secretFile: %d.secret}\n"
              .formatted(users.get(i).name(), users.get(i).clientId(), i));
    }
    Files.writeString(folder.resolve("sluice.yaml"), text);
  }
}
