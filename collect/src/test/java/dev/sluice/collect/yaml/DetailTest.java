package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What becomes of records, and what is fetched for each of them. */
class DetailTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ListStream issues;
  private DetailStream comments;

  @BeforeEach
  void read() throws Exception {
    issues =
        Script.stream(
            """
            issues:
              get: /issues
              key: id
              pages: none
              drop-if: exists(pull_request) or state in ['spam', 'test']
              hide: [email, user.phone]
              add: {source: shop}
            comments:
              for-each: issues
              only-if: parent.comments > 0
              get: /issues/{parent.number}/comments
              query: {of: "{parent.user.name}"}
              key: id
              add: {issue_id: "{parent.id}"}
              pages: none
              redo-when: parent.updated_at changes
              on-miss: {gone: [404, 451], others: gap}
            """);
    comments = issues.details().getFirst();
  }

  @Test
  void records_are_dropped_hidden_in_part_and_added_to() throws Exception {
    Harvest harvest =
        new Harvest(
            issues,
            Script.of(
                """
                [{"id": 1, "email": "a@b.example", "user": {"name": "x", "phone": 1}, "amount": 1.10},
                 {"id": 2, "pull_request": {}},
                 {"id": 3, "state": "spam"},
                 {"id": 12345678901234567890, "pull_request": null}]
                """),
            Time.real());
    harvest.run(Mode.STEADY);
    assertThat(harvest.byKey.keySet()).containsExactly("1", "12345678901234567890");
    assertThat(harvest.body("1").toString())
        .isEqualTo("{\"id\":1,\"user\":{\"name\":\"x\"},\"amount\":1.10,\"source\":\"shop\"}");
  }

  @Test
  void details_are_wanted_where_the_condition_holds() {
    assertThat(comments.wants(parent("{\"comments\": 1}"))).isTrue();
    assertThat(comments.wants(parent("{\"comments\": 0}"))).isFalse();
    assertThat(comments.wants(parent("{}"))).isFalse();
  }

  @Test
  void of_a_parent_only_what_requests_and_records_need_is_remembered() {
    ObjectNode kept =
        comments.remembered(
            parent(
                "{\"id\": 7, \"number\": 3, \"user\": {\"name\": \"x\", \"mail\": 1}, \"body\":"
                    + " \"…\"}"));
    assertThat(kept.toString()).isEqualTo("{\"id\":7,\"number\":3,\"user\":{\"name\":\"x\"}}");
  }

  @Test
  void details_are_asked_for_by_what_was_remembered_and_know_their_parent() throws Exception {
    Script provider = Script.of("[{\"id\": 70}, {\"id\": 71}]");
    List<CollectedRecord> found = new ArrayList<>();
    comments.read(
        "",
        comments.remembered(parent("{\"id\": 7, \"number\": 3, \"user\": {\"name\": \"a&b\"}}")),
        provider,
        found::add);
    assertThat(provider.asked.getFirst())
        .hasToString("https://api.example/v1/issues/3/comments?of=a%26b");
    assertThat(found)
        .extracting(record -> record.body().toString())
        .containsExactly("{\"id\":70,\"issue_id\":7}", "{\"id\":71,\"issue_id\":7}");
  }

  @Test
  void the_file_says_which_answers_mean_gone() {
    assertThat(List.of(404, 451, 410, 403)).filteredOn(comments::isGone).containsExactly(404, 451);
  }

  private static CollectedRecord parent(String json) {
    return new CollectedRecord("7", "", (ObjectNode) JSON.readTree(json));
  }
}
