package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.http.Response;
import org.junit.jupiter.api.Test;

/** Batches: parts one after the other, change sets all or nothing. */
class BatchTest {
  private static final String TYPE = "multipart/mixed; boundary=\"b\"";

  private static String part(String request, String headers, String body) {
    return "--b\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\n"
        + "%s HTTP/1.1\n%s\n%s\n".formatted(request, headers, body);
  }

  private static String inSet(int contentId, String request, String body) {
    return "--c\nContent-Type: application/http\nContent-Transfer-Encoding: binary\nContent-ID: "
        + "%d\n\n%s HTTP/1.1\nContent-Type: application/json\n\n%s\n"
            .formatted(contentId, request, body);
  }

  private static String set(String... parts) {
    return "--b\nContent-Type: multipart/mixed; boundary=c\n\n"
        + String.join("", parts)
        + "--c--\n\n";
  }

  private static Response send(Client client, String body, String... headers)
      throws InterruptedException {
    String[] all = new String[headers.length + 2];
    all[0] = "Content-Type";
    all[1] = TYPE;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return client.call(
        "POST", "$batch", (body + "--b--\n").replace("\n", "\r\n").replace('\'', '"'), all);
  }

  private static String create(String set, String body) {
    return part("POST /api/data/v9.2/" + set, "Content-Type: application/json\n", body);
  }

  @Test
  void a_media_type_is_known_in_capitals_too() {
    Worlds.free(
        client -> {
          String body =
              set(inSet(1, "POST /api/data/v9.2/accounts", "{'name':'x'}"))
                  .replace("multipart/mixed", "MULTIPART/MIXED");
          Response answer =
              client.call(
                  "POST",
                  "$batch",
                  (body + "--b--\n").replace("\n", "\r\n").replace('\'', '"'),
                  "Content-Type",
                  "Multipart/Mixed; Boundary=b");
          assertThat(answer.status()).as(answer.text()).isEqualTo(200);
          assertThat(answer.text()).contains("HTTP/1.1 204 No Content");
        });
  }

  @Test
  void every_part_is_answered_in_order() {
    Worlds.free(
        client -> {
          Response answer =
              send(
                  client,
                  create("accounts", "{'name':'one'}")
                      + part(
                          "GET http://sim/api/data/v9.2/accounts?$select=name",
                          "Accept: application/json\n",
                          ""));
          assertThat(answer.status()).isEqualTo(200);
          assertThat(answer.headers().first("Content-Type"))
              .startsWith("multipart/mixed; boundary=batchresponse_");
          assertThat(answer.text())
              .containsSubsequence(
                  "HTTP/1.1 204 No Content\r\n",
                  "OData-EntityId: http://sim/api/data/v9.2/accounts(",
                  "HTTP/1.1 200 OK\r\n",
                  "\"name\":\"one\"");
        });
  }

  @Test
  void a_failing_part_ends_the_batch_and_what_came_before_stays() {
    Worlds.free(
        client -> {
          Response answer =
              send(
                  client,
                  create("accounts", "{'name':'one'}")
                      + create("accounts", "{'Name':'two'}")
                      + create("accounts", "{'name':'three'}"));
          assertThat(answer.status()).isEqualTo(400);
          assertThat(answer.headers().first("Content-Type")).startsWith("multipart/mixed");
          assertThat(answer.text().split("HTTP/1.1 ", -1)).hasSize(3);
          assertThat(client.get("accounts/$count").text()).isEqualTo("1");
        });
  }

  @Test
  void with_continue_on_error_all_parts_run() {
    Worlds.free(
        client -> {
          Response answer =
              send(
                  client,
                  create("accounts", "{'Name':'one'}")
                      + create("accounts", "{'name':'two'}")
                      + part(
                          "DELETE /api/data/v9.2/accounts(00000000-0000-4000-8000-000000000001)",
                          "",
                          ""),
                  "Prefer",
                  "odata.continue-on-error");
          assertThat(answer.status()).isEqualTo(200);
          assertThat(answer.headers().first("Preference-Applied"))
              .isEqualTo("odata.continue-on-error");
          assertThat(answer.text())
              .containsSubsequence("HTTP/1.1 400 ", "HTTP/1.1 204 ", "HTTP/1.1 404 ");
        });
  }

  @Test
  void a_change_set_is_all_or_nothing_and_answers_with_the_part_that_failed() {
    Worlds.free(
        client -> {
          Response answer =
              send(
                  client,
                  set(
                          inSet(1, "POST /api/data/v9.2/accounts", "{'name':'one'}"),
                          inSet(2, "POST /api/data/v9.2/accounts", "{'Name':'two'}"))
                      + create("accounts", "{'name':'three'}"),
                  "Prefer",
                  "odata.continue-on-error");
          assertThat(answer.status()).isEqualTo(200);
          assertThat(answer.text())
              .contains("Content-ID: 2\r\n")
              .doesNotContain("Content-ID: 1\r\n");
          assertThat(client.get("accounts?$select=name").text())
              .contains("three")
              .doesNotContain("one");
        });
  }

  @Test
  void a_part_of_a_change_set_refers_to_what_an_earlier_one_made() {
    Worlds.free(
        client -> {
          Response answer =
              send(
                  client,
                  set(
                      inSet(1, "POST /api/data/v9.2/contacts", "{'firstname':'Ann'}"),
                      inSet(
                          2,
                          "POST /api/data/v9.2/accounts",
                          "{'name':'Parent','primarycontactid@odata.bind':'$1'}")));
          assertThat(answer.status()).as(answer.text()).isEqualTo(200);
          assertThat(
                  client
                      .get("accounts?$filter=_primarycontactid_value ne null".replace(" ", "%20"))
                      .text())
              .contains("Parent");
          Response foreign =
              send(client, create("accounts", "{'primarycontactid@odata.bind':'$7'}"));
          assertThat(foreign.status()).isEqualTo(400);
          assertThat(foreign.text())
              .contains("Content-ID Reference: '$7' does not exist in the batch context.");
        });
  }

  @Test
  void on_elastic_tables_a_change_set_takes_nothing_back() {
    Worlds.free(
        client -> {
          send(
              client,
              set(
                  inSet(1, "POST /api/data/v9.2/sim_sensorreadings", "{'sim_name':'one'}"),
                  inSet(2, "POST /api/data/v9.2/sim_sensorreadings", "{'sim_count':-1}")));
          assertThat(client.get("sim_sensorreadings/$count").text()).isEqualTo("1");
        });
  }

  @Test
  void a_thousand_operations_are_taken_and_one_more_is_not() {
    Worlds.free(
        client -> {
          String one = create("accounts", "{'name':'x'}");
          assertThat(send(client, one.repeat(1_000)).status()).isEqualTo(200);
          Response tooMany = send(client, one.repeat(1_001));
          assertThat(tooMany.status()).isEqualTo(400);
          assertThat(message(tooMany)).contains("maximum number of '1000'");
          assertThat(client.get("accounts/$count").text()).isEqualTo("1000");
        });
  }

  @Test
  void broken_batches_are_refused_as_a_whole_and_foreign_boundaries_are_not_seen() {
    Worlds.free(
        client -> {
          Response lines =
              client.call(
                  "POST", "$batch", create("accounts", "{}") + "--b--\n", "Content-Type", TYPE);
          assertThat(lines.status()).isEqualTo(400);
          assertThat(code(lines)).isEqualTo("0x80048d19");
          assertThat(message(lines)).contains("Stream was not readable.");

          String whole = (create("accounts", "{}") + "--b--\n").replace("\n", "\r\n");
          Response noType = client.call("POST", "$batch", whole);
          assertThat(noType.status()).isEqualTo(400);
          Response cutOff =
              client.call(
                  "POST", "$batch", whole.substring(0, whole.length() - 12), "Content-Type", TYPE);
          assertThat(cutOff.status()).isEqualTo(400);
          Response foreign =
              client.call(
                  "POST", "$batch", whole, "Content-Type", "multipart/mixed;boundary=other");
          assertThat(foreign.status()).isEqualTo(200);
          assertThat(foreign.text()).doesNotContain("HTTP/1.1");
          Response nonsense =
              client.call("POST", "$batch", "--b\r\n\r\nnonsense\r\n--b--", "Content-Type", TYPE);
          assertThat(nonsense.status()).isEqualTo(400);
          Response read = send(client, set(inSet(1, "GET /api/data/v9.2/accounts", "")));
          assertThat(read.status()).isEqualTo(400);
          Response nested = send(client, part("POST /api/data/v9.2/$batch", "", ""));
          assertThat(nested.status()).isEqualTo(400);
          assertThat(client.get("accounts/$count").text()).isEqualTo("0");
        });
  }
}
