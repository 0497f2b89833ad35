package dev.sluice.load.reject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.reject.RejectReasons.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What records were rejected for, counted. */
class RejectReasonsTest {
  private static final List<String> NAMES = List.of("account", "name", "fax");
  private static final String TOO_LONG =
      "A validation error occurred. The length of the '%s' attribute of the 'account' entity"
          + " exceeded the maximum allowed length of '%d'.";

  @TempDir private Path folder;

  private interface Story {
    void happen(RejectFile rejects, RawRecord record) throws IOException;
  }

  private static RecordReader reader(boolean json) throws IOException {
    String text = json ? "{\"a\":1}\n" : "a\n1\n";
    return Input.read(
        json ? "in.jsonl" : "in.csv",
        new ByteArrayInputStream(text.getBytes(UTF_8)),
        InputOptions.DEFAULTS);
  }

  private RejectReasons counted(Story story) throws IOException {
    try (RecordReader reader = reader(false);
        RejectFile rejects =
            RejectFile.fresh(folder.resolve("r.csv"), reader.layout(), reader.columns(), NAMES)) {
      story.happen(rejects, requireNonNull(reader.next()));
      return rejects.reasons();
    }
  }

  @Test
  void rejects_that_differ_by_values_and_ids_only_are_one_reason() throws IOException {
    RejectReasons reasons =
        counted(
            (rejects, record) -> {
              rejects.append(record, "bad-value", "line 12: Staff is 'many', but 1 is expected");
              rejects.append(record, "bad-value", "line 9: Staff is 'few', but 20 is expected");
              rejects.append(
                  record,
                  "0x80040217",
                  "line 7: account With Id = 11111111-2222-3333-4444-555555555555 Does Not Exist");
              rejects.append(
                  record,
                  "0x80040217",
                  "line 8: account With Id = 11111111-2222-3333-4444-666666666666 Does Not Exist");
              rejects.append(record, "0x80060891", "no line here");
            });
    assertThat(reasons)
        .isEqualTo(
            new RejectReasons(
                List.of(
                    new Reason("0x80040217", "account With Id = … Does Not Exist", 2, 7),
                    new Reason("bad-value", "Staff is '…', but … is expected", 2, 9),
                    new Reason("0x80060891", "no line here", 1, 2)),
                0));
  }

  @Test
  void rejects_of_different_columns_are_different_reasons() throws IOException {
    RejectReasons reasons =
        counted(
            (rejects, record) -> {
              rejects.append(record, "0x80044331", TOO_LONG.formatted("name", 160));
              rejects.append(record, "0x80044331", TOO_LONG.formatted("fax", 50));
              rejects.append(record, "0x80044331", TOO_LONG.formatted("fax", 50));
            });
    assertThat(reasons.reasons()).extracting(Reason::count).containsExactly(2L, 1L);
    assertThat(reasons.reasons().getFirst().message())
        .contains("of the 'fax' attribute of the 'account' entity", "length of '…'.");
  }

  @Test
  void reasons_beyond_a_few_are_counted_together_and_none_is_missed() throws IOException {
    RejectReasons reasons =
        counted(
            (rejects, record) -> {
              for (int i = 0; i < 5_000; i++) {
                String word = Integer.toString(i, 26).replaceAll("\\d", "z");
                rejects.append(
                    record, "0x80040265", "no two are alike: " + word + "q".repeat(i % 7));
              }
              for (int i = 0; i < 30; i++) {
                rejects.append(record, "no-key", "line 3: no key");
              }
            });
    assertThat(reasons.reasons()).hasSize(RejectReasons.MOST);
    assertThat(reasons.reasons().stream().mapToLong(Reason::count).sum() + reasons.others())
        .isEqualTo(5_030);
  }

  @ParameterizedTest(name = "JSON Lines: {0}")
  @ValueSource(booleans = {false, true})
  void a_run_that_goes_on_counts_what_is_in_the_file_already(boolean json) throws IOException {
    Path file = folder.resolve("r");
    long length;
    RejectReasons before;
    try (RecordReader reader = reader(json);
        RejectFile rejects = RejectFile.fresh(file, reader.layout(), reader.columns(), NAMES)) {
      RawRecord record = requireNonNull(reader.next());
      for (int i : IntStream.range(0, 5).toArray()) {
        rejects.append(
            record, "0x80044331", "line %d: ".formatted(20 - i) + TOO_LONG.formatted("name", i));
      }
      rejects.append(record, "no-key", "line 3: two\nlines, \"quoted\"");
      length = rejects.sync();
      before = rejects.reasons();
    }
    Files.writeString(file, Files.readString(file) + "what a crash has left");
    try (RecordReader reader = reader(json);
        RejectFile rejects =
            RejectFile.reopened(file, reader.layout(), reader.columns(), NAMES, length)) {
      assertThat(rejects.reasons()).isEqualTo(before);
      assertThat(before.reasons()).hasSize(2);
      rejects.append(requireNonNull(reader.next()), "no-key", "line 1: two lines, \"quoted\"");
      assertThat(rejects.reasons().reasons().getLast())
          .isEqualTo(new Reason("no-key", "two lines, \"…\"", 2, 1));
    }
  }

  @Test
  void a_file_that_somebody_has_edited_is_counted_as_far_as_it_can_be_read() throws IOException {
    Path file = folder.resolve("r.csv");
    Files.writeString(file, "a,b,c\n1,2,3\n\"x\n");
    try (RecordReader reader = reader(false);
        RejectFile rejects =
            RejectFile.reopened(file, reader.layout(), reader.columns(), NAMES, Files.size(file))) {
      assertThat(rejects.reasons().outOf(7)).isEqualTo(new RejectReasons(List.of(), 7));
    }
  }
}
