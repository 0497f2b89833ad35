package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.json;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bulk messages: all or nothing on standard tables, row by row on elastic ones. */
class BulkTest {
  private static final String CREATE = "accounts/Microsoft.Dynamics.CRM.CreateMultiple";
  private static final String UPDATE = "accounts/Microsoft.Dynamics.CRM.UpdateMultiple";
  private static final String UPSERT = "accounts/Microsoft.Dynamics.CRM.UpsertMultiple";
  private static final String READINGS = "sim_sensorreadings/Microsoft.Dynamics.CRM.";
  private static final String[] ANNOTATED = {"Prefer", "odata.include-annotations=\"*\""};

  private static String id(int number) {
    return "00000000-0000-4000-8000-%012d".formatted(number);
  }

  private static String targets(String table, String... rows) {
    List<String> typed = new ArrayList<>();
    for (String row : rows) {
      typed.add("{'@odata.type':'Microsoft.Dynamics.CRM." + table + "'," + row + "}");
    }
    return "{'Targets':[" + String.join(",", typed) + "]}";
  }

  private static int count(Client client, String set) throws InterruptedException {
    return Integer.parseInt(client.get(set + "/$count").text());
  }

  @Test
  void created_rows_are_answered_with_their_ids_in_the_order_given() {
    Worlds.free(
        client -> {
          Response created =
              client.post(
                  CREATE,
                  targets(
                      "account",
                      "'accountid':'" + id(9) + "'",
                      "'name':'b'",
                      "'accountid':'" + id(1) + "'"));
          assertThat(created.status()).isEqualTo(200);
          JsonNode ids = json(created).get("Ids");
          assertThat(ids).hasSize(3);
          assertThat(ids.get(0).asString()).isEqualTo(id(9));
          assertThat(ids.get(2).asString()).isEqualTo(id(1));
          assertThat(
                  json(client.get("accounts(" + ids.get(1).asString() + ")"))
                      .get("name")
                      .asString())
              .isEqualTo("b");
        });
  }

  @Test
  void one_bad_row_takes_back_all_and_nobody_is_told_which_it_was() {
    Worlds.free(
        client -> {
          client.post(
              CREATE, targets("account", "'accountid':'" + id(3) + "','accountnumber':'K'"));
          Response duplicate =
              client.post(
                  CREATE,
                  targets("account", "'accountid':'" + id(1) + "'", "'accountid':'" + id(3) + "'"),
                  ANNOTATED);
          assertThat(duplicate.status()).isEqualTo(412);
          assertThat(code(duplicate)).isEqualTo("0x80040237");
          assertThat(message(duplicate)).isEqualTo("Cannot insert duplicate key.");
          assertThat(duplicate.text()).doesNotContain("BulkApiErrorDetails");

          Response tooLong =
              client.post(
                  CREATE,
                  targets("account", "'name':'a'", "'accountnumber':'123456789012345678901'"));
          assertThat(code(tooLong)).isEqualTo("0x80044331");
          Response key =
              client.post(CREATE, targets("account", "'name':'a'", "'accountnumber':'k'"));
          assertThat(code(key)).isEqualTo("0x80060892");
          Response twice =
              client.post(
                  CREATE,
                  targets("account", "'accountid':'" + id(1) + "'", "'accountid':'" + id(1) + "'"));
          assertThat(code(twice)).isEqualTo("0x80040237");
          assertThat(count(client, "accounts")).isEqualTo(1);
          assertThat(client.get("accounts(" + id(1) + ")").status()).isEqualTo(404);
        });
  }

  @Test
  void what_was_taken_back_leaves_no_trace_in_keys() {
    Worlds.free(
        client -> {
          client.post(
              CREATE, targets("account", "'accountid':'" + id(1) + "','accountnumber':'A'"));
          Response failed =
              client.post(
                  UPDATE,
                  targets(
                      "account",
                      "'accountid':'" + id(1) + "','accountnumber':'B'",
                      "'accountid':'" + id(2) + "'"));
          assertThat(failed.status()).isEqualTo(404);
          assertThat(client.get("accounts(accountnumber='A')").status()).isEqualTo(200);
          assertThat(client.get("accounts(accountnumber='B')").status()).isEqualTo(404);
        });
  }

  @Test
  void an_update_names_all_that_is_missing_and_heeds_the_first_of_two_for_one_row() {
    Worlds.free(
        client -> {
          client.post(CREATE, targets("account", "'accountid':'" + id(1) + "'"));
          Response missing =
              client.post(
                  UPDATE,
                  targets(
                      "account",
                      "'accountid':'" + id(2) + "'",
                      "'accountid':'" + id(1) + "','name':'x'",
                      "'accountid':'" + id(3) + "'"));
          assertThat(missing.status()).isEqualTo(404);
          assertThat(code(missing)).isEqualTo("0x80040217");
          assertThat(message(missing))
              .isEqualTo("account With Ids = %s, %s Do Not Exist".formatted(id(2), id(3)));
          Response twice =
              client.post(
                  UPDATE,
                  targets(
                      "account",
                      "'accountid':'" + id(1) + "','name':'first'",
                      "'accountid':'" + id(1) + "','name':'second'"));
          assertThat(twice.status()).isEqualTo(204);
          assertThat(json(client.get("accounts(" + id(1) + ")")).get("name").asString())
              .isEqualTo("first");
        });
  }

  @Test
  void an_upsert_works_by_id_and_by_key_and_refuses_the_same_row_twice() {
    Worlds.free(
        client -> {
          String byKey = "'@odata.id':'accounts(accountnumber=\\u0027A\\u0027)','name':'%s'";
          Response both =
              client.post(
                  UPSERT,
                  targets("account", byKey.formatted("one"), "'accountid':'" + id(1) + "'"));
          assertThat(both.status()).as(both.text()).isEqualTo(204);
          assertThat(client.post(UPSERT, targets("account", byKey.formatted("two"))).status())
              .isEqualTo(204);
          assertThat(json(client.get("accounts(accountnumber='A')")).get("name").asString())
              .isEqualTo("two");
          assertThat(count(client, "accounts")).isEqualTo(2);
          Response twice =
              client.post(
                  UPSERT, targets("account", byKey.formatted("three"), byKey.formatted("four")));
          assertThat(code(twice)).isEqualTo("0x80040216");
          assertThat(json(client.get("accounts(accountnumber='A')")).get("name").asString())
              .isEqualTo("two");
        });
  }

  @Test
  void a_key_column_beside_its_address_is_a_trap_on_the_way_to_a_new_row_only() {
    Worlds.free(
        client -> {
          String row = "'@odata.id':'accounts(accountnumber=\\u0027A\\u0027)','accountnumber':'A'";
          Response fresh = client.post(UPSERT, targets("account", row));
          assertThat(fresh.status()).isEqualTo(400);
          assertThat(code(fresh)).isEqualTo("0x80040216");
          client.post("accounts", "{'accountnumber':'A'}");
          assertThat(client.post(UPSERT, targets("account", row)).status()).isEqualTo(204);
        });
  }

  @Test
  void elastic_rows_succeed_and_fail_each_by_itself() {
    Worlds.free(
        client -> {
          String three =
              targets(
                  "sim_sensorreading",
                  "'sim_sensorreadingid':'" + id(1) + "','sim_count':1",
                  "'sim_sensorreadingid':'" + id(2) + "','sim_count':-5",
                  "'sim_sensorreadingid':'" + id(3) + "','sim_count':3");
          Response partly = client.post(READINGS + "CreateMultiple", three, ANNOTATED);
          assertThat(partly.status()).isEqualTo(500);
          assertThat(code(partly)).isEqualTo("0x80048d0a");
          JsonNode rows =
              JsonMapper.shared()
                  .readTree(
                      json(partly)
                          .get("error")
                          .get("@Microsoft.PowerApps.CDS.ErrorDetails.Plugin.BulkApiErrorDetails")
                          .asString());
          assertThat(rows).hasSize(3);
          assertThat(rows.get(0).get("StatusCode").asInt()).isEqualTo(201);
          assertThat(rows.get(1).get("StatusCode").asInt()).isEqualTo(400);
          assertThat(rows.get(1).get("Id").asString()).isEqualTo(id(2));
          assertThat(rows.get(2).get("RequestIndex").asInt()).isEqualTo(2);
          assertThat(count(client, "sim_sensorreadings")).isEqualTo(2);
          assertThat(client.post(READINGS + "CreateMultiple", three).text())
              .doesNotContain("BulkApiErrorDetails");
          assertThat(count(client, "sim_sensorreadings")).isEqualTo(2);

          Response deleted =
              client.post(
                  READINGS + "DeleteMultiple",
                  targets("sim_sensorreading", "'sim_sensorreadingid':'" + id(1) + "'"));
          assertThat(deleted.status()).isEqualTo(204);
          assertThat(count(client, "sim_sensorreadings")).isEqualTo(1);
        });
  }

  @Test
  void messages_that_a_table_does_not_know_are_refused_in_the_services_words() {
    Worlds.free(
        client -> {
          Response delete =
              client.post(
                  "accounts/Microsoft.Dynamics.CRM.DeleteMultiple",
                  targets("account", "'accountid':'" + id(1) + "'"));
          assertThat(delete.status()).isEqualTo(501);
          assertThat(message(delete)).isEqualTo("DeleteMultiple has not yet been implemented.");
          Response queue =
              client.post(
                  "queues/Microsoft.Dynamics.CRM.CreateMultiple", targets("queue", "'name':'q'"));
          assertThat(message(queue)).contains("does not support entities of type 'queue'");
          assertThat(client.post("accounts/Microsoft.Dynamics.CRM.MergeMultiple", "{}").status())
              .isEqualTo(404);
          assertThat(client.get(CREATE).status()).isEqualTo(404);
        });
  }

  @Test
  void targets_of_no_kind_of_another_kind_or_none_at_all_are_refused() {
    Worlds.free(
        client -> {
          assertThat(code(client.post(CREATE, "{'Targets':[{'name':'x'}]}")))
              .isEqualTo("0x80048d19");
          assertThat(code(client.post(CREATE, targets("contact", "'lastname':'x'"))))
              .isEqualTo("0x80040203");
          assertThat(code(client.post(CREATE, "{'Targets':[]}"))).isEqualTo("0x80040203");
          assertThat(code(client.post(CREATE, "{}"))).isEqualTo("0x80040203");
          assertThat(code(client.post(CREATE, "{'Targets':[5]}"))).isEqualTo("0x80048d19");
          assertThat(code(client.post(CREATE, "{'Targets':[{"))).isEqualTo("0x80048d19");
          assertThat(code(client.post(CREATE, ""))).isEqualTo("0x80048d19");
        });
  }
}
