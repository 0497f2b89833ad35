package dev.sluice.load.input;

import static dev.sluice.load.input.Reading.all;
import static dev.sluice.load.input.Reading.cells;
import static dev.sluice.load.input.Reading.open;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputTest {
  @TempDir private Path folder;

  @Test
  void a_file_that_is_not_there_is_named() {
    String missing = folder.resolve("missing.csv").toString();
    assertThatThrownBy(
            () -> Input.open(missing, InputOptions.DEFAULTS, InputStream.nullInputStream()))
        .isInstanceOf(BadInputException.class)
        .hasMessage(missing + ": there is no such file");
  }

  @Test
  void a_folder_is_no_file() {
    assertThatThrownBy(
            () ->
                Input.open(folder.toString(), InputOptions.DEFAULTS, InputStream.nullInputStream()))
        .hasMessageContaining("is a folder, but a file was expected");
  }

  @Test
  void a_file_is_read() throws IOException {
    Path file = Files.writeString(folder.resolve("a.csv"), "a,b\n1,2\n");
    assertThat(
            cells(
                Input.open(file.toString(), InputOptions.DEFAULTS, InputStream.nullInputStream())))
        .containsExactly(List.of("1", "2"));
  }

  @Test
  void a_hyphen_is_standard_input() throws IOException {
    InputStream in = new ByteArrayInputStream("a;b\n1;2\n".getBytes(UTF_8));
    assertThat(cells(Input.open("-", InputOptions.DEFAULTS, in)))
        .containsExactly(List.of("1", "2"));
  }

  @ParameterizedTest
  @CsvSource({
    "a.csv,CSV",
    "A.TSV,CSV",
    "a.csv.gz,CSV",
    "a.jsonl,JSON_LINES",
    "a.ndjson.GZ,JSON_LINES"
  })
  void the_format_goes_by_the_name(String name, Format format) {
    assertThat(Format.named(name)).hasValue(format);
  }

  @Test
  void without_a_telling_name_the_format_goes_by_the_first_character() throws IOException {
    assertThat(open("standard input", " \n{\"a\":1}").layout().format())
        .isEqualTo(Format.JSON_LINES);
    assertThat(open("standard input", "a,b\n").layout().format()).isEqualTo(Format.CSV);
  }

  @Test
  void the_option_goes_before_the_name() throws IOException {
    InputOptions options = InputOptions.DEFAULTS.withFormat(Format.JSON_LINES);
    assertThat(cells(open("a.csv", "{\"a\":1}".getBytes(UTF_8), options)))
        .containsExactly(List.of("1"));
  }

  @Test
  void a_gzip_file_is_known_by_its_first_bytes() throws IOException {
    byte[] packed = gzip("a,b\n1,2\n".getBytes(UTF_8));
    assertThat(cells(open("no-ending", packed, InputOptions.DEFAULTS)))
        .containsExactly(List.of("1", "2"));
  }

  @Test
  void gzip_files_put_one_after_the_other_are_one_file() throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(gzip("a,b\n1,2\n".getBytes(UTF_8)));
    both.writeBytes(gzip("3,4\n".getBytes(UTF_8)));
    assertThat(cells(open("a.csv.gz", both.toByteArray(), InputOptions.DEFAULTS)))
        .containsExactly(List.of("1", "2"), List.of("3", "4"));
  }

  @Test
  void a_gzip_file_that_was_cut_off_is_noticed() throws IOException {
    byte[] packed = gzip("a,b\n1,2\n".repeat(1000).getBytes(UTF_8));
    byte[] cut = Arrays.copyOf(packed, packed.length - 10);
    assertThatThrownBy(() -> all(open("a.csv.gz", cut, InputOptions.DEFAULTS)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("the gzip file is damaged or was cut off");
  }

  @Test
  void an_excel_file_is_no_text() {
    assertThatThrownBy(() -> open("a.csv", new byte[] {'P', 'K', 3, 4, 20}, InputOptions.DEFAULTS))
        .hasMessageContaining("is a ZIP or Excel file, but text was expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
  void a_byte_order_mark_tells_the_encoding_and_is_no_part_of_a_name(String encoding)
      throws IOException {
    RecordReader reader =
        open(
            "a.csv",
            "\uFEFFa,b\né,2\n".getBytes(Charset.forName(encoding)),
            InputOptions.DEFAULTS.withEncoding(ISO_8859_1));
    assertThat(reader.columns()).containsExactly("a", "b");
    assertThat(reader.layout().encoding().name()).isEqualTo(encoding);
    assertThat(cells(reader)).containsExactly(List.of("é", "2"));
  }

  @Test
  void another_encoding_can_be_given() throws IOException {
    assertThat(
            cells(
                open(
                    "a.csv",
                    "a,b\né,ü\n".getBytes(ISO_8859_1),
                    InputOptions.DEFAULTS.withEncoding(ISO_8859_1))))
        .containsExactly(List.of("é", "ü"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.csv", "a.jsonl"})
  void bytes_that_are_no_text_are_noticed_on_their_line_after_the_records_before_them(String name)
      throws IOException {
    String row = name.endsWith("csv") ? "x,y\r\n" : "{\"a\":1}\r\n";
    byte[] bytes = (row.repeat(30_000) + "\"ü\"\n").getBytes(ISO_8859_1);
    RecordReader reader = open(name, bytes, InputOptions.DEFAULTS);
    assertThatThrownBy(
            () -> {
              while (reader.next() != null) {}
            })
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            name
                + ", line 30001: the byte 0xFC is no UTF-8 text; if the file was written in another"
                + " encoding, say which, for example --encoding windows-1252")
        .extracting(e -> ((BadInputException) e).line())
        .isEqualTo(30_001L);
  }

  @Test
  void a_character_cut_off_at_the_end_is_noticed() {
    byte[] bytes = "a\n1\né".getBytes(UTF_8);
    assertThatThrownBy(
            () -> all(open("a.csv", Arrays.copyOf(bytes, bytes.length - 1), InputOptions.DEFAULTS)))
        .hasMessageContaining("line 3: the byte 0xC3 is no UTF-8 text");
  }

  @Test
  void utf_16_without_a_mark_is_noticed() {
    assertThatThrownBy(() -> open("a.csv", "a,b\n".getBytes(UTF_16LE), InputOptions.DEFAULTS))
        .hasMessageContaining("--encoding UTF-16LE");
    assertThatThrownBy(() -> open("a.csv", "a,b\n".getBytes(UTF_16BE), InputOptions.DEFAULTS))
        .hasMessageContaining("--encoding UTF-16BE");
  }

  @Test
  void characters_are_put_together_however_the_bytes_come() throws IOException {
    byte[] bytes = "a,b\né€😀,2\n".getBytes(UTF_8);
    InputStream oneByOne =
        new FilterInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return super.read(target, offset, Math.min(length, 1));
          }
        };
    assertThat(cells(Input.read("a.csv", oneByOne, InputOptions.DEFAULTS)))
        .containsExactly(List.of("é€😀", "2"));
  }

  @Test
  void a_bad_option_says_what_it_means() {
    assertThatThrownBy(() -> InputOptions.DEFAULTS.withMaxRecord(1))
        .hasMessageContaining("maxRecord is 1, but must lie between 1024 and");
    assertThatThrownBy(() -> InputOptions.DEFAULTS.withDelimiter('"'))
        .hasMessageContaining("delimiter is a quote");
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
