package dev.sluice.load.mapping;

import static dev.sluice.load.mapping.Tables.item;
import static dev.sluice.load.mapping.Tables.rejection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.load.Rejection.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers as they are written in different countries, declared in a mapping or not. */
class NumberFormatTest {
  private static final String NO_MAPPING = "columns: {}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1.234,56  | revenue   | 1.234,56       | 1234.56",
        "1.234,56  | revenue   | -1.234.567,8   | -1234567.8",
        "1.234,56  | revenue   | +12            | 12",
        "1.234,56  | revenue   | 1234,56        | 1234.56",
        "1.234,56  | revenue   | 1.234          | 1234",
        "1.234,56  | revenue   | 0,500          | 0.500",
        "1.234,56  | revenue   | ,5             | 0.5",
        "1.234,56  | revenue   | 1,5E3          | 1500",
        "1.234,56  | employees | 1.234          | 1234",
        "1.234,56  | employees | 12,0           | 12",
        "1.234,56  | big       | 9.223.372.036.854.775.807 | 9223372036854775807",
        "1 234,56  | revenue   | 1 234,56       | 1234.56",
        "1 234,56  | revenue   | 1\u00A0234\u202F567,5 | 1234567.5",
        "1'234.56  | revenue   | 1'234.56       | 1234.56",
        "1'234.56  | revenue   | 1\u2019234.56  | 1234.56",
        "1,234.56  | revenue   | 1,234.56       | 1234.56",
        "1,234.56  | revenue   | 1.234          | 1.234",
        "1,234.56  | revenue   | 1,234,567      | 1234567",
        "1234,56   | factor    | 1234,567       | 1234.567",
        "1234.56   | factor    | 1.234          | 1.234",
        "1234.56   | employees | 5.000          | 5",
      })
  void a_number_is_read_as_its_format_says(String format, String column, String value, String json)
      throws Exception {
    assertThat(item(create(column, value, "number: \"" + format + "\"")).columns())
        .isEqualTo("\"" + column + "\":" + json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1.234,56  | revenue   | 1.23           | a number written as 1.234,56 is expected",
        "1.234,56  | revenue   | 1234.56        | a number written as",
        "1.234,56  | revenue   | 1,234.56       | a number written as",
        "1.234,56  | revenue   | 1.2345         | a number written as",
        "1.234,56  | revenue   | 1234.567       | a number written as",
        "1.234,56  | revenue   | 0.500          | a number written as",
        "1.234,56  | revenue   | .500           | a number written as",
        "1.234,56  | revenue   | 1.234.56       | a number written as",
        "1.234,56  | revenue   | 1..234         | a number written as",
        "1.234,56  | revenue   | 1,234,5        | a number written as",
        "1.234,56  | revenue   | 1.234E3        | a number written as",
        "1.234,56  | revenue   | 1 234          | a number written as",
        "1.234,56  | revenue   | -              | a number written as",
        "1.234,56  | revenue   | €5             | a number written as",
        "1.234,56  | employees | 1.23           | a whole number from -2147483648 to 2147483647, written as 1.234,56, is expected",
        "1.234,56  | employees | 1,5            | a whole number from -2147483648 to 2147483647, written as 1.234,56, is expected",
        "1 234,56  | revenue   | 1 23           | a number written as 1 234,56 is expected",
        "1'234.56  | revenue   | 1,234.56       | a number written as 1'234.56 is expected",
        "1234,56   | revenue   | 1.234,56       | a number written as 1234,56 is expected",
      })
  void a_number_that_is_written_differently_rejects_the_row(
      String format, String column, String value, String expected) throws Exception {
    var rejection = rejection(create(column, value, "number: \"" + format + "\""));
    assertThat(rejection.reason()).isEqualTo(Reason.BAD_VALUE);
    assertThat(rejection.message())
        .startsWith("line 2: %s is '%s', but %s".formatted(column, value, expected));
  }

  @Test
  void a_column_may_have_another_format_than_its_file() throws Exception {
    var mapped =
        Tables.create(
            "Price,factor,No\n\"1.234,5\",1.234,1.234\n",
            """
            number: "1.234,56"
            columns:
              Price: {to: revenue, default: "0,5"}
              factor: {number: "1,234.56"}
              No: {to: contactid, lookup: {table: contact, by: no, number: true}}
            """);
    assertThat(item(mapped.get(0)).columns())
        .isEqualTo(
            "\"revenue\":1234.5,\"factor\":1.234,"
                + "\"new_Contact@odata.bind\":\"/contacts(no=1234)\"");
  }

  @Test
  void keys_and_defaults_are_read_by_the_format_too() throws Exception {
    var mapped =
        Tables.map(
            "source,name\nx,A\n",
            Tables.ACCOUNT,
            Operation.UPSERT,
            MappingFile.parse(
                "m.yaml",
                "columns: {source: {key: true}, No: {to: employees, key: true, default: \"1.234\","
                    + " number: \"1.234,56\"}}"),
            MappingOptions.DEFAULTS);
    assertThat(item(mapped.get(0)).key().toString()).contains("source='x',employees=1234");
  }

  @Test
  void without_a_format_three_decimals_are_decimals_if_nothing_speaks_for_thousands()
      throws Exception {
    var mapped = Tables.create("factor,ratio\n1.234,12.345\n0.125,7\n", NO_MAPPING);
    assertThat(mapped.stream().map(each -> item(each).columns()))
        .containsExactly("\"factor\":1.234,\"ratio\":12.345", "\"factor\":0.125,\"ratio\":7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.234,56",
        "12,50",
        "0,123",
        "1234,567",
        "-1.234.567",
        "1 234,5",
        "1'234,5",
        "1,5E3"
      })
  void a_number_with_a_decimal_comma_makes_three_decimals_after_it_ambiguous(String comma)
      throws Exception {
    String input = "revenue,factor\n1,7.5\n\"%s\",\n2,1.234\n3,1.2\n".formatted(comma);
    var mapped = Tables.create(input, NO_MAPPING);
    assertThat(rejection(mapped.get(1)).message())
        .startsWith(
            "line 3: revenue is '%s', but a number such as -1234.5, without thousands separators,"
                .formatted(comma));
    assertThat(rejection(mapped.get(2)).message())
        .isEqualTo(
            "line 4: factor is '1.234', but the point may separate thousands, because line 3 has"
                + " '%s'; say in a mapping number: \"1,234.56\" to read 1.234, or number:"
                    .formatted(comma)
                + " \"1.234,56\" to read 1234");
    assertThat(item(mapped.get(3)).columns()).isEqualTo("\"revenue\":3,\"factor\":1.2");
  }

  @Test
  void three_decimals_that_were_read_before_a_decimal_comma_are_told_with_it() throws Exception {
    var mapped = Tables.create("revenue\n1\n1.234\n2.345\n\"12,50\"\n\"13,50\"\n", NO_MAPPING);
    assertThat(rejection(mapped.get(3)).message())
        .isEqualTo(
            "line 5: revenue is '12,50', but a number such as -1234.5, without thousands"
                + " separators, is expected; say in a mapping number: \"1.234,56\" to read 12.50;"
                + " line 3 has '1.234', which was read as 1.234");
    assertThat(rejection(mapped.get(4)).message()).doesNotContain("which was read");
  }

  @Test
  void a_default_and_a_row_that_is_rejected_itself_are_not_told_as_lines_read_before()
      throws Exception {
    var mapped =
        Tables.create("ratio,revenue\n1.234,\"12,50\"\n", "columns: {factor: {default: 2.345}}");
    assertThat(rejection(mapped.get(0)).message())
        .endsWith(" to read 12.50; a default is '2.345', which was read as 2.345");
    assertThat(
            rejection(Tables.create("ratio,revenue\n1.234,\"12,50\"\n", NO_MAPPING).get(0))
                .message())
        .endsWith(" to read 12.50");
    assertThatThrownBy(
            () ->
                Tables.create(
                    "name\nA\n",
                    "columns: {factor: {default: 2.345}, revenue: {default: \"12,50\"}, ratio:"
                        + " {default: x}}"))
        .hasMessageEndingWith(
            "m.yaml:1: ratio.default is 'x', but a number such as -1234.5, without thousands"
                + " separators, is expected");
  }

  @Test
  void semicolons_between_cells_speak_for_thousands() throws Exception {
    var mapped = Tables.create("name;revenue\nA;1.234\nB;1.5\nC;0.125\n", NO_MAPPING);
    assertThat(rejection(mapped.get(0)).message())
        .isEqualTo(
            "line 2: revenue is '1.234', but the point may separate thousands, because semicolons"
                + " separate the cells; say in a mapping number: \"1,234.56\" to read 1.234, or"
                + " number: \"1.234,56\" to read 1234");
    assertThat(item(mapped.get(1)).columns()).isEqualTo("\"name\":\"B\",\"revenue\":1.5");
    assertThat(item(mapped.get(2)).columns()).isEqualTo("\"name\":\"C\",\"revenue\":0.125");
  }

  @Test
  void another_column_with_a_decimal_comma_speaks_for_thousands() throws Exception {
    var mapped =
        Tables.create(
            "revenue,factor\n\"1,5\",1.234\n", "columns: {revenue: {number: \"1.234,56\"}}");
    assertThat(rejection(mapped.get(0)).message())
        .startsWith(
            "line 2: factor is '1.234', but the point may separate thousands, because revenue has"
                + " number: \"1.234,56\"; say in a mapping");
  }

  @Test
  void in_a_column_of_whole_numbers_a_point_and_three_digits_always_need_a_format()
      throws Exception {
    var mapped =
        Tables.create("employees,big\n5.000,\n,1.234\n12.0,12.00\n\"1,234\",\n", NO_MAPPING);
    assertThat(rejection(mapped.get(0)).message())
        .isEqualTo(
            "line 2: employees is '5.000', but the point may separate thousands, because the"
                + " column holds whole numbers; say in a mapping number: \"1,234.56\" to read"
                + " 5.000, or number: \"1.234,56\" to read 5000");
    assertThat(rejection(mapped.get(1)).message()).contains("big is '1.234', but the point may");
    assertThat(item(mapped.get(2)).columns()).isEqualTo("\"employees\":12,\"big\":12");
    assertThat(rejection(mapped.get(3)).message())
        .isEqualTo(
            "line 5: employees is '1,234', but a whole number from -2147483648 to 2147483647 is"
                + " expected; say in a mapping number: \"1,234.56\" to read 1234");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1,234.5  | say in a mapping number: \"1,234.56\" to read 1234.5",
        "1'234.5  | say in a mapping number: \"1'234.56\" to read 1234.5",
        "1 234    | say in a mapping number: \"1 234,56\" to read 1234",
        "123,456  | say in a mapping number: \"1,234.56\" to read 123456, or number: \"1.234,56\" to read 123.456",
        "1,234    | say in a mapping number: \"1,234.56\" to read 1234, or number: \"1.234,56\" to read 1.234",
      })
  void what_some_format_could_read_is_rejected_with_that_format(String value, String advice)
      throws Exception {
    assertThat(rejection(create("revenue", value, NO_MAPPING)).message())
        .isEqualTo(
            "line 2: revenue is '%s', but a number such as -1234.5, without thousands separators,"
                    .formatted(value)
                + " is expected; "
                + advice);
  }

  @Test
  void numbers_of_json_lines_are_those_of_json() throws Exception {
    String input = "{\"revenue\":\"12,50\"}\n{\"revenue\":1.234,\"employees\":5.000}\n";
    var mapped = Tables.create(input, NO_MAPPING);
    assertThat(rejection(mapped.get(0)).message())
        .endsWith("a number such as -1234.5, without thousands separators, is expected");
    assertThat(item(mapped.get(1)).columns()).isEqualTo("\"revenue\":1.234,\"employees\":5");
    assertThatThrownBy(
            () ->
                Tables.create(
                    input, "number: \"1.234,56\"\ncolumns: {revenue: {number: \"1 234,56\"}}"))
        .isInstanceOf(MappingException.class)
        .extracting(e -> ((MappingException) e).problems())
        .isEqualTo(
            List.of(
                "number is for CSV, but the input is JSON Lines, whose numbers are written as in"
                    + " JSON; remove it from the mapping",
                "m.yaml:2: revenue.number is for CSV, but the input is JSON Lines, whose numbers"
                    + " are written as in JSON; remove it from the mapping"));
  }

  private static Mapped create(String column, String value, String mapping) throws Exception {
    return Tables.create("%s\n\"%s\"\n".formatted(column, value), mapping).get(0);
  }
}
