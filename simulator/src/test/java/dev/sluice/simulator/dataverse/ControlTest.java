package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The address under which the environment tells the truth and takes orders. */
class ControlTest {

  private static Response ask(Environment environment, String method, String path, String body)
      throws InterruptedException {
    return (Response)
        environment.answer(Request.of(method, "/simulator/" + path, new Headers(), body));
  }

  @Test
  void counters_say_who_sent_what_and_what_became_of_it() {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          Client one = new Client(environment, 0);
          Client two = new Client(environment, 1);
          one.post("accounts", "{}");
          one.post("accounts", "{'Name':1}");
          one.get("WhoAmI");
          environment.limit(ProtectionOptions.UNLIMITED.withRequests(0));
          two.get("WhoAmI");
          JsonNode counters = json(ask(environment, "GET", "counters", ""));
          assertThat(counters.at("/users/0/sent").asInt()).isEqualTo(3);
          assertThat(counters.at("/users/0/accepted").asInt()).isEqualTo(3);
          assertThat(counters.at("/users/0/operations/create").asInt()).isEqualTo(1);
          assertThat(counters.at("/users/0/operations/invalid").asInt()).isEqualTo(1);
          assertThat(counters.at("/users/1/rejected/requests").asInt()).isEqualTo(1);
          assertThat(counters.at("/statuses/204").asInt()).isEqualTo(1);
          assertThat(counters.at("/statuses/429").asInt()).isEqualTo(1);
          assertThat(counters.at("/rows/account").asInt()).isEqualTo(1);

          JsonNode log = json(ask(environment, "GET", "requests?last=2", ""));
          assertThat(log).hasSize(2);
          assertThat(log.get(0).get("operation").asString()).isEqualTo("who-am-i");
          assertThat(log.get(1).get("facet").asString()).isEqualTo("requests");
          assertThat(log.get(1).get("user").asString()).isEqualTo("app2");
          assertThat(json(ask(environment, "GET", "users", "")).get(2).get("clientId").asString())
              .isEqualTo(Worlds.USERS.get(2).clientId().toString());
        });
  }

  @Test
  void limits_and_faults_are_changed_while_it_runs() {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          Client client = new Client(environment, 0);
          Response limits =
              ask(environment, "PATCH", "limits", "{\"requests\": 1, \"window\": \"30s\"}");
          assertThat(json(limits).get("window").asString()).isEqualTo("30000ms");
          assertThat(environment.limits().window()).isEqualTo(Duration.ofSeconds(30));
          assertThat(client.get("WhoAmI").status()).isEqualTo(200);
          assertThat(client.get("WhoAmI").status()).isEqualTo(429);
          time.sleep(Duration.ofSeconds(30));
          Response faults =
              ask(
                  environment,
                  "PUT",
                  "faults",
                  "[{\"kind\":\"bad-gateway\",\"count\":1,\"operation\":\"who-am-i\"}]");
          assertThat(json(faults).get(0).get("rate").asDouble()).isEqualTo(1);
          assertThat(client.get("WhoAmI").status()).isEqualTo(502);
          assertThat(json(ask(environment, "DELETE", "faults", ""))).isEmpty();
          ask(environment, "DELETE", "tokens", "");
          assertThat(client.get("WhoAmI").status()).isEqualTo(401);
        });
  }

  @ParameterizedTest(name = "[{index}] {0} to {1}, the shortest named first: {2}")
  @CsvSource({"1800s, 3600s, true", "1800s, 3600s, false", "1s, 2s, true", "1s, 2s, false"})
  void both_waits_change_together_whichever_is_named_first(
      String shortest, String longest, boolean shortestFirst) {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          String one = "\"shortest-wait\": \"%s\"".formatted(shortest);
          String other = "\"longest-wait\": \"%s\"".formatted(longest);
          String both = shortestFirst ? one + "," + other : other + "," + one;
          Response changed = ask(environment, "PATCH", "limits", "{" + both + "}");
          assertThat(changed.status()).as(changed.text()).isEqualTo(200);
          assertThat(environment.limits().shortestWait())
              .isEqualTo(Settings.time("shortest-wait", shortest));
          assertThat(environment.limits().longestWait())
              .isEqualTo(Settings.time("longest-wait", longest));
        });
  }

  @Test
  void all_rows_of_a_table_are_read_at_once_and_forgotten_at_once() {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          Client client = new Client(environment, 0);
          client.post("contacts", "{'lastname':'Ann','birthdate':'1990-02-03'}");
          JsonNode table = json(ask(environment, "GET", "tables/contact", ""));
          assertThat(table.get("rows")).hasSize(1);
          int column = -1;
          for (int i = 0; i < table.get("columns").size(); i++) {
            column = table.get("columns").get(i).asString().equals("birthdate") ? i : column;
          }
          assertThat(table.get("rows").get(0).get(column).asString()).isEqualTo("1990-02-03");
          assertThat(ask(environment, "DELETE", "tables/contact", "").status()).isEqualTo(204);
          assertThat(environment.rows("contact")).isEmpty();
          assertThat(client.post("contacts", "{}").status()).isEqualTo(204);
        });
  }

  @ParameterizedTest(name = "[{index}] {0} {1} {2} is refused with {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          GET    | nothing         |                            | 404 | there is nothing at nothing
          GET    | tables/nothing  |                            | 400 | there is no table 'nothing'; there are [account
          POST   | counters        |                            | 405 | only GET
          PATCH  | limits          | {"requests": -1}           | 400 | requests is -1, but must be 0 or more
          PATCH  | limits          | {"requests": "many"}       | 400 | must be a whole number
          PATCH  | limits          | {"speed": 1}               | 400 | there is no limit 'speed'
          PATCH  | limits          | {"window": "0s"}           | 400 | window is PT0S
          PATCH  | limits          | []                         | 400 | limits must be an object
          PATCH  | limits          | {                          | 400 | the body is not JSON
          PUT    | faults          | {}                         | 400 | faults must be a list
          PUT    | faults          | [{"rate": 1}]              | 400 | a rule needs a 'kind'
          PUT    | faults          | [{"kind": "x"}]            | 400 | there is no fault 'x'; there are deadlock
          PUT    | faults          | [{"kind": "busy", "x": 1}] | 400 | a fault has no setting 'x'
          PUT    | faults          | [{"kind": "busy", "rate": 7}] | 400 | rate is 7.0, but must be 0 to 1
          PUT    | faults          | [{"kind": "busy", "table": "acount"}] | 400 | there is no table 'acount'; there are [account
          PUT    | faults          | [{"kind": ["busy"]}]       | 400 | kind is ["busy"], but must be a text, a number or true or false
          PATCH  | limits          | {"requests": {"a": 1}}     | 400 | requests is {"a":1}, but must be a text, a number or true or false
          GET    | requests?last=x |                            | 400 | last is 'x'
          """)
  void what_makes_no_sense_is_refused_with_the_reason_and_changes_nothing(
      String method, String path, String body, int status, String says) {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          Response refused = ask(environment, method, path, body == null ? "" : body);
          assertThat(refused.status()).as(refused.text()).isEqualTo(status);
          assertThat(json(refused).get("problem").asString())
              .contains(says)
              .doesNotContain("Source", "Stream");
          assertThat(environment.limits()).isEqualTo(ProtectionOptions.UNLIMITED);
          assertThat(environment.faults()).isEmpty();
        });
  }
}
