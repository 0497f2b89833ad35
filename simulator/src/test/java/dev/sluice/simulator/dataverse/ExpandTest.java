package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.json;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Related rows in the same answer. */
class ExpandTest {
  private static final String ACCOUNT = "b2d1c0de-0000-4000-8000-000000000007";
  private static final String PARENT = "b2d1c0de-0000-4000-8000-000000000001";
  private static final String ANN = "c0ffee00-0000-4000-8000-000000000001";
  private static final String BOB = "c0ffee00-0000-4000-8000-000000000002";

  /** An account below another, whose first contact is Ann; Ann and Bob work there. */
  private static void fill(Client client) throws InterruptedException {
    client.post("accounts", "{'accountid':'%s','name':'Parent'}".formatted(PARENT));
    client.post(
        "accounts",
        "{'accountid':'%s','name':'Child','parentaccountid@odata.bind':'/accounts(%s)'}"
            .formatted(ACCOUNT, PARENT));
    String contact =
        "{'contactid':'%s','lastname':'%s','parentcustomerid_account@odata.bind':'/accounts(%s)'}";
    client.post("contacts", contact.formatted(ANN, "Ann", ACCOUNT));
    client.post("contacts", contact.formatted(BOB, "Bob", ACCOUNT));
    client.patch(
        "accounts(" + ACCOUNT + ")",
        "{'primarycontactid@odata.bind':'/contacts(%s)'}".formatted(ANN));
  }

  @Test
  void a_lookup_is_expanded_on_one_row_with_the_columns_asked_for() {
    Worlds.free(
        client -> {
          fill(client);
          JsonNode row =
              json(
                  client.get(
                      "accounts(%s)?$select=name&$expand=primarycontactid($select=lastname)"
                          .formatted(ACCOUNT)));
          assertThat(row.get("@odata.context").asString())
              .endsWith("$metadata#accounts(name,primarycontactid(lastname))/$entity");
          assertThat(row.get("name").asString()).isEqualTo("Child");
          assertThat(row.get("primarycontactid").propertyNames())
              .containsExactly("@odata.etag", "lastname", "contactid");
          assertThat(row.at("/primarycontactid/lastname").asString()).isEqualTo("Ann");
        });
  }

  @Test
  void lookups_are_expanded_on_every_row_of_a_query_and_null_where_they_are_empty() {
    Worlds.free(
        client -> {
          fill(client);
          JsonNode rows =
              json(client.get(
                      "accounts?$select=name&$orderby=name&$expand=primarycontactid($select=lastname),"
                          + "parentaccountid($select=name)"))
                  .get("value");
          assertThat(rows.at("/0/primarycontactid/lastname").asString()).isEqualTo("Ann");
          assertThat(rows.at("/0/parentaccountid/name").asString()).isEqualTo("Parent");
          assertThat(rows.at("/1/primarycontactid").isNull()).isTrue();
          assertThat(rows.at("/1/parentaccountid").isNull()).isTrue();
        });
  }

  @Test
  void a_lookup_within_a_lookup_is_expanded_and_a_row_of_another_table_is_not_taken_for_it() {
    Worlds.free(
        client -> {
          fill(client);
          JsonNode row =
              json(
                  client.get(
                      "contacts(%s)?$select=lastname&$expand=parentcustomerid_contact,"
                              .formatted(ANN)
                          + "parentcustomerid_account($select=name;$expand=parentaccountid($select=name))"));
          assertThat(row.at("/parentcustomerid_account/parentaccountid/name").asString())
              .isEqualTo("Parent");
          assertThat(row.get("parentcustomerid_contact").isNull()).isTrue();
        });
  }

  @Test
  void the_rows_that_refer_to_a_row_are_expanded_filtered_in_order_and_cut_short() {
    Worlds.free(
        client -> {
          fill(client);
          String path = "accounts(" + ACCOUNT + ")?$select=name&$expand=contact_customer_accounts";
          JsonNode all = json(client.get(path)).get("contact_customer_accounts");
          assertThat(all).hasSize(2);
          JsonNode last =
              json(client.get(path + "($select=lastname;$orderby=lastname%20desc;$top=1)"))
                  .get("contact_customer_accounts");
          assertThat(last).hasSize(1);
          assertThat(last.at("/0/lastname").asString()).isEqualTo("Bob");
          JsonNode filtered =
              json(client.get(
                      path + "($filter=contains(lastname,'n')%20and%20lastname%20ne%20'),;')"))
                  .get("contact_customer_accounts");
          assertThat(filtered.at("/0/lastname").asString()).isEqualTo("Ann");
          JsonNode nobody =
              json(client.get("accounts(" + PARENT + ")?$expand=contact_customer_accounts"));
          assertThat(nobody.get("contact_customer_accounts")).isEmpty();
        });
  }

  @Test
  void a_created_row_is_returned_with_what_it_refers_to() {
    Worlds.free(
        client -> {
          fill(client);
          Response created =
              client.post(
                  "accounts?$select=name&$expand=primarycontactid($select=lastname)",
                  "{'name':'New','primarycontactid@odata.bind':'/contacts(%s)'}".formatted(BOB),
                  "Prefer",
                  "return=representation");
          assertThat(created.status()).isEqualTo(201);
          assertThat(json(created).at("/primarycontactid/lastname").asString()).isEqualTo("Bob");
        });
  }

  @Test
  void an_expanded_row_is_returned_even_if_its_version_is_known() {
    Worlds.free(
        client -> {
          fill(client);
          String path = "accounts(" + ACCOUNT + ")";
          String etag = json(client.get(path)).get("@odata.etag").asString();
          assertThat(client.get(path, "If-None-Match", etag).status()).isEqualTo(304);
          assertThat(client.get(path + "?$expand=primarycontactid", "If-None-Match", etag).status())
              .isEqualTo(200);
        });
  }

  @Test
  void a_lookup_to_a_row_that_was_deleted_expands_to_nothing() {
    Worlds.free(
        client -> {
          fill(client);
          client.call("DELETE", "contacts(" + ANN + ")", "");
          JsonNode row = json(client.get("accounts(" + ACCOUNT + ")?$expand=primarycontactid"));
          assertThat(row.get("primarycontactid").isNull()).isTrue();
        });
  }

  @ParameterizedTest(name = "[{index}] $expand={0} is refused")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing                                  | Could not find a property named 'nothing'
          name                                     | is not a navigation property
          primarycontactid($select=nothing)        | Could not find a property named 'nothing'
          primarycontactid($filter=lastname%20eq%20'x') | '$filter' is not supported within $expand
          primarycontactid($top=1)                 | '$top' is not supported within $expand
          primarycontactid($levels=2)              | '$levels' is not supported within $expand
          primarycontactid(                        | Syntax error in $expand
          primarycontactid)                        | Syntax error in $expand
          primarycontactid($select)                | Syntax error in $expand
          primarycontactid(lastname)               | Syntax error in $expand
          primarycontactid($select=lastname        | Syntax error in $expand
          primarycontactid,,parentaccountid        | Syntax error in $expand
          primarycontactid,                        | Syntax error in $expand
          primarycontactid,primarycontactid        | expanded twice
          contact_customer_accounts($filter='x)    | Syntax error in $expand
          ``                                       | must name 1 to 15 navigation properties
          """)
  void a_malformed_or_unknown_expansion_is_refused(String expand, String says) {
    Worlds.free(
        client -> {
          for (String path : new String[] {"accounts", "accounts(" + ACCOUNT + ")"}) {
            Response refused = client.get(path + "?$expand=" + expand);
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(code(refused)).isEqualTo("0x80060888");
            assertThat(message(refused)).contains(says);
          }
        });
  }

  @Test
  void sixteen_navigation_properties_are_too_many_and_a_thousand_do_no_harm() {
    Worlds.free(
        client -> {
          for (int depth : new int[] {16, 1_000}) {
            String deep =
                "parentaccountid($expand=".repeat(depth - 1)
                    + "parentaccountid"
                    + ")".repeat(depth - 1);
            Response refused = client.get("accounts?$expand=" + deep);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(message(refused)).contains(depth == 16 ? "1 to 15" : "Recursion limit");
          }
          String deep = "Keys($expand=".repeat(2_000) + ")".repeat(2_000);
          assertThat(client.get("EntityDefinitions?$expand=" + deep).status()).isEqualTo(400);
        });
  }

  @Test
  void an_elastic_table_expands_on_one_row_and_not_in_queries() {
    Schema schema =
        Schema.withTables(
            "mine.json",
            """
            {"tables": [{"name": "new_event", "type": "elastic",
              "columns": [{"name": "new_who", "type": "lookup", "targets": ["contact"]}]}]}
            """);
    Worlds.in(
        Worlds.FREE.withSchema(schema),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          client.post("contacts", "{'contactid':'%s','lastname':'Ann'}".formatted(ANN));
          client.post(
              "new_events",
              "{'new_eventid':'%s','new_who@odata.bind':'/contacts(%s)'}".formatted(BOB, ANN));
          JsonNode row = json(client.get("new_events(" + BOB + ")?$expand=new_who"));
          assertThat(row.at("/new_who/lastname").asString()).isEqualTo("Ann");
          Response refused = client.get("new_events?$expand=new_who");
          assertThat(refused.status()).isEqualTo(400);
          assertThat(code(refused)).isEqualTo("0x80048d0b");
        });
  }
}
