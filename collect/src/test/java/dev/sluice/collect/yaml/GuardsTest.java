package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason.Failure;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.http.Paging;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An answer that makes no sense is never taken for an empty page, or for one more. */
class GuardsTest {
  private static final String LIST =
      "items: {get: /items, records: '$.items[*]', key: id, pages: %s}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html><body>One moment, please</body></html>",
        "{\"items\": [{\"id\": 1}, {\"id\"",
        "{\"items\": [{\"id\": 1}]} and more",
        "",
        "{\"error\": {\"code\": \"oops\"}}",
        "[]",
        "{\"items\": {\"id\": 1}}",
        "{\"items\": [1, 2]}",
        "{\"items\": [{\"name\": \"no key\"}]}",
      })
  void an_answer_of_another_shape_is_unexpected(String body) {
    fails(Failure.UNEXPECTED_CONTENT, () -> run(LIST.formatted("none"), Script.of(body)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"items\": []}", "{\"items\": null}"})
  void an_empty_list_is_a_page(String body) throws Exception {
    assertThat(run(LIST.formatted("none"), Script.of(body)).all).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "text/html; charset=s3cretvalue, (it says it is text/html)",
    "x/Bearer s3cretvalue, ends too early",
    "application/s3cretvalue, ends too early",
  })
  void of_the_type_that_an_answer_says_it_is_only_known_names_are_shown(String type, String end) {
    assertThatThrownBy(
            () ->
                run(
                    LIST.formatted("none"),
                    Script.of(request -> Script.answer(200, "x", "Content-Type", type))))
        .isInstanceOf(ProviderException.class)
        .message()
        .endsWith(end)
        .doesNotContain("s3cretvalue");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'has_more': true",
        "'total_pages': 50",
        "'total': 500",
        "'meta': {'totalCount': 500}",
        "'pagination': {'next': '/items?page=2'}",
      })
  void if_no_pages_are_declared_a_body_that_offers_more_is_refused(String offer) {
    String body = "{'items': [{'id': 1}], %s}".formatted(offer).replace('\'', '"');
    fails(
        Failure.UNEXPECTED_CONTENT,
        () -> run("items: {get: /items, records: '$.items[*]', key: id}", Script.of(body)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'total_pages': 1", "'total': 1", "'meta': {'total': 1}", "'total': null"})
  void if_no_pages_are_declared_a_body_with_all_records_is_read(String total) throws Exception {
    String body = "{'items': [{'id': 1}], %s}".formatted(total).replace('\'', '"');
    assertThat(run("items: {get: /items, records: '$.items[*]', key: id}", Script.of(body)).all)
        .hasSize(1);
  }

  @Test
  void a_body_larger_than_any_page_is_not_read() {
    WebAnswer huge =
        new WebAnswer(
            200,
            HttpHeaders.of(Map.of(), (name, value) -> true),
            new byte[PageReader.LARGEST_BODY + 1]);
    fails(
        Failure.UNEXPECTED_CONTENT, () -> run(LIST.formatted("none"), Script.of(request -> huge)));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "7", "100"})
  void pages_that_go_in_a_circle_are_noticed(int length) {
    int[] page = {0};
    Script script =
        Script.of(
            request ->
                Script.json(
                    "{\"items\": [{\"id\": %d}], \"next\": \"t%d\"}"
                        .formatted(page[0], 5 + page[0]++ % length)));
    fails(
        Failure.CURSOR_LOOP,
        () -> run(LIST.formatted("{token: $.next, ask: query cursor}"), script));
    assertThat(script.asked).hasSizeLessThan(5 * length + 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "items: {get: /items, records: '$.items[*]', key: id, pages: %s}",
        "items: {get: /items, records: '$.items[*]', key: id, pages: %s, cursor: {field: at, as: int, ask: query since}}",
        "items: {get: /items, records: '$.items[*]', key: id, pages: %s, cursor: {token: $.since, ask: query since}}",
      })
  void tokens_that_differ_every_time_and_lead_nowhere_are_noticed_at_the_second_known_page(
      String stream) {
    int[] page = {0};
    Script script =
        Script.of(
            request ->
                Script.json(
                    "{\"items\": [{\"id\": 1, \"at\": 5}, {\"id\": 2, \"at\": 6}], \"next\": \"t%d\"}"
                        .formatted(page[0]++)));
    assertThatThrownBy(() -> run(stream.formatted("{token: $.next, ask: query curser}"), script))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.CURSOR_LOOP))
        .hasMessageContaining("pages.ask");
    assertThat(script.asked).hasSize(3);
  }

  @Test
  void records_that_change_or_come_again_among_others_are_no_circle() throws Exception {
    String last = "{\"items\": [{\"id\": 9, \"at\": 9}], \"next\": null}";
    Script changed =
        Script.of(
            "{\"items\": [{\"id\": 1, \"at\": 1}], \"next\": \"a\"}",
            "{\"items\": [{\"id\": 1, \"at\": 2}], \"next\": \"b\"}",
            "{\"items\": [{\"id\": 1, \"at\": 3}], \"next\": \"c\"}",
            "{\"items\": [{\"id\": 1, \"at\": 3}], \"next\": \"d\"}", // once, by mistake
            "{\"items\": [{\"id\": 1, \"at\": 3}, {\"id\": 2, \"at\": 3}], \"next\": \"e\"}",
            "{\"items\": [{\"id\": 2, \"at\": 3}, {\"id\": 3, \"at\": 4}], \"next\": \"f\"}",
            last);
    String stream =
        "items: {get: /items, records: '$.items[*]', key: id, pages: {token: $.next, ask: query cursor}, cursor: {field: at, as: int, ask: query since}}";
    assertThat(run(stream, changed).byKey).containsOnlyKeys("1", "2", "3", "9");
    String keyless =
        "items: {get: /items, records: '$.items[*]', pages: {token: $.next, ask: query cursor}}";
    int[] page = {0};
    Script alike =
        Script.of(
            request ->
                Script.json(
                    page[0]++ < 50
                        ? "{\"items\": [{\"value\": 0}], \"next\": \"t%d\"}".formatted(page[0])
                        : last));
    assertThat(run(keyless, alike).all).hasSize(51);
  }

  @Test
  void pages_without_records_do_not_go_on_for_ever() {
    int[] page = {0};
    Script script =
        Script.of(
            request -> Script.json("{\"items\": [], \"next\": \"t%d\"}".formatted(page[0]++)));
    fails(
        Failure.CURSOR_LOOP,
        () -> run(LIST.formatted("{token: $.next, ask: query cursor}"), script));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{number: query page}", "{offset: query offset, size: 1}"})
  void a_provider_that_always_gives_the_same_page_is_noticed(String pages) {
    fails(
        Failure.CURSOR_LOOP,
        () -> run(LIST.formatted(pages), Script.of("{\"items\": [{\"id\": 1}]}")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LINK", "CURSOR", "NEXT_URL"})
  void a_simulated_provider_whose_cursors_loop_is_noticed(Paging paging) throws Exception {
    String pages =
        switch (paging) {
          case LINK -> "link-header";
          case CURSOR -> "{token: $.next_cursor, ask: query cursor}";
          default -> "{follow: body $.next}";
        };
    Connector connector =
        ConnectorFile.parse(
                "test.yaml",
                """
                connector: test
                provider: {base: "http://127.0.0.1:8089"}
                streams:
                  items: {get: /items, records: "%s", key: id, pages: %s}
                """
                    .formatted(paging == Paging.LINK ? "$[*]" : "$.items[*]", pages))
            .bind(Map.of(), Script.NOBODY, Time.real());
    SimulatedTime.run(
        1,
        time -> {
          ProviderTwin twin =
              new ProviderTwin(
                  ProviderOptions.DEFAULTS
                      .withPaging(paging, 100)
                      .withService(
                          ServiceOptions.DEFAULTS.withMisbehaviours(
                              Set.of(Misbehaviour.CURSOR_LOOPS))),
                  time);
          fails(Failure.CURSOR_LOOP, () -> new Harvest(connector, twin, time).run(Mode.STEADY));
        });
  }

  @Test
  void a_link_to_another_host_is_not_followed() {
    Script script =
        Script.of(
            request ->
                Script.answer(
                    200, "[{\"id\": 1}]", "Link", "<https://evil.example/p2>; rel=\"next\""));
    fails(
        Failure.UNEXPECTED_CONTENT,
        () -> run("items: {get: /items, key: id, pages: link-header}", script));
    assertThat(script.asked).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"href\": \"/items?cursor=t2\"}", "[\"t2\"]", "true"})
  void a_token_that_cannot_be_asked_with_is_not_the_end_of_the_list(String next) {
    String body = "{\"items\": [{\"id\": 1}], \"next\": %s}".formatted(next);
    fails(
        Failure.UNEXPECTED_CONTENT,
        () -> run(LIST.formatted("{token: $.next, ask: query cursor}"), Script.of(body)));
    fails(
        Failure.UNEXPECTED_CONTENT,
        () -> run(LIST.formatted("{follow: body $.next}"), Script.of(body)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "false", "\"\"", "{}", "[]"})
  void a_token_that_is_nothing_is_the_end_of_the_list(String next) throws Exception {
    String body = "{\"items\": [{\"id\": 1}], \"next\": %s}".formatted(next);
    Script script = Script.of(body);
    run(LIST.formatted("{token: $.next, ask: query cursor}"), script);
    assertThat(script.asked).hasSize(1);
  }

  @Test
  void an_address_within_an_object_is_an_offer_of_another_page_too() {
    fails(
        Failure.UNEXPECTED_CONTENT,
        () ->
            run(
                "items: {get: /items, records: '$.items[*]'}",
                Script.of("{\"items\": [{\"id\": 1}], \"next\": {\"href\": \"/items?page=2\"}}")));
  }

  @Test
  void a_page_that_offers_another_is_refused_if_nobody_said_how_to_ask_for_it() {
    fails(
        Failure.UNEXPECTED_CONTENT,
        () ->
            run(
                "items: {get: /items, records: '$.items[*]'}",
                Script.of("{\"items\": [{\"id\": 1}], \"next_cursor\": \"abc\"}")));
  }

  @Test
  void offsets_that_shift_because_a_record_vanished_are_read_again_from_the_first()
      throws Exception {
    Script script =
        Script.of(
            "{\"items\": [{\"id\": 1}, {\"id\": 2}]}",
            "{\"items\": [{\"id\": 4}]}", // 1 has vanished, and 3 was passed over
            "{\"items\": [{\"id\": 2}, {\"id\": 3}]}",
            "{\"items\": [{\"id\": 3}, {\"id\": 4}]}",
            "{\"items\": [{\"id\": 4}]}");
    Harvest harvest = run(LIST.formatted("{offset: query offset, size: 2}"), script);
    assertThat(harvest.all).extracting(CollectedRecord::key).containsExactly("2", "3", "4");
    assertThat(script.asked)
        .extracting(uri -> uri.getQuery())
        .containsExactly("offset=0", "offset=1", "offset=0", "offset=1", "offset=2");
  }

  @Test
  void with_a_total_a_page_that_the_service_has_cut_down_is_not_the_last() throws Exception {
    Script script =
        Script.of(
            "{\"items\": [{\"id\": 1}, {\"id\": 2}], \"total\": 4}",
            "{\"items\": [{\"id\": 2}], \"total\": 4}",
            "{\"items\": [{\"id\": 3}, {\"id\": 4}], \"total\": 4}");
    Harvest harvest =
        run(LIST.formatted("{offset: query from, size: 100, guard: $.total}"), script);
    assertThat(harvest.byKey.keySet()).containsExactly("1", "2", "3", "4");
    assertThat(script.asked)
        .extracting(URI::getQuery)
        .containsExactly("from=0", "from=1", "from=2");
  }

  @Test
  void a_token_that_is_no_longer_taken_sends_the_walk_back_to_its_beginning() throws Exception {
    boolean[] died = {false};
    Script script =
        Script.of(
            request -> {
              String query = String.valueOf(request.uri().getQuery());
              if (query.contains("cursor=t2") && !died[0]) {
                died[0] = true;
                return Script.answer(410, "{}");
              }
              return Script.json(
                  query.contains("cursor=t2")
                      ? "{\"items\": [{\"id\": 2}]}"
                      : "{\"items\": [{\"id\": 1}], \"next\": \"t2\"}");
            });
    Harvest harvest = run(LIST.formatted("{token: $.next, ask: query cursor}"), script);
    assertThat(harvest.byKey).containsOnlyKeys("1", "2");
    assertThat(script.asked).hasSize(4);
  }

  @Test
  void tokens_that_are_never_taken_do_not_send_the_walk_back_for_ever() {
    int[] issued = {0};
    Script script =
        Script.of(
            request ->
                String.valueOf(request.uri().getQuery()).contains("cursor=")
                    ? Script.answer(410, "{}")
                    : Script.json(
                        "{\"items\": [{\"id\": 1}], \"next\": \"t%d\"}".formatted(issued[0]++)));
    fails(
        Failure.CURSOR_LOOP,
        () -> run(LIST.formatted("{token: $.next, ask: query cursor}"), script));
    assertThat(script.asked).hasSizeLessThan(30);
  }

  private static Harvest run(String streams, Script script) throws Exception {
    Harvest harvest = new Harvest(Script.stream(streams), script, Time.real());
    harvest.run(Mode.STEADY);
    return harvest;
  }

  private static void fails(Failure reason, ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
