package dev.sluice.collect.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;

class JsonPathTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final JsonNode ROOT =
      JsonMapper.builder()
          .build()
          .readTree(
              "{\"a\": {\"b\": 1}, \"l\": [{\"x\": 1}, {\"x\": 2}, {}], \"m\": [[1, 2], [3]], \"odd"
                  + " name\": 5, \"n\": null, \"e\": []}");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$.a.b           | [1]",
        "$.l[*].x        | [1, 2]",
        "$.l[1].x        | [2]",
        "$.l[9]          | []",
        "$.m[*][*]       | [1, 2, 3]",
        "$['odd name']   | [5]",
        "$.nothing.b     | []",
        "$.a[*]          | []",
        "$.e[*]          | []",
      })
  void it_leads_to_everything_that_it_names(String path, String found) {
    assertThat(JsonPath.parse(path).all(ROOT)).hasToString(found);
  }

  @Test
  void the_root_is_a_place_too() {
    assertThat(JsonPath.parse("$").first(ROOT)).isSameAs(ROOT);
  }

  @Test
  void an_empty_list_is_there_and_another_shape_is_not() {
    assertThat(JsonPath.parse("$.e[*]").isThere(ROOT)).isTrue();
    assertThat(JsonPath.parse("$.a[*]").isThere(ROOT)).isFalse();
    assertThat(JsonPath.parse("$.nothing[*]").isThere(ROOT)).isFalse();
    assertThat(JsonPath.parse("$.n[*]").isThere(ROOT)).isFalse();
    assertThat(JsonPath.parse("$.n[*]").isNullIn(ROOT)).isTrue();
    assertThat(JsonPath.parse("$.a").isThere(ROOT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "$a", "$.", "$..a", "$.a[", "$.a[x]", "$.*", "$.a b", "$[-1]"})
  void what_is_no_path_is_refused_with_examples(String text) {
    assertThatThrownBy(() -> JsonPath.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("$.data[*]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$.a         | {}                  | {\"a\":1}",
        "$.a.b       | {\"a\": null}       | {\"a\":{\"b\":1}}",
        "$.a.b       | {\"a\": {\"c\": 2}} | {\"a\":{\"c\":2,\"b\":1}}",
        "$.a[0].b    | {\"a\": [{}, {}]}   | {\"a\":[{\"b\":1},{}]}",
        "$.a[1]      | {\"a\": [5, 6]}     | {\"a\":[5,1]}",
        "$['o n']    | {}                  | {\"o n\":1}",
      })
  void something_can_be_put_where_a_path_leads_to(String path, String json, String after) {
    ObjectNode root = (ObjectNode) JSON.readTree(json);
    assertThat(JsonPath.parse(path).put(root, IntNode.valueOf(1))).isTrue();
    assertThat(root).hasToString(after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$       | {}",
        "$.a.b   | {\"a\": 5}",
        "$.a[0]  | {\"a\": []}",
        "$.a[0]  | {}",
        "$.a[*]  | {\"a\": [1]}",
        "$.a[*].b| {\"a\": [{}]}",
      })
  void nothing_is_put_where_there_is_no_single_place(String path, String json) {
    assertThat(JsonPath.parse(path).put((ObjectNode) JSON.readTree(json), IntNode.valueOf(1)))
        .isFalse();
  }
}
