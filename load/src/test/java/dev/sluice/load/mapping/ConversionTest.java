package dev.sluice.load.mapping;

import static dev.sluice.load.mapping.Tables.ACCOUNT;
import static dev.sluice.load.mapping.Tables.item;
import static dev.sluice.load.mapping.Tables.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.time.Time;
import dev.sluice.load.Rejection.Reason;
import dev.sluice.load.run.DryRun;
import dev.sluice.load.run.LoadRequest;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Each type of column, with values as people write them. */
class ConversionTest {
  private static final String ID = "00aa00bb-1234-5678-9abc-00dd00ee00ff";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "employees | 12            | 12",
        "employees | -7            | -7",
        "employees | +7            | 7",
        "employees | 007           | 7",
        "employees | 12.0          | 12",
        "employees | 1e3           | 1000",
        "employees | 2147483647    | 2147483647",
        "employees | -2147483648   | -2147483648",
        "big       | 9223372036854775807 | 9223372036854775807",
        "factor    | 1.50          | 1.50",
        "factor    | 0             | 0",
        "factor    | -0.5          | -0.5",
        "factor    | .5            | 0.5",
        "factor    | 5.            | 5",
        "factor    | 007.5         | 7.5",
        "factor    | 1.5E-7        | 0.00000015",
        "ratio     | 6.02e23       | 602000000000000000000000",
        "revenue   | 20000.0000    | 20000.0000",
        "staff     | 0             | 0",
        "staff     | 1000000000    | 1000000000",
        "price     | 100000000000000.00 | 100000000000000.00",
        "price     | 12.50         | 12.50",
        "latitude  | -90           | -90",
        "onhold    | true          | true",
        "onhold    | TRUE          | true",
        "onhold    | Yes           | true",
        "onhold    | y             | true",
        "onhold    | 1             | true",
        "onhold    | on            | true",
        "onhold    | false         | false",
        "onhold    | No            | false",
        "onhold    | f             | false",
        "onhold    | 0             | false",
        "onhold    | off           | false",
        "born      | 2026-01-05    | '\"2026-01-05\"'",
        "born      | 2024-02-29    | '\"2024-02-29\"'",
        "born      | 1753-01-01    | '\"1753-01-01\"'",
        "born      | 2026-01-05T00:00:00Z | '\"2026-01-05\"'",
        "born      | 2026-01-05 00:00:00  | '\"2026-01-05\"'",
        "seen      | 2026-01-05T10:00:00Z | '\"2026-01-05T10:00:00Z\"'",
        "seen      | 2026-01-05T10:00:00+02:00 | '\"2026-01-05T08:00:00Z\"'",
        "seen      | 2026-01-05T10:00:00.789Z  | '\"2026-01-05T10:00:00Z\"'",
        "seen      | 2026-01-05 10:00:00       | '\"2026-01-05T10:00:00Z\"'",
        "seen      | 2026-01-05 10:00 +0200    | '\"2026-01-05T08:00:00Z\"'",
        "seen      | 2026-01-05T10:00          | '\"2026-01-05T10:00:00Z\"'",
        "seen      | 2026-01-05                | '\"2026-01-05T00:00:00Z\"'",
        "stage     | 2             | 2",
        "stage     | Open          | 1",
        "stage     | oPEN          | 1",
        "stage     | 'On hold, waiting' | 3",
        "tags      | 1             | '\"1\"'",
        "tags      | Closed;Open   | '\"2,1\"'",
        "tags      | '2, Open, 2'  | '\"2,1\"'",
        "tags      | 'On hold, waiting' | '\"3\"'",
        "tags      | 'On hold, waiting; 1' | '\"3,1\"'",
        "token     | 00AA00BB-1234-5678-9ABC-00DD00EE00FF   | '\"" + ID + "\"'",
        "token     | {00aa00bb-1234-5678-9abc-00dd00ee00ff} | '\"" + ID + "\"'",
        "token     | 00aa00bb123456789abc00dd00ee00ff       | '\"" + ID + "\"'",
      })
  void a_value_is_written_as_its_column_wants_it(String column, String value, String json)
      throws Exception {
    assertThat(converted(column, " " + value + " ")).isEqualTo("\"" + column + "\":" + json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "employees | twelve       | a whole number from -2147483648 to 2147483647 is expected",
        "employees | 12.5         | a whole number",
        "employees | 2147483648   | a whole number",
        "employees | -            | a whole number",
        "big       | 9223372036854775808 | a whole number",
        "factor    | '1,5'        | a number such as -1234.5, without thousands separators, is expected",
        "factor    | NaN          | a number",
        "factor    | Infinity     | a number",
        "factor    | 1e999999999  | a number",
        "factor    | 1e-999999999 | a number",
        "factor    | 0x10         | a number",
        "revenue   | $5           | a number",
        "staff     | -1           | a whole number from 0 to 1000000000 is expected",
        "staff     | 1000000001   | a whole number from 0 to 1000000000 is expected",
        "staff     | many         | a whole number from 0 to 1000000000 is expected",
        "price     | -0.01        | a number from 0 to 100000000000000 is expected",
        "price     | 100000000000000.01 | a number from 0 to 100000000000000 is expected",
        "price     | 1e15         | a number from 0 to 100000000000000 is expected",
        "price     | much         | a number such as -1234.5, without thousands separators, is expected",
        "latitude  | 90.5         | a number from -90 to 90 is expected",
        "onhold    | maybe        | true or false, yes or no, on or off, 1 or 0 is expected",
        "born      | 2026-02-30   | a date such as 2026-01-05, not before 1753, is expected",
        "born      | 1752-12-31   | a date such as",
        "born      | 05.01.2026   | a date such as",
        "born      | 2026-01-05T10:00:00Z | a date such as",
        "seen      | 2026-01-05T24:30:00Z | a time such as 2026-01-05T10:00:00Z, not before 1753, is expected",
        "seen      | 2026-01-05T10:00:00Z+02:00 | a time such as",
        "seen      | yesterday    | a time such as",
        "stage     | Opne         | 'one of Closed, On hold, waiting, Open, or its number, is expected'",
        "stage     | 9            | one of",
        "tags      | Open;9       | at most 150 times one of",
        "tags      | Open;;Closed | at most 150 times one of",
        "token     | 12           | an id such as",
        "token     | 00aa00bb-1234-5678-9abc-00dd00ee00fg | an id such as",
        "token     | 00aa00bb12-34-5678-9abc-00dd00ee00ff | an id such as",
        "name      | this is longer than it may be | 'at most 20 characters are expected, and it has 29'",
      })
  void a_value_that_its_column_cannot_hold_rejects_the_row(
      String column, String value, String expected) throws Exception {
    var rejection = rejection(Tables.map(csv(column, value), Operation.CREATE).get(0));
    assertThat(rejection.reason()).isEqualTo(Reason.BAD_VALUE);
    assertThat(rejection.message())
        .startsWith("line 2: %s is '%s', but %s".formatted(column, value, expected));
  }

  @Test
  void a_dry_run_rejects_what_the_table_cannot_hold(@TempDir Path folder) throws Exception {
    Path input =
        Files.writeString(
            folder.resolve("in.csv"), "name,staff,price\nA,1,2\nB,-1,1e15\nC,3,2.50\n");
    DryRun.Result result =
        DryRun.of(
            LoadRequest.of("env", ACCOUNT, Operation.CREATE, input.toString()),
            InputStream.nullInputStream(),
            Time.real());
    assertThat(result.rejected()).isEqualTo(1);
    assertThat(Files.readString(result.rejects().orElseThrow()))
        .contains(
            "B,-1,1e15,bad-value,\"line 3: staff is '-1', but a whole number from 0 to 1000000000 is"
                + " expected; price is '1e15', but a number from 0 to 100000000000000 is expected");
  }

  @Test
  void texts_are_escaped_and_keep_their_spaces() throws Exception {
    String text = " a\"b\\c\n\r\té€😀 ";
    String columns = converted("notes", text);
    assertThat(columns).isEqualTo("\"notes\":\" a\\\"b\\\\c\\n\\r\\té€😀 \"");
    assertThat(new JsonMapper().readTree("{" + columns + "}").get("notes").asString())
        .isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\\u0001", "\\u000b", "\\ud800", "\\udc00x", "\\uffff", "\\ufffe", "\\ud83dx"})
  void characters_that_xml_cannot_hold_reject_the_row(String escaped) throws Exception {
    var rejection =
        rejection(Tables.map("{\"name\":\"a%s\"}".formatted(escaped), Operation.CREATE).get(0));
    assertThat(rejection.message())
        .contains("no control characters or halves of characters are expected");
  }

  @Test
  void all_bad_cells_of_a_row_are_in_one_message_and_long_values_are_shortened() throws Exception {
    String input = "name,employees,born\n%s,x,y\n".formatted("n".repeat(100));
    assertThat(rejection(Tables.map(input, Operation.CREATE).get(0)).message())
        .isEqualTo(
            "line 2: name is '"
                + "n".repeat(40)
                + "…', but at most 20 characters are expected, and it has 100; employees is 'x', but"
                + " a whole number from -2147483648 to 2147483647 is expected; born is 'y', but a"
                + " date such as 2026-01-05, not before 1753, is expected");
  }

  @Test
  void a_value_in_a_message_does_not_disturb_a_terminal() throws Exception {
    var mapped = Tables.map("employees\n\"\u001b[2J\nx\"\n", Operation.CREATE).get(0);
    assertThat(rejection(mapped).message()).startsWith("line 2: employees is '?[2J?x', but");
  }

  @Test
  void times_without_an_offset_are_those_of_the_zone_that_was_given() throws Exception {
    MappingOptions options = MappingOptions.DEFAULTS.withZone(ZoneId.of("Europe/Zurich"));
    var mapped =
        Tables.map(
            "seen\n2026-07-05 10:00:00\n2026-07-05\n2026-07-05T10:00:00Z\n",
            ACCOUNT,
            Operation.CREATE,
            Mapping.NONE,
            options);
    assertThat(mapped.stream().map(each -> item(each).columns()))
        .containsExactly(
            "\"seen\":\"2026-07-05T08:00:00Z\"",
            "\"seen\":\"2026-07-04T22:00:00Z\"",
            "\"seen\":\"2026-07-05T10:00:00Z\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-03-29 02:30:00 | there is no such time in Europe/Zurich: clocks go forward from 02:00 to 03:00; an existing time is expected",
        "2026-03-29T02:00    | there is no such time in Europe/Zurich",
        "2026-10-25 02:30:00 | 'that time occurs twice in Europe/Zurich: clocks go back from 03:00 to 02:00; one with its offset (+02:00 or +01:00) is expected'",
        "2026-10-25T02:00    | that time occurs twice in Europe/Zurich",
      })
  void a_time_that_clocks_skip_or_show_twice_rejects_the_row(String value, String expected)
      throws Exception {
    assertThat(rejection(inZurich(value, "columns: {}")).message())
        .startsWith("line 2: seen is '%s', but %s".formatted(value, expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-03-29 01:59:59       | 2026-03-29T00:59:59Z",
        "2026-03-29 03:00:00       | 2026-03-29T01:00:00Z",
        "2026-10-25 01:59:59       | 2026-10-24T23:59:59Z",
        "2026-10-25 03:00:00       | 2026-10-25T02:00:00Z",
        "2026-10-25 02:30:00+02:00 | 2026-10-25T00:30:00Z",
        "2026-10-25 02:30:00+01:00 | 2026-10-25T01:30:00Z",
        "2026-03-29 02:30:00+00:00 | 2026-03-29T02:30:00Z",
      })
  void a_time_beside_them_or_with_its_offset_is_read(String value, String json) throws Exception {
    assertThat(item(inZurich(value, "columns: {}")).columns())
        .isEqualTo("\"seen\":\"" + json + "\"");
  }

  @Test
  void a_pattern_does_not_shift_times_that_clocks_skip_or_show_twice() throws Exception {
    String local = "columns: {seen: {date: dd.MM.yyyy HH:mm}}";
    assertThat(rejection(inZurich("29.03.2026 02:30", local)).message())
        .contains("there is no such time in Europe/Zurich");
    assertThat(rejection(inZurich("25.10.2026 02:30", local)).message())
        .endsWith("one with its offset (+02:00 or +01:00) is expected");
    String zoned = "columns: {seen: {date: \"dd.MM.yyyy HH:mm VV\"}}";
    assertThat(rejection(inZurich("29.03.2026 01:30 Europe/Lisbon", zoned)).message())
        .contains("there is no such time in Europe/Lisbon: clocks go forward from 01:00 to 02:00");
    assertThat(rejection(inZurich("25.10.2026 01:30 Europe/Lisbon", zoned)).message())
        .contains("that time occurs twice in Europe/Lisbon");
    assertThat(item(inZurich("25.10.2026 02:30 Europe/Lisbon", zoned)).columns())
        .isEqualTo("\"seen\":\"2026-10-25T02:30:00Z\"");
    String offset = "columns: {seen: {date: dd.MM.yyyy HH:mm XXX}}";
    assertThat(item(inZurich("25.10.2026 02:30 +01:00", offset)).columns())
        .isEqualTo("\"seen\":\"2026-10-25T01:30:00Z\"");
  }

  @Test
  void a_day_without_a_time_starts_when_it_starts_there() throws Exception {
    MappingOptions cairo = MappingOptions.DEFAULTS.withZone(ZoneId.of("Africa/Cairo"));
    var mapped =
        Tables.map("seen\n2026-04-24\n", ACCOUNT, Operation.CREATE, Mapping.NONE, cairo).get(0);
    assertThat(item(mapped).columns()).isEqualTo("\"seen\":\"2026-04-23T22:00:00Z\"");
  }

  private static Mapped inZurich(String value, String mapping) throws Exception {
    return Tables.map(
            csv("seen", value),
            ACCOUNT,
            Operation.CREATE,
            MappingFile.parse("m.yaml", mapping),
            MappingOptions.DEFAULTS.withZone(ZoneId.of("Europe/Zurich")))
        .get(0);
  }

  @Test
  void a_look_up_is_bound_by_id() throws Exception {
    assertThat(converted("contactid", "{" + ID.toUpperCase(Locale.ROOT) + "}"))
        .isEqualTo("\"new_Contact@odata.bind\":\"/contacts(" + ID + ")\"");
    assertThat(rejection(Tables.map(csv("contactid", "x"), Operation.CREATE).get(0)).message())
        .contains("contactid is 'x', but an id such as");
  }

  @Test
  void values_of_json_need_no_quotes() throws Exception {
    String line =
        "{\"employees\":12,\"onhold\":true,\"tags\":[1,\"Closed\"],\"factor\":1.5e3,\"name\":12.50}";
    assertThat(item(Tables.map(line, Operation.CREATE).get(0)).columns())
        .isEqualTo(
            "\"employees\":12,\"onhold\":true,\"tags\":\"1,2\",\"factor\":1500,\"name\":\"12.50\"");
  }

  @Test
  void more_choices_than_the_service_takes_reject_the_row() {
    Choices choices = new Choices(true, Map.of(), Map.of());
    assertThat(choices.write(numbers(150), new StringBuilder())).isTrue();
    assertThat(choices.write(numbers(151), new StringBuilder())).isFalse();
  }

  private static String numbers(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }

  private static String converted(String column, String value) throws Exception {
    return item(Tables.map(csv(column, value), Operation.CREATE).get(0)).columns();
  }

  private static String csv(String column, String value) {
    return "%s\n\"%s\"\n".formatted(column, value.replace("\"", "\"\""));
  }
}
