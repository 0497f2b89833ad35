package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.json;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.http.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What is done to one row. */
class RecordsTest {
  private static final String ID = "b2d1c0de-0000-4000-8000-000000000007";
  private static final String OTHER = "c0ffee00-0000-4000-8000-000000000001";
  private static final String ROOT = "http://sim/api/data/v9.2/";

  @Test
  void a_row_is_created_under_the_id_it_brings_and_read_back_as_it_is_stored() {
    Worlds.free(
        client -> {
          Response created =
              client.post(
                  "accounts",
                  "{'accountid':'%s','name':'Fabrikam','revenue':20000,'creditonhold':true,'accountcategorycode':1,'description':''}"
                      .formatted(ID));
          assertThat(created.status()).isEqualTo(204);
          assertThat(created.headers().first("OData-EntityId"))
              .isEqualTo(ROOT + "accounts(" + ID + ")");

          JsonNode row = json(client.get("accounts(" + ID + ")"));
          assertThat(row.get("@odata.context").asString())
              .isEqualTo(ROOT + "$metadata#accounts/$entity");
          assertThat(row.get("@odata.etag").asString()).matches("W/\"\\d+\"");
          assertThat(row.get("name").asString()).isEqualTo("Fabrikam");
          assertThat(client.get("accounts(" + ID + ")").text()).contains("\"revenue\":20000.0000,");
          assertThat(row.get("creditonhold").asBoolean()).isTrue();
          assertThat(row.get("description").isNull()).isTrue();
          assertThat(row.get("statecode").asInt()).isZero();
          assertThat(row.get("createdon").asString()).isEqualTo("2026-01-01T00:00:00Z");
        });
  }

  @Test
  void the_service_gives_ids_in_ascending_order_and_returns_the_row_if_it_is_wanted() {
    Worlds.free(
        client -> {
          String before = "";
          for (int i = 0; i < 3; i++) {
            Response created =
                client.post(
                    "accounts?$select=name", "{'name':'x'}", "Prefer", "return=representation");
            assertThat(created.status()).isEqualTo(201);
            assertThat(created.headers().first("Preference-Applied"))
                .isEqualTo("return=representation");
            assertThat(json(created).has("revenue")).isFalse();
            String id = json(created).get("accountid").asString();
            assertThat(id).isGreaterThan(before);
            before = id;
          }
        });
  }

  @Test
  void an_id_that_is_there_and_a_key_that_is_there_are_refused() {
    Worlds.free(
        client -> {
          String row = "{'accountid':'%s','accountnumber':'A-1'}";
          assertThat(client.post("accounts", row.formatted(ID)).status()).isEqualTo(204);
          Response again = client.post("accounts", row.formatted(ID));
          assertThat(again.status()).isEqualTo(412);
          assertThat(code(again)).isEqualTo("0x80040237");
          Response sameKey = client.post("accounts", "{'accountnumber':'a-1'}");
          assertThat(sameKey.status()).isEqualTo(412);
          assertThat(code(sameKey)).isEqualTo("0x80060892");
          assertThat(client.post("accounts", "{'name':'no key'}").status()).isEqualTo(204);
          assertThat(client.post("accounts", "{'name':'no key'}").status()).isEqualTo(204);
        });
  }

  /** The table of the documentation: what a PATCH does, by condition and by what is there. */
  @ParameterizedTest(name = "[{index}] {0}: {1} is answered {2} or {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          none           | -   | 204 | 204
          If-Match       | *   | 204 | 404
          If-None-Match  | *   | 412 | 204
          If-Match       | W/0 | 412 | 404
          """)
  void a_patch_updates_or_creates_as_its_condition_says(
      String header, String value, int present, int absent) {
    Worlds.free(
        client -> {
          String[] headers = header.equals("none") ? new String[0] : new String[] {header, value};
          client.post("accounts", "{'accountid':'%s','name':'before'}".formatted(ID));
          assertThat(client.patch("accounts(" + ID + ")", "{'name':'after'}", headers).status())
              .isEqualTo(present);
          assertThat(json(client.get("accounts(" + ID + ")")).get("name").asString())
              .isEqualTo(present == 204 ? "after" : "before");
          assertThat(client.patch("accounts(" + OTHER + ")", "{'name':'new'}", headers).status())
              .isEqualTo(absent);
          assertThat(client.get("accounts(" + OTHER + ")").status())
              .isEqualTo(absent == 204 ? 200 : 404);
        });
  }

  @Test
  void a_row_is_changed_and_deleted_only_at_the_version_that_was_named() {
    Worlds.free(
        client -> {
          client.post("accounts", "{'accountid':'%s','name':'one'}".formatted(ID));
          String path = "accounts(" + ID + ")";
          String etag = json(client.get(path)).get("@odata.etag").asString();
          assertThat(client.get(path, "If-None-Match", etag).status()).isEqualTo(304);
          assertThat(client.patch(path, "{'name':'two'}", "If-Match", etag).status())
              .isEqualTo(204);
          Response stale = client.call("DELETE", path, "", "If-Match", etag);
          assertThat(stale.status()).isEqualTo(412);
          assertThat(code(stale)).isEqualTo("0x80060882");
          assertThat(client.get(path, "If-None-Match", etag).status()).isEqualTo(200);
          assertThat(client.call("DELETE", path, "").status()).isEqualTo(204);
          Response gone = client.call("DELETE", path, "");
          assertThat(gone.status()).isEqualTo(404);
          assertThat(code(gone)).isEqualTo("0x80040217");
          assertThat(message(gone))
              .isEqualTo("Entity 'account' With Id = " + ID + " Does Not Exist");
        });
  }

  @Test
  void an_upsert_by_alternate_key_creates_and_then_updates_the_same_row() {
    Worlds.free(
        client -> {
          String path = "accounts(accountnumber='O''Brian%201')";
          Response created =
              client.patch(path, "{'name':'one'}", "Prefer", "return=representation");
          assertThat(created.status()).isEqualTo(201);
          assertThat(json(created).get("accountnumber").asString()).isEqualTo("O'Brian 1");
          Response updated =
              client.patch(path, "{'name':'two'}", "Prefer", "return=representation");
          assertThat(updated.status()).isEqualTo(200);
          assertThat(json(updated).get("accountid")).isEqualTo(json(created).get("accountid"));
          assertThat(code(client.patch("accounts(name='x')", "{}"))).isEqualTo("0x0");
          Response missing =
              client.patch("accounts(accountnumber='none')", "{'name':'x'}", "If-Match", "*");
          assertThat(missing.status()).isEqualTo(404);
          assertThat(code(missing)).isEqualTo("0x80060891");
        });
  }

  @Test
  void a_lookup_is_bound_read_and_emptied() {
    Worlds.free(
        client -> {
          client.post("contacts", "{'contactid':'%s','lastname':'Ann'}".formatted(OTHER));
          assertThat(
                  client
                      .post(
                          "accounts",
                          "{'accountid':'%s','primarycontactid@odata.bind':'/contacts(%s)'}"
                              .formatted(ID, OTHER))
                      .status())
              .isEqualTo(204);
          String path = "accounts(" + ID + ")";
          JsonNode row = json(client.get(path, "Prefer", "odata.include-annotations=\"*\""));
          assertThat(row.get("_primarycontactid_value").asString()).isEqualTo(OTHER);
          assertThat(
                  row.get("_primarycontactid_value@Microsoft.Dynamics.CRM.lookuplogicalname")
                      .asString())
              .isEqualTo("contact");
          assertThat(client.call("DELETE", path + "/primarycontactid/$ref", "").status())
              .isEqualTo(204);
          assertThat(json(client.get(path)).get("_primarycontactid_value").isNull()).isTrue();
          Response nobody =
              client.patch(path, "{'primarycontactid@odata.bind':'/contacts(%s)'}".formatted(ID));
          assertThat(nobody.status()).isEqualTo(404);
          assertThat(code(nobody)).isEqualTo("0x80040217");
          Response polymorphic =
              client.post(
                  "contacts",
                  "{'parentcustomerid_account@odata.bind':'accounts(%s)'}".formatted(ID));
          assertThat(polymorphic.status()).isEqualTo(204);
          Response attribute =
              client.post(
                  "contacts", "{'parentcustomerid@odata.bind':'accounts(%s)'}".formatted(ID));
          assertThat(code(attribute)).isEqualTo("0x80048d19");
          assertThat(message(attribute)).contains("undeclared property 'parentcustomerid'");
        });
  }

  @Test
  void one_column_is_set_read_and_emptied_by_its_own_address() {
    Worlds.free(
        client -> {
          client.post("accounts", "{'accountid':'%s','name':'one'}".formatted(ID));
          String path = "accounts(" + ID + ")/name";
          assertThat(client.call("PUT", path, "{\"value\":\"two\"}").status()).isEqualTo(204);
          assertThat(json(client.get(path)).get("value").asString()).isEqualTo("two");
          assertThat(client.call("DELETE", path, "").status()).isEqualTo(204);
          assertThat(client.get(path).status()).isEqualTo(204);
        });
  }

  @ParameterizedTest(name = "[{index}] {0} is refused with {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'Name':'x'}                            | 400 | 0x80048d19 | Invalid property 'Name'
          {'name':5}                              | 400 | 0x80048d19 | Edm.String
          {'numberofemployees':'many'}            | 400 | 0x80048d19 | Edm.Int32
          {'numberofemployees':-1}                | 400 | 0x8004432F | outside the valid range of 0 to 1000000000
          {'numberofemployees':99999999999}       | 400 | 0x80048d19 | Edm.Int32
          {'revenue':-0.5}                        | 400 | 0x80044330 | outside the valid range
          {'accountcategorycode':9}               | 400 | 0x8004431A | Accepted Values: 1,2
          {'accountid':'me'}                      | 400 | 0x80048d19 | Cannot convert the literal 'me' to the expected type 'Edm.Guid'
          {'creditonhold':'yes'}                  | 400 | 0x80048d19 | Edm.Boolean
          {'lastonholdtime':'2026-01-05'}         | 400 | 0x80048d19 | Edm.DateTimeOffset
          {'lastonholdtime':'2026-01-05T10:00:00'}| 400 | 0x80048d19 | Edm.DateTimeOffset
          {'lastonholdtime':'1066-10-14T10:00:00Z'}| 400 | 0x80040239 | 1753
          {'lastonholdtime':'+10000-01-01T00:00:00Z'}| 400 | 0x80048d19 | Edm.DateTimeOffset
          {'accountnumber':'123456789012345678901'}| 400 | 0x80044331 | occurred.  The length of the 'accountnumber' attribute
          {'name':'\\u0007'}                       | 400 | 0x80040278 | character
          {'name':'x'                             | 400 | 0x80048d19 | Invalid JSON. Unexpected end of input was found in JSON content
          {'name':'x                              | 400 | 0x80048d19 | Invalid JSON. Unexpected end of input was found in JSON content
          {'name':x}                              | 400 | 0x80048d19 | Invalid JSON. A token was not recognized in the JSON content.
          {'name' 'x'}                            | 400 | 0x80048d19 | Invalid JSON. A token was not recognized in the JSON content.
          {'name':'x',}                           | 400 | 0x80048d19 | Invalid JSON. A token was not recognized in the JSON content.
          {'revenue':01}                          | 400 | 0x80048d19 | Invalid JSON. A token was not recognized in the JSON content.
          {'name':'x'} {}                         | 400 | 0x80048d19 | Invalid JSON. More than one value was found.
          []                                      | 400 | 0x80048d19 | Invalid JSON
          """)
  void a_row_that_the_table_cannot_hold_is_refused(
      String body, int status, String code, String says) {
    Worlds.free(
        client -> {
          Response refused = client.post("accounts", body);
          assertThat(refused.status()).as(refused.text()).isEqualTo(status);
          assertThat(code(refused)).isEqualTo(code);
          assertThat(message(refused)).contains(says);
        });
  }

  @Test
  void numbers_are_rounded_to_what_their_column_keeps_and_moments_to_the_second() {
    Worlds.free(
        client -> {
          client.post(
              "accounts",
              "{'accountid':'%s','address1_latitude':47.639583,'revenue':0.00005,'lastonholdtime':'2026-01-05T12:00:00.9+02:00'}"
                  .formatted(ID));
          JsonNode row = json(client.get("accounts(" + ID + ")"));
          assertThat(row.get("address1_latitude").asDouble()).isEqualTo(47.63958);
          assertThat(client.get("accounts(" + ID + ")").text()).contains("\"revenue\":0.0001,");
          assertThat(row.get("lastonholdtime").asString()).isEqualTo("2026-01-05T10:00:00Z");
        });
  }

  @Test
  void an_elastic_row_lives_in_its_partition_and_an_upsert_replaces_all_of_it() {
    Worlds.free(
        client -> {
          String set = "sim_sensorreadings";
          String row =
              "{'sim_sensorreadingid':'%s','partitionid':'%s','sim_name':'%s','sim_count':1}";
          Response created = client.post(set, row.formatted(ID, "p", "one"));
          assertThat(created.status()).isEqualTo(204);
          assertThat(created.headers().first("x-ms-session-token")).isNotNull();
          assertThat(client.post(set, row.formatted(ID, "q", "two")).status()).isEqualTo(204);
          assertThat(client.post(set, row.formatted(ID, "p", "three")).status()).isEqualTo(204);
          assertThat(client.get(set + "(" + ID + ")").status()).isEqualTo(404);
          String key = set + "(sim_sensorreadingid=" + ID + ",partitionid='p')";
          assertThat(json(client.get(key)).get("sim_name").asString()).isEqualTo("three");
          for (String partition : new String[] {"partitionId=q", "partitionid='q'"}) {
            assertThat(
                    json(client.get(set + "(" + ID + ")?" + partition)).get("sim_name").asString())
                .isEqualTo("two");
          }
          assertThat(client.get(set + "(" + ID + ")?partitionid='q").status()).isEqualTo(400);
          assertThat(client.patch(key, "{'sim_name':'four'}").status()).isEqualTo(204);
          assertThat(json(client.get(key)).get("sim_count").isNull()).isTrue();
          assertThat(client.get(set + "/$count").text()).isEqualTo("2");
        });
  }
}
