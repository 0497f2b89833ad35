package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason.Failure;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Providers that tell what has changed since a token that they issued. */
class TokenCursorTest {
  private static final String EVENTS =
      """
      events:
        get: /events
        records: $.items[*]
        key: id
        cursor: {token: $.sync, ask: query sync, begin: {since: "2024"}, expired: [400, 410]}
        pages: {token: $.next, ask: query page}
      """;

  @Test
  void the_token_of_the_last_page_is_where_the_next_run_begins() throws Exception {
    Script script =
        Script.of(
            "{\"items\": [{\"id\": 1}], \"next\": \"p2\"}",
            "{\"items\": [{\"id\": 2}], \"sync\": \"s1\"}",
            "{\"items\": [{\"id\": 3}], \"next\": \"p2\"}",
            "{\"items\": [], \"sync\": \"s2\"}");
    Harvest harvest = harvest(EVENTS, script);
    harvest.run(Mode.STEADY);
    assertThat(harvest.bookmark(Mode.STEADY)).contains("s1");
    harvest.run(Mode.STEADY);
    assertThat(harvest.bookmark(Mode.STEADY)).contains("s2");
    assertThat(harvest.byKey).containsOnlyKeys("1", "2", "3");
    assertThat(queries(script))
        .containsExactly("since=2024", "since=2024&page=p2", "sync=s1", "sync=s1&page=p2");
  }

  @Test
  void a_token_that_is_also_the_way_to_the_next_page_takes_the_place_of_the_beginning()
      throws Exception {
    Script script =
        Script.of(
            "{\"items\": [{\"id\": 1}], \"sync\": \"s1\", \"end\": false}",
            "{\"items\": [{\"id\": 2}], \"sync\": \"s2\", \"end\": true}",
            "{\"items\": [], \"sync\": \"s2\", \"end\": true}");
    Harvest harvest =
        harvest(
            EVENTS.replace(
                "{token: $.next, ask: query page}",
                "{token: $.sync, ask: query sync, until: $.end == true}"),
            script);
    harvest.run(Mode.STEADY);
    harvest.run(Mode.STEADY);
    assertThat(queries(script)).containsExactly("since=2024", "sync=s1", "sync=s2");
    assertThat(harvest.bookmark(Mode.STEADY)).contains("s2");
  }

  @Test
  void a_token_that_is_no_longer_honoured_fails_the_stream_and_says_what_to_do() throws Exception {
    Harvest harvest = harvest(EVENTS, expired("s1", 410));
    harvest.run(Mode.STEADY);
    assertThatThrownBy(() -> harvest.run(Mode.STEADY))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.CURSOR_EXPIRED))
        .hasMessageContaining("cursor.when-expired: start-anew");
    assertThat(harvest.bookmark(Mode.STEADY)).contains("s1");
  }

  @Test
  void if_so_declared_everything_is_read_again() throws Exception {
    Script script = expired("s1", 400);
    Harvest harvest =
        harvest(EVENTS.replace("expired:", "when-expired: start-anew, expired:"), script);
    harvest.run(Mode.STEADY);
    harvest.run(Mode.STEADY);
    assertThat(queries(script)).containsExactly("since=2024", "sync=s1", "since=2024");
    assertThat(harvest.all).hasSize(2);
  }

  @Test
  void other_refusals_are_what_they_are() throws Exception {
    Harvest harvest =
        harvest(
            EVENTS.replace("expired:", "when-expired: start-anew, expired:"), expired("s1", 404));
    harvest.run(Mode.STEADY);
    assertThatThrownBy(() -> harvest.run(Mode.STEADY))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.NOT_FOUND));
  }

  @Test
  void a_page_whose_token_dies_sends_the_walk_back_to_the_token_it_began_with() throws Exception {
    boolean[] died = {false};
    Script script =
        Script.of(
            request -> {
              String query = request.uri().getQuery();
              if (query.contains("page=p2") && query.contains("sync=s1") && !died[0]) {
                died[0] = true;
                return Script.answer(410, "{}");
              }
              return Script.json(
                  query.contains("page=p2")
                      ? "{\"items\": [], \"sync\": \"s1\"}"
                      : "{\"items\": [{\"id\": 1}], \"next\": \"p2\"}");
            });
    Harvest harvest = harvest(EVENTS, script);
    harvest.run(Mode.STEADY);
    harvest.run(Mode.STEADY);
    assertThat(queries(script).subList(2, 6))
        .containsExactly("sync=s1", "sync=s1&page=p2", "sync=s1", "sync=s1&page=p2");
  }

  @Test
  void pages_whose_tokens_always_die_do_not_send_the_walk_back_for_ever() {
    int[] issued = {0};
    Script script =
        Script.of(
            request ->
                String.valueOf(request.uri().getQuery()).contains("page=")
                    ? Script.answer(410, "{}")
                    : Script.json(
                        "{\"items\": [{\"id\": 1}], \"next\": \"p%d\"}".formatted(issued[0]++)));
    assertThatThrownBy(() -> harvest(EVENTS, script).run(Mode.STEADY))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.CURSOR_LOOP));
    assertThat(script.asked).hasSizeLessThan(30);
  }

  @Test
  void a_last_page_without_a_token_is_not_understood_unless_there_is_one_already()
      throws Exception {
    assertThatThrownBy(() -> harvest(EVENTS, Script.of("{\"items\": []}")).run(Mode.STEADY))
        .hasMessageContaining("check cursor.token");
    Harvest harvest =
        harvest(EVENTS, Script.of("{\"items\": [], \"sync\": \"s1\"}", "{\"items\": []}"));
    harvest.run(Mode.STEADY);
    harvest.run(Mode.STEADY);
    assertThat(harvest.bookmark(Mode.STEADY)).isEqualTo(Optional.of("s1"));
  }

  @Test
  void pages_of_tokens_that_go_in_a_circle_are_noticed() {
    assertThatThrownBy(
            () ->
                harvest(EVENTS, Script.of("{\"items\": [{\"id\": 1}], \"next\": \"p2\"}"))
                    .run(Mode.STEADY))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.CURSOR_LOOP));
  }

  private static Script expired(String token, int status) {
    return Script.of(
        request -> {
          WebAnswer fresh =
              Script.json("{\"items\": [{\"id\": 1}], \"sync\": \"%s\"}".formatted(token));
          return request.uri().getQuery().contains("sync=") ? Script.answer(status, "{}") : fresh;
        });
  }

  private static Harvest harvest(String stream, Script script) throws Exception {
    return new Harvest(Script.stream(stream), script, Time.real());
  }

  private static List<String> queries(Script script) {
    return script.asked.stream().map(URI::getQuery).toList();
  }
}
