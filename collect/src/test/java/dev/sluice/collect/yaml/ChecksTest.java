package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.ConfigurationException;
import dev.sluice.gate.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that a connector file brings along. */
class ChecksTest {
  private static final String FILE =
      """
      connector: issues
      config: {owner: {type: string}, token: {type: secret}}
      provider: {base: "https://api.example", auth: {bearer: "{config.token}"}}
      pacing:
        answers:
          - {when: "status == 403 and body contains 'secondary'", mean: throttled, wait-at-least: 60s}
      streams:
        issues:
          get: /{config.owner}/issues
          key: id
          cursor: {field: at, as: instant, ask: query since}
          pages: {seek: 2, ties: link-header}
      checks:
        - name: a throttle is not the end of the stream
          stream: issues
          script: [200 first.json, 403 secondary.json, {body: '[{"id": 2, "at": "2024-05-02T09:00:00Z"}]'}]
          expect: {records: COUNT, throttled: 1, requests: 3, cursor: "2024-05-02T09:00:00Z"}
        - name: a refusal is one
          stream: issues
          script: [403]
          expect: {fails: forbidden}
        - name: a script that is too short is noticed
          stream: issues
          script: [200 first.json]
          expect: {}
        - name: files of other folders are not read
          stream: issues
          script: [200 ../secret.json]
          expect: {}
      """;

  @TempDir Path folder;

  @Test
  void checks_run_offline_and_say_what_was_otherwise() throws Exception {
    Files.writeString(
        folder.resolve("first.json"),
        "[{\"id\": 1, \"at\": \"2024-05-01T09:00:00Z\"}, {\"id\": 2, \"at\":"
            + " \"2024-05-02T09:00:00Z\"}]");
    Files.writeString(folder.resolve("secondary.json"), "{\"message\": \"secondary rate limit\"}");
    List<Checks.Result> results = run("2");
    assertThat(results).hasSize(4);
    assertThat(results.get(0).problems()).isEmpty();
    assertThat(results.get(1).passed()).isTrue();
    assertThat(results.get(2).problems())
        .containsExactly("it was asked 2 times, but the script has no more answers");
    assertThat(results.get(3).problems())
        .containsExactly("../secret.json does not lie beside the connector file");
    assertThat(run("3").getFirst().problems()).containsExactly("records is 2, but 3 was expected");
  }

  private List<Checks.Result> run(String records) throws Exception {
    return Checks.run(ConnectorFile.parse("issues.yaml", FILE.replace("COUNT", records)), folder);
  }

  @Test
  void a_mistake_that_no_check_gets_round_is_one_of_the_file_and_told_once() {
    String wrong = FILE.replace("https://api.example", "ftp://api.example").replace("COUNT", "2");
    assertThatThrownBy(() -> Checks.run(ConnectorFile.parse("issues.yaml", wrong), folder))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .containsExactly(
                        "issues.yaml:3: provider.base is 'ftp://api.example', but an address such"
                            + " as https://api.shop.example/v2 is expected"));
    String unchecked = wrong.substring(0, wrong.indexOf("checks:"));
    assertThatThrownBy(() -> Checks.run(ConnectorFile.parse("issues.yaml", unchecked), folder))
        .hasMessageContaining("provider.base is 'ftp://api.example'");
  }

  @Test
  void a_mistake_that_one_check_configures_is_that_checks() throws Exception {
    String file =
        """
        connector: issues
        config: {host: {type: string, default: api.example}}
        provider: {base: "https://{config.host}"}
        streams:
          issues: {get: /issues, key: id, pages: none}
        checks:
          - {name: good, stream: issues, script: [{body: "[]"}], expect: {records: 0}}
          - {name: bad, stream: issues, config: {host: a/b}, script: [{body: "[]"}], expect: {}}
        """;
    List<Checks.Result> results = Checks.run(ConnectorFile.parse("issues.yaml", file), folder);
    assertThat(results.getFirst().problems()).isEmpty();
    assertThat(results.getLast().problems())
        .anySatisfy(problem -> assertThat(problem).contains("provider.base has 'a/b' filled in"));
  }

  @Test
  void details_are_read_with_their_list_and_misses_are_told_apart() throws Exception {
    String file =
        """
        connector: issues
        provider: {base: "https://api.example"}
        streams:
          issues: {get: /issues, key: id, pages: none}
          comments: {for-each: issues, get: "/issues/{parent.id}/comments", key: id, pages: none}
        checks:
          - name: one is there, one is missing, two are gone
            stream: issues
            details: comments
            script:
              - {asked: /issues, body: '[{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]'}
              - {asked: /issues/1/comments, body: '[{"id": 10}, {"id": 11}]'}
              - {asked: /issues/2/comments, status: 404}
              - {asked: /issues/3/comments, status: 403}
              - {asked: /issues/4/comments, status: 410}
            expect: {records: 4, details: 2, gone: 2, gaps: GAPS, requests: 5}
        """;
    assertThat(problems(file.replace("GAPS", "1"))).isEmpty();
    assertThat(problems(file.replace("GAPS", "0")))
        .containsExactly(
            "gaps is 1, but 0 was expected", "the first gap is of comments: the answer was 403");
    assertThat(problems(file.replace("GAPS", "0").replace("status: 403", "status: 401")))
        .contains("fails is auth_failure, but no failure was expected: the answer was 401");
  }

  @Test
  void details_that_cannot_be_read_are_told_with_the_reason() throws Exception {
    String file =
        """
        connector: loans
        provider: {base: "https://api.example"}
        streams:
          loans: {get: /loans, key: id, pages: none}
          events: {for-each: loans, get: "/loans/{parent.id}/events", key: number, pages: none}
        checks:
          - name: all of them
            stream: loans
            details: events
            script:
              - {asked: /loans, body: '[{"id": 1}]'}
              - {asked: /loans/1/events, body: '[{"seq": 1}, {"seq": 2}]'}
            expect: {records: 1, details: 2}
        """;
    assertThat(problems(file))
        .containsExactly(
            "details is 0, but 2 was expected",
            "the first gap is of events: a record has no number, which is its key");
  }

  @Test
  void details_of_two_parents_with_the_same_key_are_told_and_added_members_tell_them_apart()
      throws Exception {
    String file =
        """
        connector: loans
        provider: {base: "https://api.example"}
        streams:
          loans: {get: /loans, key: loanNo, pages: none}
          events:
            for-each: loans
            get: /loans/{parent.loanNo}/events
            key: seq
            add: {loanNo: "{parent.loanNo}"}
            pages: none
        checks:
          - name: all of them
            stream: loans
            details: events
            script:
              - {asked: /loans, body: '[{"loanNo": 7}, {"loanNo": 8}]'}
              - {asked: /loans/7/events, body: '[{"seq": 1}, {"seq": 2}]'}
              - {asked: /loans/8/events, body: '[{"seq": 1}]'}
            expect: {records: 2, details: 3}
        """;
    assertThat(problems(file))
        .first()
        .asString()
        .startsWith("fails is unexpected_content, but no failure was expected: two records have")
        .contains("different events with the key '1'")
        .endsWith("add: {parent_loanNo: \"{parent.loanNo}\"} and key: [parent_loanNo, seq]");
    assertThat(problems(file.replace("key: seq", "key: [loanNo, seq]"))).isEmpty();
  }

  @Test
  void a_request_that_asks_for_something_else_is_told() throws Exception {
    assertThat(
            problems(
                """
                connector: issues
                provider: {base: "https://api.example/v1"}
                streams: {issues: {get: /issues, query: {state: open now}, pages: none}}
                checks:
                  - name: all of them
                    stream: issues
                    script: [{asked: ["/v1/issues", state=all], body: "[]"}]
                    expect: {records: 0}
                """))
        .containsExactly(
            "request 1 asked for /v1/issues?state=open now, but 'state=all' was expected in it");
  }

  @Test
  void a_check_says_what_the_clock_shows() throws Exception {
    String file =
        """
        connector: issues
        config: {from: {type: date}}
        provider: {base: "https://api.example"}
        streams:
          issues:
            get: /issues
            key: id
            slices: {by: at, window: 30d, bounds: {from: query from, to: query to}}
            pages: none
            catch-up: {from: "{config.from}"}
        checks:
          - name: up to an hour ago
            stream: issues
            mode: catch-up
            config: {from: "2024-05-20"}
            now: "2024-06-01T12:00:00Z"
            script: [{asked: "to=2024-06-01T11:00:00Z", body: "[]"}]
            expect: {cursor: "2024-06-01T11:00:00Z"}
        """;
    assertThat(problems(file)).isEmpty();
    assertThat(problems(file.replace("2024-06-01T12:00", "2024-06-01T13:00"))).isNotEmpty();
  }

  @Test
  void mistakes_in_checks_stop_nobody_but_whoever_runs_them() throws Exception {
    String text =
        """
        connector: issues
        provider: {base: "https://api.example"}
        streams:
          issues: {get: /issues, key: id, pages: none}
          comments: {for-each: issues, get: "/issues/{parent.id}/comments", pages: none}
        checks:
          - name: one
            stream: isues
            script: [ok]
            expect: {recrods: 1, fails: forbiden}
          - name: other
            stream: issues
            details: coments
            now: soon
            script: ["200"]
            expect: {gaps: 1}
        """;
    ConnectorFile file = ConnectorFile.parse("issues.yaml", text);
    assertThat(file.bind(Map.of(), Script.NOBODY, Time.real()).streams()).hasSize(1);
    String[] mistakes = {
      "issues.yaml:8: checks[0].stream is 'isues', which is not known; did you mean issues?",
      "issues.yaml:9: checks[0].script is 'ok', but a status and the file with its body, such as"
          + " '200 page-1.json', is expected",
      "issues.yaml:10: checks[0].expect.fails is 'forbiden', which is not known; did you mean"
          + " forbidden?",
      "issues.yaml:10: checks[0].expect.recrods is not known; did you mean records?",
      "issues.yaml:13: checks[1].details is 'coments', which are no details of issues; did you mean"
          + " comments?",
      "issues.yaml:14: checks[1].now is 'soon', but a time such as 2024-01-31T12:00:00Z is expected"
    };
    assertThatThrownBy(() -> Checks.run(file, folder))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.mistakes()).containsExactly(mistakes));
    assertThatThrownBy(() -> ConnectorFile.parse("issues.yaml", text + "chekcs: []\n"))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .contains(mistakes)
                    .contains("issues.yaml:17: chekcs is not known; did you mean checks?"));
  }

  @Test
  void gaps_can_be_expected_only_where_details_are_read() {
    assertThatThrownBy(
            () ->
                problems(
                    """
                    connector: issues
                    provider: {base: "https://api.example"}
                    streams: {issues: {get: /issues, pages: none}}
                    checks: [{name: one, stream: issues, script: ["200"], expect: {gaps: 0}}]
                    """))
        .hasMessageContaining(
            "checks[0].expect.gaps is expected, but the check does not say which details are read");
  }

  private List<String> problems(String text) throws Exception {
    return Checks.run(ConnectorFile.parse("issues.yaml", text), folder).getFirst().problems();
  }
}
