package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Providers that are asked by what a request carries. */
class PostTest {
  private final List<WebRequest> asked = new ArrayList<>();

  @Test
  void a_body_is_the_yaml_as_json_with_its_texts_filled_in() throws Exception {
    run(
        """
        items:
          post: /search
          query: {v: 2}
          body:
            size: 100
            share: 1.5
            size_text: "100"
            size_configured: "{config.size}"
            open: true
            parent: null
            owner: "of {config.owner}"
            graph: "{ items(first: 5) { nodes { id } } }"
            filters: [{field: state, values: [a, "{config.owner}"]}, 7]
          pages: none
        """,
        "[]");
    WebRequest request = asked.getFirst();
    assertThat(request.method()).isEqualTo("POST");
    assertThat(request.uri()).hasToString("https://api.example/search?v=2");
    assertThat(request.headers()).containsSequence("Content-Type", "application/json");
    assertThat(body(0))
        .isEqualTo(
            """
            {"size":100,"share":1.5,"size_text":"100","size_configured":50,"open":true,\
            "parent":null,"owner":"of acme","graph":"{ items(first: 5) { nodes { id } } }",\
            "filters":[{"field":"state","values":["a","acme"]},7]}""");
  }

  @Test
  void a_post_without_a_body_carries_an_empty_object() throws Exception {
    run("items: {post: /search, pages: none}", "[]");
    assertThat(body(0)).isEqualTo("{}");
  }

  @Test
  void tokens_and_cursors_are_asked_for_in_the_body() throws Exception {
    Harvest harvest =
        run(
            """
            items:
              post: /search
              body: {filters: [{field: at}], page: null}
              records: $.items[*]
              key: id
              cursor: {field: at, as: epoch-seconds, ask: "body $.filters[0].from"}
              pages: {token: $.next, ask: body $.page.after}
            """,
            "{\"items\": [{\"id\": 1, \"at\": 10}], \"next\": \"t1\"}",
            "{\"items\": [{\"id\": 2, \"at\": 20}], \"next\": null}",
            "{\"items\": [{\"id\": 2, \"at\": 20}], \"next\": null}");
    boolean unused = harvest.slice(Mode.STEADY);
    assertThat(harvest.byKey).containsOnlyKeys("1", "2");
    assertThat(bodies())
        .containsExactly(
            "{\"filters\":[{\"field\":\"at\"}],\"page\":null}",
            "{\"filters\":[{\"field\":\"at\"}],\"page\":{\"after\":\"t1\"}}",
            "{\"filters\":[{\"field\":\"at\",\"from\":20}],\"page\":null}");
  }

  @Test
  void page_numbers_are_numbers_in_a_body() throws Exception {
    run(
        """
        items:
          post: /search
          key: id
          pages: {number: body $.paging.page, size: 1}
        """,
        "[{\"id\": 1}]",
        "[]");
    assertThat(bodies()).containsExactly("{\"paging\":{\"page\":1}}", "{\"paging\":{\"page\":2}}");
  }

  @Test
  void a_link_is_posted_to_with_the_same_body() throws Exception {
    run(
        """
        items:
          post: /search
          body: {state: all}
          records: $.items[*]
          key: id
          pages: {follow: $.next}
        """,
        "{\"items\": [], \"next\": \"/search/2\"}",
        "{\"items\": [], \"next\": null}");
    assertThat(asked).extracting(request -> request.uri().getPath()).contains("/search/2");
    assertThat(bodies()).containsExactly("{\"state\":\"all\"}", "{\"state\":\"all\"}");
  }

  @Test
  void a_link_is_posted_to_with_what_its_walk_was_asked_for() throws Exception {
    Harvest harvest =
        run(
            """
            items:
              post: /search
              records: $.items[*]
              key: id
              cursor: {field: at, as: int, ask: body $.from}
              pages: {follow: $.next}
            """,
            "{\"items\": [{\"id\": 1, \"at\": 5}], \"next\": null}",
            "{\"items\": [], \"next\": \"/search/2\"}",
            "{\"items\": [], \"next\": null}");
    harvest.run(Mode.STEADY);
    assertThat(bodies()).containsExactly("{}", "{\"from\":5}", "{\"from\":5}");
  }

  @Test
  void details_are_posted_for_with_members_of_their_parent() throws Exception {
    Connector connector =
        connector(
            """
            items: {get: /items, key: id, pages: none}
            parts: {for-each: items, post: /parts, body: {of: ["{parent.ref.id}"]}, pages: none}
            """);
    DetailStream parts = connector.streams().getFirst().details().getFirst();
    ObjectNode item =
        (ObjectNode) JsonMapper.shared().readTree("{\"id\": 1, \"ref\": {\"id\": 7, \"x\": 1}}");
    ObjectNode kept = parts.remembered(new CollectedRecord("1", "", item));
    parts.read("", kept, script("[]"), record -> {});
    assertThat(kept).hasToString("{\"ref\":{\"id\":7}}");
    assertThat(body(0)).isEqualTo("{\"of\":[7]}");
  }

  private Harvest run(String streams, String... answers) throws Exception {
    Harvest harvest =
        new Harvest(connector(streams).streams().getFirst(), script(answers), Time.real());
    harvest.run(Mode.STEADY);
    return harvest;
  }

  private Script script(String... answers) {
    return Script.of(
        request -> {
          asked.add(request);
          return Script.json(answers[asked.size() - 1]);
        });
  }

  private static Connector connector(String streams) throws Exception {
    return ConnectorFile.parse(
            "test.yaml",
            """
            connector: test
            config: {owner: {type: string}, size: {type: int}}
            provider: {base: 'https://api.example', revalidate: etag}
            streams:
            """
                + streams.indent(2))
        .bind(Map.of("owner", "acme", "size", "50"), Script.NOBODY, Time.real());
  }

  private List<String> bodies() {
    return asked.stream()
        .map(request -> new String(request.body(), StandardCharsets.UTF_8))
        .toList();
  }

  private String body(int index) {
    return bodies().get(index);
  }
}
