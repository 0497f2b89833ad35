package dev.sluice.collect.yaml.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConditionTest {
  private static final JsonNode FACTS =
      JsonMapper.builder()
          .build()
          .readTree(
              """
              {"status": 403, "text": "You hit a secondary rate limit", "left": "0", "none": null,
               "flag": true, "deep": {"a-b": {"c": 7.50}}, "tags": ["x", "y", 3], "name": "b"}
              """);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status == 403",
        "status != 404",
        "status < 404 and status <= 403 and status > 402 and status >= 403",
        "status in [200, 403]",
        "status in [403]",
        "left == 0",
        "left == '0'",
        "text contains 'secondary rate limit'",
        "tags contains 'x' and tags contains 3 and not tags contains 'z'",
        "exists(deep.a-b.c) and not exists(none) and not exists(nothing)",
        "deep.a-b.c == 7.5",
        "$.deep.a-b.c >= 7",
        "$.tags[1] == 'y'",
        "flag == true",
        "none == null",
        "name > 'a' and name < \"c\"",
        "status == 1 or status == 403 and left == 0",
        "not (status == 1 or status == 2)",
        "nothing != 3",
      })
  void it_holds(String condition) {
    assertThat(Condition.parse(condition).holds(Facts.of(FACTS))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status == 404",
        "nothing == 3",
        "nothing < 3",
        "nothing > 3",
        "none >= 0",
        "nothing contains 'x'",
        "(status == 1 or status == 403) and left == 1",
        "not status == 403",
        "left > 10",
        "text in ['a', 'b']",
      })
  void it_does_not_hold(String condition) {
    assertThat(Condition.parse(condition).holds(Facts.of(FACTS))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                   | but a name, a number or a text in quotes is expected",
        "status               | but after 'status' one of ==, !=, <, <=, >, >=, in, contains is"
            + " expected",
        "status ==            | but after '==' a name, a number or a text in quotes is expected",
        "status == 403 left   | but after '403' and, or, or the end is expected, not 'left'",
        "(status == 403       | but after '403' ) is expected",
        "status in 403        | but after 'in' [ is expected, not '403'",
        "status in []         | but after '[' a name, a number or a text in quotes is expected, not"
            + " ']'",
        "exists('a')          | but exists() needs a name",
        "status && left       | which cannot be read from '&& left' on",
        "and == 3             | but a name, a number or a text in quotes is expected, not 'and'",
        "status == 'a         | which cannot be read from ''a' on",
      })
  void a_slip_is_told_with_its_place(String condition, String message) {
    assertThatThrownBy(() -> Condition.parse(condition))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_condition_that_is_nested_without_end_is_refused() {
    assertThatThrownBy(() -> Condition.parse("(".repeat(10_000) + "a == 1" + ")".repeat(10_000)))
        .hasMessageContaining("nested too deeply");
  }

  @Test
  void it_names_every_path_that_it_asks_for() {
    assertThat(Condition.parse("a == b or not exists(c.d) and $.e in [1]").paths())
        .containsExactly("$.e", "a", "b", "c.d");
  }
}
