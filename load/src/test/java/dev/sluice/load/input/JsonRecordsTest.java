package dev.sluice.load.input;

import static dev.sluice.load.input.Reading.all;
import static dev.sluice.load.input.Reading.cells;
import static dev.sluice.load.input.Reading.open;
import static dev.sluice.load.input.Reading.rejection;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.load.Rejection.Reason;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonRecordsTest {

  @Test
  void members_are_read_as_texts() throws IOException {
    assertThat(
            cells(
                open(
                    "a.jsonl",
                    "{\"a\":\"x\\n\\u00e9\",\"b\":1.50,\"c\":true,\"d\":null,\"e\":[1,\"y\"]}\n")))
        .containsExactly(List.of("x\né", "1.50", "true", "", "1;y"));
  }

  @Test
  void columns_are_known_from_the_first_object_and_grow() throws IOException {
    RecordReader reader = open("a.jsonl", "{\"a\":1,\"b\":2}\r\n\r\n{\"c\":3,\"a\":4}");
    assertThat(reader.columns()).containsExactly("a", "b");
    assertThat(requireNonNull(reader.next()).value(1)).isEqualTo("2");
    RawRecord second = requireNonNull(reader.next());
    assertThat(reader.columns()).containsExactly("a", "b", "c");
    assertThat(Arrays.asList(second.value(0), second.value(1), second.value(2)))
        .containsExactly("4", null, "3");
    assertThat(second.index()).isEqualTo(1);
    assertThat(second.line()).isEqualTo(3);
    assertThat(second.source()).isEqualTo("{\"c\":3,\"a\":4}");
    assertThat(reader.next()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "12 ~ NOT_AN_OBJECT ~ line 1: is no JSON object",
        "\"x\" ~ NOT_AN_OBJECT ~ line 1: is no JSON object",
        "{\"a\" 1} ~ NOT_AN_OBJECT ~ line 1: no JSON at character 6",
        "{\"a\": ~ NOT_AN_OBJECT ~ line 1: the JSON does not end on its line",
        "{\"a\":1} {\"a\":2} ~ NOT_AN_OBJECT ~ line 1: has something after its object",
        "{\"a\":1,\"a\":2} ~ NOT_AN_OBJECT ~ line 1: has 'a' twice",
        "{\"a\":{\"b\":1}} ~ BAD_VALUE ~ line 1: 'a' is an object",
        "{\"a\":[[1]]} ~ BAD_VALUE ~ line 1: 'a' is an object",
      })
  void a_line_that_is_no_flat_object_is_rejected_and_the_others_go_on(
      String line, Reason reason, String message) throws IOException {
    List<RawRecord> records = all(open("a.jsonl", line + "\n{\"a\":1}\n"));
    assertThat(records).hasSize(2);
    assertThat(rejection(records.get(0)).reason()).isEqualTo(reason);
    assertThat(rejection(records.get(0)).message()).startsWith(message);
    assertThat(records.get(0).source()).isEqualTo(line);
    assertThat(records.get(1).rejection()).isNull();
    assertThat(records.get(1).index()).isEqualTo(1);
  }

  @Test
  void an_array_is_told_how_to_become_lines() {
    assertThatThrownBy(() -> open("a.jsonl", "\n [\n{\"a\":1}]"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("starts a JSON array, but JSON Lines have one object per line");
  }

  @Test
  void an_empty_file_has_no_records() throws IOException {
    assertThat(all(open("a.jsonl", ""))).isEmpty();
    assertThat(all(open("a.jsonl", "\n \n"))).isEmpty();
  }

  @Test
  void a_text_of_ten_million_characters_is_read() throws IOException {
    String large = "x".repeat(10_000_000);
    assertThat(cells(open("a.jsonl", "{\"a\":\"%s\"}\n{\"a\":1}\n".formatted(large))))
        .containsExactly(List.of(large), List.of("1"));
  }

  @Test
  void a_line_beyond_the_limit_is_rejected_and_the_others_go_on() throws IOException {
    List<RawRecord> records =
        all(
            open(
                "a.jsonl",
                "{\"a\":1}\n{\"a\":\"%s\"}\n{\"a\":3}\n"
                    .formatted("x".repeat(500_000))
                    .getBytes(UTF_8),
                InputOptions.DEFAULTS.withMaxRecord(1024)));
    assertThat(records).hasSize(3);
    assertThat(rejection(records.get(1)).reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(rejection(records.get(1)).message())
        .isEqualTo("line 2: the object has 500,008 characters, but at most 1,024 are allowed");
    assertThat(records.get(2).value(0)).isEqualTo("3");
    assertThat(records.get(2).line()).isEqualTo(3);
  }

  @Test
  void names_without_end_do_not_fill_the_memory() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= 10_000; i++) {
      text.append("{\"n").append(i).append("\":1}\n");
    }
    List<RawRecord> records = all(open("a.jsonl", text.toString()));
    assertThat(records.get(9_999).rejection()).isNull();
    assertThat(rejection(records.get(10_000)).reason()).isEqualTo(Reason.UNKNOWN_COLUMN);
  }
}
