package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.json;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Associating rows and disassociating them by their navigation properties. */
class RelationsTest {
  private static final String ROOT = "http://sim/api/data/v9.2/";
  private static final String ACCOUNT = "accounts(b2d1c0de-0000-4000-8000-000000000007)";
  private static final String ANN = "contacts(c0ffee00-0000-4000-8000-000000000001)";
  private static final String BOB = "contacts(c0ffee00-0000-4000-8000-000000000002)";
  private static final String MEMBERS = ACCOUNT + "/contact_customer_accounts";

  private static void fill(Client client) throws InterruptedException {
    client.patch(ACCOUNT, "{'name':'Fabrikam','accountnumber':'F-1'}");
    client.patch(ANN, "{'lastname':'Ann','externaluseridentifier':'ann'}");
    client.patch(BOB, "{'lastname':'Bob'}");
  }

  private static String id(String address) {
    return address.substring(address.indexOf('(') + 1, address.length() - 1);
  }

  private static JsonNode cell(Client client, String row, String column)
      throws InterruptedException {
    return json(client.get(row)).get(column);
  }

  @ParameterizedTest(name = "[{index}] by {0}")
  @CsvSource({
    "http://sim/api/data/v9.2/contacts(c0ffee00-0000-4000-8000-000000000001)",
    "/contacts(c0ffee00-0000-4000-8000-000000000001)",
    "contacts(c0ffee00-0000-4000-8000-000000000001)",
    "contacts(externaluseridentifier='ann')"
  })
  void a_lookup_is_set_followed_and_emptied_by_its_own_address(String address) {
    Worlds.free(
        client -> {
          fill(client);
          String ref = ACCOUNT + "/primarycontactid/$ref";
          Response set = client.call("PUT", ref, "{\"@odata.id\":\"%s\"}".formatted(address));
          assertThat(set.status()).as(set.text()).isEqualTo(204);
          assertThat(cell(client, ACCOUNT, "_primarycontactid_value").asString())
              .isEqualTo(id(ANN));
          assertThat(json(client.get(ref)).get("@odata.id").asString()).isEqualTo(ROOT + ANN);
          JsonNode ann = json(client.get(ACCOUNT + "/primarycontactid?$select=lastname"));
          assertThat(ann.get("lastname").asString()).isEqualTo("Ann");
          assertThat(client.call("DELETE", ref, "").status()).isEqualTo(204);
          assertThat(cell(client, ACCOUNT, "_primarycontactid_value").isNull()).isTrue();
          assertThat(client.get(ref).status()).isEqualTo(204);
          assertThat(client.get(ACCOUNT + "/primarycontactid").status()).isEqualTo(204);
        });
  }

  @Test
  void a_row_joins_a_collection_and_leaves_it_by_key_or_by_id() {
    Worlds.free(
        client -> {
          fill(client);
          for (String row : new String[] {ANN, BOB}) {
            Response joined =
                client.call(
                    "POST", MEMBERS + "/$ref", "{\"@odata.id\":\"%s\"}".formatted(ROOT + row));
            assertThat(joined.status()).as(joined.text()).isEqualTo(204);
          }
          JsonNode members = json(client.get(MEMBERS + "?$select=lastname&$orderby=lastname"));
          assertThat(members.get("@odata.context").asString()).endsWith("#contacts(lastname)");
          assertThat(members.get("value")).hasSize(2);
          assertThat(cell(client, BOB, "_parentcustomerid_value").asString())
              .isEqualTo(id(ACCOUNT));
          assertThat(client.call("DELETE", MEMBERS + "(" + id(ANN) + ")/$ref", "").status())
              .isEqualTo(204);
          assertThat(client.call("DELETE", MEMBERS + "/$ref?$id=" + ROOT + BOB, "").status())
              .isEqualTo(204);
          assertThat(json(client.get(MEMBERS)).get("value")).isEmpty();
        });
  }

  @Test
  void a_collection_is_read_in_pages_and_its_next_page_is_of_the_same_collection() {
    Worlds.free(
        client -> {
          fill(client);
          client.post("contacts", "{'lastname':'Zoe'}");
          for (String row : new String[] {ANN, BOB}) {
            client.call("POST", MEMBERS + "/$ref", "{\"@odata.id\":\"%s\"}".formatted(row));
          }
          JsonNode first = json(client.get(MEMBERS, "Prefer", "odata.maxpagesize=1"));
          String next = first.get("@odata.nextLink").asString();
          assertThat(next).startsWith(ROOT + MEMBERS + "?");
          JsonNode second =
              json(client.get(next.substring(ROOT.length()), "Prefer", "odata.maxpagesize=1"));
          assertThat(second.at("/value/0/lastname").asString()).isEqualTo("Bob");
          assertThat(second.has("@odata.nextLink")).isFalse();
        });
  }

  @Test
  void a_row_leaves_only_a_collection_in_which_it_is() {
    Worlds.free(
        client -> {
          fill(client);
          Response stranger = client.call("DELETE", MEMBERS + "(" + id(ANN) + ")/$ref", "");
          assertThat(stranger.status()).isEqualTo(404);
          assertThat(code(stranger)).isEqualTo("0x80040217");
        });
  }

  @Test
  void a_row_of_a_change_set_joins_by_its_content_id_and_only_as_what_it_is() {
    Worlds.free(
        client -> {
          fill(client);
          String batch =
              """
              --b
              Content-Type: multipart/mixed; boundary=c

              --c
              Content-Type: application/http
              Content-ID: 1

              POST /api/data/v9.2/%s HTTP/1.1

              {"description":"made here"}
              --c
              Content-Type: application/http
              Content-ID: 2

              POST /api/data/v9.2/%s/$ref HTTP/1.1

              {"@odata.id":"$1"}
              --c--
              --b--
              """
                  .replace("\n", "\r\n");
          String type = "multipart/mixed; boundary=b";
          assertThat(
                  client
                      .call(
                          "POST",
                          "$batch",
                          batch.formatted("contacts", MEMBERS),
                          "Content-Type",
                          type)
                      .status())
              .isEqualTo(200);
          assertThat(json(client.get(MEMBERS)).get("value")).hasSize(1);
          Response wrong =
              client.call(
                  "POST", "$batch", batch.formatted("queues", MEMBERS), "Content-Type", type);
          assertThat(wrong.status()).isEqualTo(400);
          assertThat(wrong.text()).contains("Content-ID Reference: '$1'");
          assertThat(json(client.get("queues")).get("value")).isEmpty();
        });
  }

  @ParameterizedTest(name = "[{index}] {0} {1} {2} is refused with {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          PUT    | /primarycontactid/$ref          | {}                            | 400 | 0x80048d19 | '@odata.id' was expected
          PUT    | /primarycontactid/$ref          | {"@odata.id":5}               | 400 | 0x80048d19 | must be the address of a row
          PUT    | /primarycontactid/$ref          | {"@odata.id":null}            | 400 | 0x80048d19 | must be the address of a row
          PUT    | /primarycontactid/$ref          | []                            | 400 | 0x80048d19 | An object was expected
          PUT    | /primarycontactid/$ref          | {"@odata.id":                 | 400 | 0x80048d19 | Unexpected end of input
          PUT    | /primarycontactid/$ref          | ``                            | 400 | 0x80048d19 | Invalid JSON
          PUT    | /primarycontactid/$ref          | {"@odata.id":"accounts(b2d1c0de-0000-4000-8000-000000000007)"} | 400 | 0x80048d19 | 'account' was bound where a 'contact'
          PUT    | /primarycontactid/$ref          | {"@odata.id":"nothings(1)"}   | 404 | 0x80060888 | segment 'nothings'
          PUT    | /primarycontactid/$ref          | {"@odata.id":"contacts(1)"}   | 400 | 0x0        | key in the request URI
          PUT    | /primarycontactid/$ref          | {"@odata.id":"contacts(c0ffee00-0000-4000-8000-00000000000f)"} | 404 | 0x80040217 | Does Not Exist
          POST   | /primarycontactid/$ref          | {"@odata.id":"contacts(c0ffee00-0000-4000-8000-000000000001)"} | 405 | 0x80060888 | POST
          DELETE | /primarycontactid               | ``                            | 405 | 0x80060888 | DELETE
          PUT    | /nothing/$ref                   | {}                            | 404 | 0x80060888 | segment 'nothing/$ref'
          DELETE | /name/$ref                      | ``                            | 404 | 0x80060888 | segment 'name/$ref'
          GET    | /primarycontactid(5)            | ``                            | 404 | 0x80060888 | primarycontactid(5)
          GET    | /primarycontactid/$ref/more     | ``                            | 404 | 0x80060888 | $ref/more
          POST   | /contact_customer_accounts/$ref | {}                            | 400 | 0x80048d19 | '@odata.id' was expected
          POST   | /contact_customer_accounts      | {}                            | 405 | 0x80060888 | POST
          PUT    | /contact_customer_accounts/$ref | {}                            | 405 | 0x80060888 | PUT
          DELETE | /contact_customer_accounts/$ref | ``                            | 400 | 0x80060888 | by its key or by $id
          DELETE | /contact_customer_accounts(x)/$ref | ``                         | 400 | 0x0        | key in the request URI
          DELETE | /contact_customer_accounts(x/$ref  | ``                         | 404 | 0x80060888 | segment
          """)
  void what_cannot_be_associated_is_refused(
      String method, String path, String body, int status, String code, String says) {
    Worlds.free(
        client -> {
          fill(client);
          Response refused = client.call(method, ACCOUNT + path, body);
          assertThat(refused.status()).as(refused.text()).isEqualTo(status);
          assertThat(code(refused)).isEqualTo(code);
          assertThat(message(refused)).contains(says);
          assertThat(cell(client, ACCOUNT, "_primarycontactid_value").isNull()).isTrue();
        });
  }

  @Test
  void relationships_have_names_of_their_own_and_no_two_the_same() {
    String table =
        """
        {"tables": [{"name": "new_widget", "columns": [
          {"name": "new_a", "type": "lookup", "targets": ["contact"], "relationships": ["%s"]},
          {"name": "new_b", "type": "lookup", "targets": ["contact"]}]}]}
        """;
    Worlds.in(
        Worlds.FREE.withSchema(Schema.withTables("mine.json", table.formatted("new_things"))),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          fill(client);
          assertThat(json(client.get(ANN + "/new_things")).get("value")).isEmpty();
          assertThat(json(client.get(ANN + "/contact_new_widget_new_b")).get("value")).isEmpty();
          JsonNode relations =
              json(client.get(
                      "EntityDefinitions(LogicalName='contact')?$expand=OneToManyRelationships"))
                  .get("OneToManyRelationships");
          assertThat(relations.toString())
              .contains("\"ReferencedEntityNavigationPropertyName\":\"new_things\"");
        });
    assertThatThrownBy(() -> Schema.withTables("mine.json", table.formatted("lastname")))
        .hasMessageContaining("contact has two properties named 'lastname'");
    assertThatThrownBy(
            () -> Schema.withTables("mine.json", table.formatted("contact_new_widget_new_b")))
        .hasMessageContaining("two properties named 'contact_new_widget_new_b'");
    assertThatThrownBy(() -> Schema.withTables("mine.json", table.formatted("a b")))
        .hasMessageContaining("relationships holds 'a b'");
    assertThatThrownBy(() -> Schema.withTables("mine.json", table.formatted("a\", \"b")))
        .hasMessageContaining("there are 2 relationships, but 1 targets");
  }
}
