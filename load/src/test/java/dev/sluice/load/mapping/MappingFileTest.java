package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.load.mapping.Mapping.Lookup;
import dev.sluice.load.mapping.Mapping.Rule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingFileTest {

  @Test
  void every_setting_is_read(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("m.yaml"),
            """
            # how accounts come from the old system
            number: "1 234,56"
            yes: [ja, " J "]
            no: nein
            columns:
              Company: name
              Country: {to: countryid, lookup: {table: country, by: code}}
              Owner:
                to: ownerid
                lookup: systemuser
              Stage: {optionset: {Open: 1, "No": 2}}
              Since: {date: dd.MM.yyyy}
              Rating: {default: 3}
              Weight: {number: "1,234.56"}
              Number: {key: true}
              Remarks: {skip: true}
              Parent: {to: parentid, lookup: {same-file: Number}}
            """);
    Mapping mapping = MappingFile.read(file);
    assertThat(mapping.columns().keySet())
        .containsExactly(
            "Company", "Country", "Owner", "Stage", "Since", "Rating", "Weight", "Number",
            "Remarks", "Parent");
    assertThat(mapping.number()).hasValue(new NumberFormat("1 234,56", ',', ' '));
    assertThat(mapping.yes()).containsExactly("ja", "J");
    assertThat(mapping.no()).containsExactly("nein");
    assertThat(rule(mapping, "company").to()).hasValue("name");
    assertThat(rule(mapping, "Country").lookup())
        .hasValue(new Lookup("country", Optional.of("code"), false));
    assertThat(rule(mapping, "Owner").lookup())
        .hasValue(new Lookup("systemuser", Optional.empty(), false));
    assertThat(rule(mapping, "Owner").place()).isEqualTo(file + ":8");
    assertThat(rule(mapping, "Stage").options()).isEqualTo(Map.of("Open", 1, "No", 2));
    assertThat(rule(mapping, "Since").date().get().text()).isEqualTo("dd.MM.yyyy");
    assertThat(rule(mapping, "Rating").fallback()).hasValue("3");
    assertThat(rule(mapping, "Weight").number()).hasValue(new NumberFormat("1,234.56", '.', ','));
    assertThat(rule(mapping, "Number").key()).isTrue();
    assertThat(rule(mapping, "Remarks").skip()).isTrue();
    assertThat(rule(mapping, "Parent").sameFile()).hasValue("Number");
    assertThat(mapping.hasSameFile()).isTrue();
    assertThat(Mapping.NONE.hasSameFile()).isFalse();
  }

  private static Rule rule(Mapping mapping, String column) {
    return requireNonNull(mapping.rule(column));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "colums: {}                 | m.yaml:2: colums is not known; did you mean columns?",
        "columns: [a]               | m.yaml:2: columns is a list, but the input's columns, each with its settings, is expected",
        "columns:                   | m.yaml:2: columns is empty, but the input's columns, each with its settings, is expected",
        "columns: {A: {t: x}}       | m.yaml:2: columns.A.t is not known; did you mean to?",
        "columns: {A: {zzzz: x}}    | m.yaml:2: columns.A.zzzz is not known; one of to, lookup, optionset, date, number, default, skip, key is expected",
        "columns: {A: }             | m.yaml:2: columns.A is empty, but the name of a column, or settings is expected",
        "columns: {A: {to: [x]}}    | m.yaml:2: columns.A.to is a list, but the name of a column is expected",
        "columns: {A: {skip: yep}}  | m.yaml:2: columns.A.skip is 'yep', but true or false is expected",
        "columns: {A: {key: {a: 1}}} | m.yaml:2: columns.A.key is a group of keys, but true or false is expected",
        "columns: {A: {lookup: {by: c}}} | m.yaml:2: columns.A.lookup.table is missing (the name of a table)",
        "columns: {A: {optionset: {x: one}}} | m.yaml:2: columns.A.optionset.x is 'one', but a whole number is expected",
        "columns: {A: {skip: true, to: b}} | m.yaml:2: columns.A is skipped, but has other settings, too; one or the other is expected",
        "columns: {A: {lookup: {same-file: [b]}}} | m.yaml:2: columns.A.lookup.same-file is a list, but a column of the input is expected",
        "columns: {A: {lookup: {same-file: B, table: c}}} | m.yaml:2: columns.A.lookup.same-file does not go with other settings: the row is of the table that is loaded",
        "columns: {A: {lookup: {same-file: B}, default: c}} | m.yaml:2: columns.A has a default, which a look-up to the same file cannot have",
        "columns: {A: {lookup: {table: c, samefile: B}}} | m.yaml:2: columns.A.lookup.samefile is not known; did you mean same-file?",
        "columns: {A: a, A: b}      | m.yaml:2: columns.A is a duplicate key, already in line 2; remove one",
      })
  void a_mistake_names_file_line_key_and_what_was_expected(String text, String message) {
    assertThatThrownBy(() -> MappingFile.parse("m.yaml", "# a comment\n" + text + "\n"))
        .isInstanceOf(MappingException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "german     | it is no number with decimals",
        "1.234      | its separator may stand for thousands or decimals",
        "1234       | it is no number with decimals",
        "'1,234,56' | thousands and decimals have the same separator",
        "'1.23,45'  | it is no number with decimals",
        "'1_234,56' | it is no number with decimals",
        "''         | it is no number with decimals",
      })
  void a_format_of_numbers_that_is_none_is_a_mistake(String yaml, String why) {
    String value = yaml.replace("'", "");
    assertThatThrownBy(
            () ->
                MappingFile.parse(
                    "m.yaml", "number: %s\ncolumns: {A: {number: %s}}".formatted(yaml, yaml)))
        .extracting(e -> ((MappingException) e).problems())
        .isEqualTo(
            List.of(
                "m.yaml:1: number is '%s', but a number in quotes such as \"1.234,56\" is expected (%s)"
                    .formatted(value, why),
                "m.yaml:2: columns.A.number is '%s', but a number in quotes such as \"1.234,56\" is expected (%s)"
                    .formatted(value, why)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "yes: []                 | m.yaml:1: yes is an empty list, but a list of words such as [ja, j] is expected",
        "yes:                    | m.yaml:1: yes is empty, but single values are expected",
        "yes: {ja: j}            | m.yaml:1: yes is a group of keys, but single values are expected",
        "yes: [[ja]]             | m.yaml:1: yes is a list, but single values are expected",
        "yes: [ja, '']           | m.yaml:1: yes is '', but an empty cell means neither yes nor no",
        "no: [ei, y]             | m.yaml:1: no is 'y', which means yes without a mapping; another word is expected, or optionset for one column",
        "{no: [ei, JA], yes: ja} | m.yaml:1: no is 'JA', which is in yes, too; one or the other is expected",
        "number: [1]             | m.yaml:1: number is a list, but a number in quotes such as \"1.234,56\" is expected",
      })
  void a_mistake_in_words_names_its_key(String text, String message) {
    assertThatThrownBy(() -> MappingFile.parse("m.yaml", text)).hasMessage(message);
  }

  @Test
  void a_pattern_that_is_none_is_a_mistake() {
    assertThatThrownBy(() -> MappingFile.parse("m.yaml", "columns: {A: {date: foo}}"))
        .hasMessageStartingWith(
            "m.yaml:1: columns.A.date is 'foo', but a pattern such as dd.MM.yyyy HH:mm is expected");
  }

  @Test
  void all_mistakes_are_told_at_once_each_at_its_line() {
    assertThatThrownBy(
            () ->
                MappingFile.parse(
                    "m.yaml",
                    """
                    columns:
                      A:
                        skp: true
                      B:
                        to: b
                        key: maybe
                    """))
        .extracting(e -> ((MappingException) e).problems())
        .isEqualTo(
            List.of(
                "m.yaml:3: columns.A.skp is not known; did you mean skip?",
                "m.yaml:6: columns.B.key is 'maybe', but true or false is expected"));
  }

  @Test
  void what_is_no_yaml_is_told_with_its_line() {
    assertThatThrownBy(() -> MappingFile.parse("m.yaml", "columns:\n  A: {to: x\n"))
        .isInstanceOf(MappingException.class)
        .hasMessageStartingWith("m.yaml:")
        .hasMessageContaining("cannot be read as YAML");
  }
}
