package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Streams in fixed parts, each with bookmarks of its own. */
class SplitTest {

  @Test
  void the_values_of_one_dimension_are_its_parts_by_their_own_names() throws Exception {
    ListStream stream = stream("get: '/{split.region}', split: {region: [eu, us, eu]}");
    assertThat(stream.splits()).containsExactly("eu", "us");
    assertThat(asked(stream, "us")).isEqualTo("https://api.example/us");
  }

  @Test
  void several_dimensions_are_read_in_every_combination() throws Exception {
    ListStream stream =
        stream(
            "get: '/{split.region}', query: {kind: '{split.kind}'},"
                + " split: {region: '{config.regions}', kind: [new, old]}");
    assertThat(stream.splits()).containsExactly("eu,new", "eu,old", "us,new", "us,old");
    assertThat(asked(stream, "us,old")).isEqualTo("https://api.example/us?kind=old");
  }

  @Test
  void details_know_every_dimension_of_their_parent() throws Exception {
    ListStream stream = stream("get: '/{split.a}/{split.b}', split: {a: [x], b: [y]}");
    Script script = Script.of("[]");
    ObjectNode parent = (ObjectNode) JsonMapper.shared().readTree("{\"id\": 7}");
    stream.details().getFirst().read("x,y", parent, script, record -> {});
    assertThat(script.asked.getFirst()).hasToString("https://api.example/y/x/7");
  }

  private static String asked(ListStream stream, String part) throws Exception {
    Script script = Script.of("[]");
    SliceEnd unused =
        stream.read(
            new SliceStart(part, Mode.STEADY, Optional.empty(), Optional.empty(), Instant.EPOCH, 0),
            script,
            record -> {});
    return script.asked.getFirst().toString();
  }

  private static ListStream stream(String keys) throws Exception {
    String text =
        """
        connector: test
        config: {regions: {type: list}}
        provider: {base: 'https://api.example'}
        streams:
          items: {key: id, pages: none, %s}
          parts: {for-each: items, get: '/{split.b}/{split.a}/{parent.id}', pages: none}
        """
            .formatted(keys);
    return ConnectorFile.parse("test.yaml", text)
        .bind(Map.of("regions", "eu, us"), Script.NOBODY, Time.real())
        .streams()
        .getFirst();
  }
}
