package dev.sluice.load.input;

import static dev.sluice.load.input.Reading.all;
import static dev.sluice.load.input.Reading.cells;
import static dev.sluice.load.input.Reading.open;
import static dev.sluice.load.input.Reading.rejection;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.load.Rejection.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRecordsTest {

  @Test
  void cells_are_read_with_quotes_delimiters_and_line_ends_in_them() throws IOException {
    assertThat(cells(open("a.csv", "name,note\r\n\"Smith, \"\"Al\"\"\",\"two\nlines\"\r\nB,\r\n")))
        .containsExactly(List.of("Smith, \"Al\"", "two\nlines"), List.of("B", ""));
  }

  @Test
  void a_record_knows_its_index_and_the_line_on_which_it_starts() throws IOException {
    List<RawRecord> records = all(open("a.csv", "name,note\nA,\"x\ny\"\n\nB,z\n"));
    assertThat(records).extracting(RawRecord::index).containsExactly(0L, 1L);
    assertThat(records).extracting(RawRecord::line).containsExactly(2L, 5L);
  }

  @ParameterizedTest
  @ValueSource(strings = {",", ";", "\t", "|"})
  void the_delimiter_is_found(String delimiter) throws IOException {
    RecordReader reader = open("a.csv", "a_b_c\n1_2_3\n".replace("_", delimiter));
    assertThat(reader.layout().delimiter()).isEqualTo(delimiter.charAt(0));
    assertThat(reader.columns()).containsExactly("a", "b", "c");
  }

  @Test
  void of_two_delimiters_in_the_header_the_second_row_decides() throws IOException {
    assertThat(open("a.csv", "\"x,y\";last, first;z\n1;2;3\n").columns())
        .containsExactly("x,y", "last, first", "z");
    assertThat(open("a.csv", "last, first;city\nMiller;Rome\n").columns())
        .containsExactly("last, first", "city");
  }

  @Test
  void any_other_delimiter_can_be_given() throws IOException {
    RecordReader reader =
        open("a.csv", "a^b\n1,5^2\n".getBytes(UTF_8), InputOptions.DEFAULTS.withDelimiter('^'));
    assertThat(cells(reader)).containsExactly(List.of("1,5", "2"));
  }

  @Test
  void a_ragged_row_is_rejected_with_its_line_and_the_others_go_on() throws IOException {
    List<RawRecord> records = all(open("a.csv", "a,b\n1,2\n1,2,3\n1\n4,5\n"));
    assertThat(records).extracting(RawRecord::index).containsExactly(0L, 1L, 2L, 3L);
    assertThat(records.get(0).rejection()).isNull();
    assertThat(rejection(records.get(1)).reason()).isEqualTo(Reason.RAGGED_ROW);
    assertThat(rejection(records.get(1)).message())
        .startsWith("line 3: the row has 3 cells, but the header has 2");
    assertThat(records.get(1).value(2)).isEqualTo("3");
    assertThat(rejection(records.get(2)).message()).startsWith("line 4: the row has 1 cells");
    assertThat(records.get(3).rejection()).isNull();
  }

  @Test
  void an_empty_file_is_told_to_need_a_header() {
    assertThatThrownBy(() -> open("a.csv", ""))
        .isInstanceOf(BadInputException.class)
        .hasMessage("a.csv: is empty; a header row with the names of the columns was expected");
    assertThatThrownBy(() -> open("a.csv", "\n\n")).hasMessageContaining("is empty");
  }

  @Test
  void a_header_alone_has_no_records() throws IOException {
    assertThat(all(open("a.csv", "name,note"))).isEmpty();
  }

  @Test
  void a_name_that_the_header_has_twice_is_an_error() {
    assertThatThrownBy(() -> open("a.csv", "name,note,name\n"))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "a.csv, line 1: the header has 'name' twice, as columns 1 and 3; rename one of them");
  }

  @Test
  void a_column_without_a_name_is_an_error() {
    assertThatThrownBy(() -> open("a.csv", "name,,x\n"))
        .hasMessageContaining("line 1: column 2 of the header has no name");
  }

  @Test
  void a_cell_of_ten_million_characters_is_read() throws IOException {
    String large = "x".repeat(10_000_000);
    assertThat(cells(open("a.csv", "a,b\n1,\"" + large + "\"\n2,3\n")))
        .containsExactly(List.of("1", large), List.of("2", "3"));
  }

  @Test
  void a_row_beyond_the_limit_is_rejected_and_the_others_go_on() throws IOException {
    String half = "x".repeat(800);
    List<RawRecord> records =
        all(
            open(
                "a.csv",
                "a,b\n%s,%s\n2,3\n".formatted(half, half).getBytes(UTF_8),
                InputOptions.DEFAULTS.withMaxRecord(1024)));
    assertThat(rejection(records.get(0)).reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(rejection(records.get(0)).message())
        .isEqualTo("line 2: the row has 1,600 characters, but at most 1,024 are allowed");
    assertThat(records.get(1).value(0)).isEqualTo("2");
  }

  @Test
  void a_cell_that_never_ends_is_not_read_into_memory_for_ever() {
    InputStream endless =
        new InputStream() {
          private int at;

          @Override
          public int read() {
            String head = "a,b\n1,2\n3,\"";
            return at < head.length() ? head.charAt(at++) : 'x';
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            for (int i = 0; i < length; i++) {
              target[offset + i] = (byte) read();
            }
            return length;
          }
        };
    assertThatThrownBy(
            () -> all(Input.read("a.csv", endless, InputOptions.DEFAULTS.withMaxRecord(100_000))))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("a.csv, line 3: the row that begins here cannot be read as CSV")
        .hasMessageContaining("closing quote is missing")
        .hasMessageEndingWith("more than 100,000 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,b\n1,2\n3,\"x", "a,b\n1,2\n3,\"x\"y\n"})
  void a_quote_in_the_wrong_place_names_the_row(String text) {
    assertThatThrownBy(() -> all(open("a.csv", text)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("a.csv, line 3: the row that begins here cannot be read as CSV");
  }
}
