package dev.sluice.collect.run;

import static dev.sluice.collect.run.FivePages.BY_NUMBER;
import static dev.sluice.collect.run.FivePages.answer;
import static dev.sluice.collect.run.FivePages.assertFailed;
import static dev.sluice.collect.run.FivePages.everyItem;
import static dev.sluice.collect.run.FivePages.page;
import static dev.sluice.collect.run.FivePages.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.collect.yaml.request.PageReader;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.Reason.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong at its provider while a collection runs: every trouble has its outcome and its
 * reason, the bookmark stays behind the last slice that is whole, and once the trouble is over the
 * next run goes on from there, so that every record is there once.
 */
class CollectionTroubleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"items\": [{\"id\": 5}, {\"id",
        "{\"items\": {\"id\": 5}, \"next\": \"t3\"}",
        "{\"items\": [5, 6], \"next\": \"t3\"}",
        "{\"items\": [{\"name\": \"without an id\"}], \"next\": \"t3\"}",
        "{\"error\": \"nobody has thought of this\"}",
        "",
      })
  void an_answer_that_is_cut_off_or_of_another_shape_fails_the_stream_where_it_stands(String body) {
    play(
        scene -> {
          scene.trouble(request -> answer(200, body));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.UNEXPECTED_CONTENT);
          assertThat(result.outcome().detail()).isNotBlank().doesNotContain("nobody has thought");
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @Test
  void an_answer_larger_than_any_page_fails_the_stream_where_it_stands() {
    play(
        scene -> {
          byte[] huge = new byte[PageReader.LARGEST_BODY + 1];
          Arrays.fill(huge, (byte) ' ');
          WebAnswer answer = answer(200, "");
          scene.trouble(request -> new WebAnswer(200, answer.headers(), huge));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.UNEXPECTED_CONTENT);
          assertThat(result.outcome().detail()).contains("ask for smaller pages");
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @Test
  void a_page_for_people_where_json_is_due_is_pressure_and_never_an_empty_page() {
    play(
        scene -> {
          scene.trouble(
              request ->
                  answer(200, "<html>One moment, please</html>", "Content-Type", "text/html"));
          CollectionResult result = scene.collect();
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isInstanceOf(Reason.Pressure.class));
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @ParameterizedTest
  @CsvSource({
    "200, text/html; charset=utf-8",
    "403, text/html",
    "404, text/html",
    "500, text/html",
    "200, application/json",
  })
  void a_page_for_people_is_told_with_its_title_and_where_it_came_from(int status, String type) {
    play(
        "{token: $.next, ask: query cursor, token-dies: fail}",
        scene -> {
          scene.trouble(
              request ->
                  answer(
                      status,
                      "<!DOCTYPE html><html><head><title>\n Sign in </title></head></html>",
                      "Content-Type",
                      type));
          assertThat(scene.collect().outcome().detail())
              .contains(
                  "; 127.0.0.1 answered with a page for people (HTML, titled 'Sign in'), not"
                      + " with data: see that provider.base leads to the API")
              .doesNotContain("cursor=");
        });
  }

  @Test
  void a_page_for_people_is_not_blamed_for_what_comes_after_it() {
    play(
        "{token: $.next, ask: query cursor, token-dies: fail}",
        scene -> {
          boolean[] seen = {false};
          scene.trouble(
              request -> {
                if (seen[0]) {
                  return answer(400, "{}");
                }
                seen[0] = true;
                return answer(500, "<html></html>", "Content-Type", "text/html");
              });
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.INVALID);
          assertThat(result.outcome().detail()).doesNotContain("page for people");
        });
  }

  @ParameterizedTest
  @CsvSource({"403, FORBIDDEN", "404, NOT_FOUND", "410, NOT_FOUND", "400, INVALID", "302, INVALID"})
  void a_list_that_is_refused_fails_with_what_was_said(int status, Failure reason) {
    play(
        "{token: $.next, ask: query cursor, token-dies: fail}",
        scene -> {
          scene.trouble(request -> answer(status, "{}"));
          CollectionResult result = scene.collect();
          assertFailed(result, reason);
          scene.assertStandsBeforeTheThirdPage(result);
          scene.assertGoesOn();
        });
  }

  @Test
  void a_place_that_the_provider_no_longer_knows_sends_the_walk_back_and_loses_nothing() {
    play(
        scene -> {
          boolean[] died = {false};
          scene.trouble(
              request -> {
                if (died[0]) {
                  return page(2);
                }
                died[0] = true;
                return answer(410, "{\"error\": \"cursor_expired\"}");
              });
          assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.asked)
              .containsExactly(
                  "page 0", "page 1", "page 2", "page 0", "page 1", "page 2", "page 3", "page 4");
          assertThat(scene.sink.keys("items"))
              .as("what was read before comes again, with the same keys")
              .startsWith("1", "2", "3", "4", "1", "2")
              .containsOnlyOnceElementsOf(everyItem().subList(4, 10));
        });
  }

  @Test
  void pages_that_lead_back_end_the_stream_before_they_are_read_for_ever() {
    play(
        scene -> {
          scene.trouble(request -> page(2, "\"t1\""));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.CURSOR_LOOP);
          assertThat(scene.asked).hasSizeLessThan(20);
          assertThat(scene.sink.keys("items")).startsWith("1", "2", "3", "4", "5", "6");
          assertThat(result.tracks().getFirst().cursor()).isEqualTo(scene.bookmark());
        });
  }

  @Test
  void pages_without_records_that_never_end_do_end() {
    play(
        scene -> {
          int[] page = {100};
          Transport endless =
              request -> answer(200, "{\"items\": [], \"next\": \"t%d\"}".formatted(++page[0]));
          CollectionResult result =
              scene.collect(scene.request(), scene.sink, scene.store, endless);
          assertFailed(result, Failure.CURSOR_LOOP);
          assertThat(page[0]).isLessThan(2_000);
          assertThat(scene.sink.keys("items")).isEmpty();
        });
  }

  @Test
  void pages_with_records_that_never_end_are_cut_by_the_envelope_and_gone_on_with() {
    play(
        scene -> {
          int[] page = {0};
          Transport endless = request -> page(page[0]++, "\"t" + page[0] + "\"");
          CollectionRequest bounded =
              scene.request().withEnvelope(Envelope.UNBOUNDED.withRequestCap(100));
          for (int run = 1; run <= 3; run++) {
            CollectionResult result = scene.collect(bounded, scene.sink, scene.store, endless);
            assertThat(result.outcome().reason()).isEqualTo(Reason.Planned.REQUEST_CAP);
            assertThat(scene.sink.keys("items")).hasSize(200 * run).doesNotHaveDuplicates();
          }
        });
  }

  @Test
  void a_credential_that_dies_within_a_slice_gives_up_that_slice_and_closes_the_lane() {
    play(
        BY_NUMBER,
        scene -> {
          scene.trouble(request -> answer(401, "{}"));
          CollectionResult result = scene.collect();
          assertFailed(result, Failure.AUTH_FAILURE);
          assertThat(scene.asked).containsExactly("page 0", "page 1", "page 2");
          assertThat(scene.sink.keys("items")).as("half a slice is none").isEmpty();
          assertThat(scene.bookmark()).isEmpty();
          scene.mend();
          assertFailed(scene.collect(), Failure.AUTH_FAILURE);
          assertThat(scene.asked).as("until somebody has acted").isEmpty();
          scene.reopenLanes();
          assertThat(scene.collect().outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
        });
  }

  @Test
  void an_access_token_that_dies_within_a_slice_is_renewed_and_the_slice_goes_on() {
    play(
        BY_NUMBER,
        scene -> {
          List<String> issued = new ArrayList<>();
          Transport provider =
              request -> {
                if (request.uri().getPath().equals("/token")) {
                  issued.add("a" + issued.size());
                  return answer(
                      200,
                      "{\"access_token\": \"%s\", \"expires_in\": 3600}"
                          .formatted(issued.getLast()));
                }
                // The first token is withdrawn before the third page, long before it expires.
                boolean dead =
                    request.uri().toString().endsWith("cursor=2")
                        && request.headers().contains("Bearer a0");
                return dead ? answer(401, "{}") : scene.send(request);
              };
          CollectionRequest request =
              CollectionRequest.of(
                  "mine",
                  ConnectorFile.parse(
                          "items.yaml",
                          """
                          connector: items
                          config: {secret: {type: secret}}
                          provider:
                            base: http://127.0.0.1:8089
                            auth:
                              oauth2:
                                grant: client-credentials
                                token-url: http://127.0.0.1:8089/token
                                client-id: me
                                client-secret: "{config.secret}"
                          streams:
                            items: {get: /items, records: "$.items[*]", key: id, pages: %s}
                          """
                              .formatted(BY_NUMBER))
                      .bind(Map.of("secret", "s"), provider, scene.time));
          CollectionResult result = scene.collect(request, scene.sink, scene.store, provider);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(issued).containsExactly("a0", "a1");
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
        });
  }

  @ParameterizedTest
  @CsvSource({
    "402, SUSPENDED, suspended",
    "429, QUOTA_SPENT, quota-spent",
  })
  void an_account_that_is_closed_is_not_asked_for_again_until_somebody_has_acted(
      int status, Failure reason, String because) {
    play(
        scene -> {
          String rule =
              "pacing: {answers: [{when: \"status == %d and body contains 'closed'\", mean: stop, because: %s}]}"
                  .formatted(status, because);
          scene.trouble(request -> answer(status, "{\"error\": \"closed\"}"));
          CollectionResult result = scene.collect(rule);
          assertFailed(result, reason);
          scene.assertStandsBeforeTheThirdPage(result);
          scene.asked.clear();
          scene.time.sleep(Duration.ofDays(1));
          CollectionResult again = scene.collect(rule);
          assertFailed(again, reason);
          assertThat(scene.asked).isEmpty();
          scene.assertStandsBeforeTheThirdPage(again);
          scene.reopenLanes();
          scene.assertGoesOn();
        });
  }

  @Test
  void a_file_with_a_mistake_never_becomes_a_collection() {
    assertThatThrownBy(
            () ->
                ConnectorFile.parse(
                    "items.yaml",
                    """
                    connector: items
                    provider: {base: "http://127.0.0.1:8089"}
                    streams:
                      items: {get: /items, record: "$.items[*]", key: id}
                    """))
        .hasMessageContaining("did you mean records?");
  }
}
