package dev.sluice.load.reject;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.load.input.Format;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.Layout;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RejectFileTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("a.rejected.csv");
  }

  @ParameterizedTest
  @CsvSource({
    "data/accounts.csv, CSV, data/accounts.rejected.csv",
    "accounts.csv.gz, CSV, accounts.rejected.csv",
    "a.b.ndjson, JSON_LINES, a.b.rejected.jsonl",
    "accounts, CSV, accounts.rejected.csv",
    "-, CSV, stdin.rejected.csv"
  })
  void it_stands_beside_its_input(String source, Format format, String file) {
    assertThat(RejectFile.beside(source, new Layout(format, ',', UTF_8))).isEqualTo(Path.of(file));
  }

  @Test
  void a_row_keeps_its_cells_and_gets_code_and_message() throws IOException {
    rejectAll("name;note\n\"A; \"\"x\"\"\";\"two\nlines\"\nB;\n", UTF_8, file());
    assertThat(file())
        .hasContent(
            "name;note;error_code;error_message\n"
                + "\"A; \"\"x\"\"\";\"two\nlines\";bad-value;\"no; good\"\n"
                + "B;;bad-value;\"no; good\"\n");
  }

  @Test
  void without_rejects_there_is_no_file() throws IOException {
    rejectAll("name\n", UTF_8, file());
    assertThat(file()).doesNotExist();
  }

  @Test
  void what_was_rejected_twice_has_code_and_message_once() throws IOException {
    rejectAll("name,error_code,error_message,note\nA,old,older,x\n", UTF_8, file());
    assertThat(file()).hasContent("name,note,error_code,error_message\nA,x,bad-value,no; good\n");
  }

  @Test
  void of_a_ragged_row_nothing_is_lost() throws IOException {
    rejectAll("a,b\n1,2,3,4\n1\n", UTF_8, file());
    assertThat(file())
        .hasContent(
            "a,b,error_code,error_message\n1,2,bad-value,no; good,3,4\n1,,bad-value,no; good\n");
  }

  @Test
  void loaded_again_with_the_same_options_it_is_the_same_records() throws IOException {
    String input = "name,note\né,\"a,b\"\n";
    rejectAll(input, ISO_8859_1, file());
    InputOptions options = InputOptions.DEFAULTS.withEncoding(ISO_8859_1);
    try (RecordReader reader =
        Input.open(file().toString(), options, InputStream.nullInputStream())) {
      assertThat(reader.columns()).containsExactly("name", "note", "error_code", "error_message");
      RawRecord record = requireNonNull(reader.next());
      assertThat(record.value(0)).isEqualTo("é");
      assertThat(record.value(1)).isEqualTo("a,b");
    }
  }

  @Test
  void an_object_keeps_its_members_as_they_were_and_gets_code_and_message() throws IOException {
    rejectAll(
        "{\"a\":1.10,\"b\":[1,{\"c\":null}],\"error_code\":\"old\",\"d\":\"\\u00e9\"}\n",
        UTF_8,
        file());
    assertThat(file())
        .hasContent(
            "{\"a\":1.10,\"b\":[1,{\"c\":null}],\"d\":\"é\",\"error_code\":\"bad-value\","
                + "\"error_message\":\"no; good\"}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\" 1}", "12", "{\"a\":1} x", "{\"a\":1} {}", "{\"a\":"})
  void a_line_that_is_no_object_is_kept_and_turned_away_until_it_is_corrected(String line)
      throws IOException {
    rejectAll("{\"a\":1}\n" + line + "\n", UTF_8, file());
    try (RecordReader reader =
        Input.read("again.jsonl", Files.newInputStream(file()), InputOptions.DEFAULTS)) {
      assertThat(requireNonNull(reader.next()).rejection()).isNull();
      RawRecord again = requireNonNull(reader.next());
      assertThat(requireNonNull(again.rejection()).message())
          .isEqualTo("line 2: still has 'error_source'; put the corrected members in its place");
      assertThat(again.source())
          .contains("\"error_source\":\"%s\"".formatted(line.replace("\"", "\\\"")));
    }
  }

  @Test
  void a_file_that_is_there_is_kept_when_a_new_run_starts() throws IOException {
    Files.writeString(file(), "being corrected");
    rejectAll("name\nA\n", UTF_8, file());
    assertThat(folder.resolve("a.rejected.csv.previous")).hasContent("being corrected");
    assertThat(file()).content().startsWith("name,error_code");
  }

  @Test
  void a_resumed_run_cuts_off_what_was_not_synced_and_goes_on() throws IOException {
    Layout layout = new Layout(Format.CSV, ',', UTF_8);
    List<RawRecord> records = records("n\n1\n2\n3\n");
    long synced;
    try (RejectFile rejects = RejectFile.fresh(file(), layout, List.of("n"), List.of())) {
      assertThat(rejects.sync()).isZero();
      rejects.append(records.get(0), "c", "m");
      synced = rejects.sync();
      assertThat(synced).isEqualTo(Files.size(file()));
      rejects.append(records.get(1), "c", "longer than what comes in its place");
    }
    assertThat(Files.size(file())).isGreaterThan(synced);
    try (RejectFile rejects =
        RejectFile.reopened(file(), layout, List.of("n"), List.of(), synced)) {
      assertThat(rejects.sync()).isEqualTo(synced);
      rejects.append(records.get(2), "c", "m");
      assertThat(rejects.sync()).isEqualTo(Files.size(file()));
    }
    assertThat(file()).hasContent("n,error_code,error_message\n1,c,m\n3,c,m\n");
  }

  @Test
  void a_run_resumed_before_its_first_sync_starts_the_file_again() throws IOException {
    Layout layout = new Layout(Format.CSV, ',', UTF_8);
    Files.writeString(file(), "torn");
    try (RejectFile rejects = RejectFile.reopened(file(), layout, List.of("n"), List.of(), 0)) {
      rejects.append(records("n\n1\n").get(0), "c", "m");
    }
    assertThat(file()).hasContent("n,error_code,error_message\n1,c,m\n");
  }

  @Test
  void a_file_that_became_shorter_is_noticed() throws IOException {
    Files.writeString(file(), "short");
    assertThatThrownBy(
            () ->
                RejectFile.reopened(
                    file(), new Layout(Format.CSV, ',', UTF_8), List.of("n"), List.of(), 1_000))
        .isInstanceOf(RejectFileException.class)
        .hasMessageContaining("has 5 bytes, but 1,000 were written");
    assertThat(file()).hasContent("short");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_full_disk_is_told_with_what_to_do() throws IOException {
    Path full = Files.createSymbolicLink(folder.resolve("full.csv"), Path.of("/dev/full"));
    RejectFile rejects =
        RejectFile.reopened(full, new Layout(Format.CSV, ',', UTF_8), List.of("n"), List.of(), 0);
    rejects.append(records("n\n1\n").get(0), "c", "m");
    assertThatThrownBy(rejects::sync)
        .isInstanceOf(RejectFileException.class)
        .hasMessageContaining("full.csv cannot be written (No space left on device)")
        .hasMessageContaining("free some space")
        .hasMessageContaining("run the same command again: it continues where it stopped");
    rejects.close(); // says nothing twice
    Files.delete(full);
  }

  @Test
  void a_folder_that_is_not_there_is_told() throws IOException {
    Path nowhere = folder.resolve("nowhere/a.csv");
    RejectFile rejects =
        RejectFile.fresh(nowhere, new Layout(Format.CSV, ',', UTF_8), List.of("n"), List.of());
    assertThatThrownBy(() -> rejects.append(records("n\n1\n").get(0), "c", "m"))
        .isInstanceOf(RejectFileException.class)
        .hasMessageContaining("nowhere");
  }

  @Test
  void nothing_is_added_after_it_was_closed() throws IOException {
    RejectFile rejects =
        RejectFile.fresh(file(), new Layout(Format.CSV, ',', UTF_8), List.of("n"), List.of());
    rejects.close();
    assertThatThrownBy(() -> rejects.append(records("n\n1\n").get(0), "c", "m"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_interrupted_thread_writes_all_the_same() throws IOException {
    try (RejectFile rejects =
        RejectFile.fresh(file(), new Layout(Format.CSV, ',', UTF_8), List.of("n"), List.of())) {
      Thread.currentThread().interrupt();
      rejects.append(records("n\n1\n").get(0), "c", "m");
      assertThat(rejects.sync()).isPositive();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(file()).hasContent("n,error_code,error_message\n1,c,m\n");
  }

  private static void rejectAll(String input, Charset encoding, Path file) throws IOException {
    try (RecordReader reader = open(input, encoding);
        RejectFile rejects = RejectFile.fresh(file, reader.layout(), reader.columns(), List.of())) {
      for (RawRecord record; (record = reader.next()) != null; ) {
        rejects.append(record, "bad-value", "no; good");
      }
    }
  }

  private static List<RawRecord> records(String input) throws IOException {
    List<RawRecord> records = new ArrayList<>();
    try (RecordReader reader = open(input, UTF_8)) {
      for (RawRecord record; (record = reader.next()) != null; ) {
        records.add(record);
      }
    }
    return records;
  }

  private static RecordReader open(String input, Charset encoding) throws IOException {
    return Input.read(
        "input",
        new ByteArrayInputStream(input.getBytes(encoding)),
        InputOptions.DEFAULTS.withEncoding(encoding));
  }
}
