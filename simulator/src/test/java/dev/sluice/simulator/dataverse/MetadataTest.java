package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.simulator.dataverse.store.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What the environment says of its tables, and how tables are given to it. */
class MetadataTest {

  @Test
  void a_table_tells_its_keys_columns_and_relations_as_far_as_it_is_asked() {
    Worlds.free(
        client -> {
          JsonNode table =
              json(
                  client.get(
                      "EntityDefinitions(LogicalName='account')?$select=EntitySetName,TableType"
                          + "&$expand=Keys($select=KeyAttributes,EntityKeyIndexStatus),"
                          + "Attributes($select=LogicalName,AttributeType,MaxLength),"
                          + "ManyToOneRelationships($select=ReferencingEntityNavigationPropertyName)"));
          assertThat(table.get("EntitySetName").asString()).isEqualTo("accounts");
          assertThat(table.get("TableType").asString()).isEqualTo("Standard");
          assertThat(table.has("MetadataId")).isTrue();
          assertThat(table.has("SchemaName")).isFalse();
          assertThat(table.at("/Keys/0/KeyAttributes/0").asString()).isEqualTo("accountnumber");
          assertThat(table.at("/Keys/0/EntityKeyIndexStatus").asString()).isEqualTo("Active");
          List<String> columns = new ArrayList<>();
          table.get("Attributes").forEach(each -> columns.add(each.get("LogicalName").asString()));
          assertThat(columns).contains("accountid", "name", "revenue", "primarycontactid");
          assertThat(
                  table
                      .at("/ManyToOneRelationships/0/ReferencingEntityNavigationPropertyName")
                      .asString())
              .isEqualTo("primarycontactid");
          assertThat(json(client.get("EntityDefinitions(LogicalName='account')")).has("Attributes"))
              .isFalse();
        });
  }

  @Test
  void choices_are_asked_for_by_their_type() {
    Worlds.free(
        client -> {
          JsonNode choices =
              json(
                  client.get(
                      "EntityDefinitions(LogicalName='account')/Attributes/Microsoft.Dynamics.CRM."
                          + "PicklistAttributeMetadata?$select=LogicalName&$expand=OptionSet"));
          assertThat(choices.get("value")).hasSize(2);
          assertThat(
                  choices
                      .at("/value/0/OptionSet/Options/0/Label/UserLocalizedLabel/Label")
                      .asString())
              .isEqualTo("Preferred Customer");
        });
  }

  @Test
  void a_table_that_is_not_there_is_not_found() {
    Worlds.free(
        client -> {
          assertThat(client.get("EntityDefinitions(LogicalName='x')").status()).isEqualTo(404);
          assertThat(client.get("EntityDefinitions(LogicalName='account')/Nothing").status())
              .isEqualTo(404);
          assertThat(json(client.get("EntityDefinitions?$select=LogicalName")).get("value"))
              .hasSize(4);
          assertThat(json(client.get("")).get("value")).hasSize(4);
        });
  }

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @CsvSource({
    "CreateMultiple, account, 1",
    "UpsertMultiple, account, 0",
    "DeleteMultiple, account, 0",
    "CreateMultiple, queue, 0",
    "DeleteMultiple, sim_sensorreading, 1",
    "CreateMultiple, nothing, 0"
  })
  void messages_are_listed_for_the_tables_that_know_them(String message, String table, int found) {
    Worlds.free(
        client ->
            assertThat(
                    json(client.get(
                            "sdkmessagefilters?$select=sdkmessagefilterid&$filter="
                                + "sdkmessageid/name%20eq%20@message%20and%20"
                                + "primaryobjecttypecode%20eq%20@table&@message='"
                                + message
                                + "'&@table='"
                                + table
                                + "'"))
                        .get("value"))
                .hasSize(found));
  }

  @Test
  void the_total_of_rows_has_no_cap() {
    Worlds.free(
        client -> {
          client.post("accounts", "{}");
          JsonNode counts =
              json(client.get("RetrieveTotalRecordCount(EntityNames=['account','contact'])"))
                  .get("EntityRecordCountCollection");
          assertThat(counts.get("Keys").get(0).asString()).isEqualTo("account");
          assertThat(counts.get("Values").toString()).isEqualTo("[1,0]");
          assertThat(json(client.get("RetrieveVersion()")).get("Version").asString())
              .startsWith("9.2.");
        });
  }

  @Test
  void tables_of_a_file_join_the_built_in_ones_and_replace_those_of_their_name() {
    Schema schema =
        Schema.withTables(
            "mine.json",
            """
            {"tables": [
              {"name": "new_widget", "primaryName": "new_name",
               "columns": [{"name": "new_name", "type": "string", "maxLength": 5},
                           {"name": "new_owner", "type": "lookup", "targets": ["contact"], "navigation": "new_Owner"},
                           {"name": "new_a", "type": "integer"}, {"name": "new_b", "type": "string"}],
               "keys": [{"name": "ab", "columns": ["new_a", "new_b"]}]},
              {"name": "queue", "columns": []}]}
            """);
    Worlds.in(
        Worlds.FREE.withSchema(schema),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          assertThat(client.patch("new_widgets(new_a=1,new_b='y')", "{'new_name':'w'}").status())
              .isEqualTo(204);
          assertThat(json(client.get("new_widgets(new_b='y',new_a=1)")).get("new_name").asString())
              .isEqualTo("w");
          assertThat(client.post("queues", "{'name':'gone'}").status()).isEqualTo(400);
        });
  }

  @Test
  void the_tables_that_the_guide_shows_can_be_used_as_they_stand() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "simulator.md"));
    int start = guide.indexOf("```json\n") + "```json\n".length();
    Schema schema = Schema.withTables("guide", guide.substring(start, guide.indexOf("```", start)));
    Worlds.in(
        Worlds.FREE.withSchema(schema),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          assertThat(client.post("new_widgets", "{'new_code':'A'}").status()).isEqualTo(204);
          assertThat(json(client.get("new_widgets(new_code='A')")).get("new_colour").asInt())
              .isEqualTo(1);
        });
  }

  @Test
  void without_a_primary_name_a_table_is_named_by_its_first_text() {
    Schema schema =
        Schema.withTables(
            "mine.json",
            """
            {"tables": [
              {"name": "new_plain", "columns": [{"name": "new_a", "type": "integer"},
                {"name": "new_b", "type": "string"}, {"name": "new_c", "type": "string"}]},
              {"name": "new_named", "columns": [{"name": "new_b", "type": "string"},
                {"name": "name", "type": "string"}]},
              {"name": "new_bare"}]}
            """);
    Worlds.in(
        Worlds.FREE.withSchema(schema),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          for (String[] expected :
              new String[][] {
                {"new_plain", "new_b"}, {"new_named", "name"}, {"new_bare", "new_bareid"}
              }) {
            assertThat(
                    json(client.get("EntityDefinitions(LogicalName='%s')".formatted(expected[0])))
                        .get("PrimaryNameAttribute")
                        .asString())
                .isEqualTo(expected[1]);
          }
        });
  }

  @ParameterizedTest(name = "[{index}] {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                                           | x.json: must be an object with a list named 'tables'
          {"tables":[{}]}                              | x.json: a table needs a text named 'name'
          {"tables":[{"name":"t","type":"round"}]}     | x.json: table t: type is 'round', but must be standard or elastic
          {"tables":[{"name":"t","columns":[{"name":"c","type":"blob"}]}]} | x.json: t.c: type is 'blob', but must be
          {"tables":[{"name":"t","columns":[{"name":"c","type":"choice"}]}]} | x.json: t.c is a choice, but has no 'options'
          {"tables":[{"name":"t","columns":[{"name":"c","type":"lookup","targets":["x"]}]}]} | x.json: column 'c' of table t refers to a table 'x', which is not there
          {"tables":[{"name":"t","keys":[{"name":"k","columns":["c"]}]}]} | x.json: a key of table t names the column 'c', which it does not have
          {"tables":[{"name":"t","set":"accounts"}]}   | x.json: two tables are both addressed as 'accounts'
          {"tables":[{"name":"t","columns":[{"name":"c","type":"string"},{"name":"c","type":"string"}]}]} | x.json: table t has two columns named 'c'
          {"tables":[5]}                               | x.json: a table is 5, but must be an object
          {"tables":[{"name":"t/x"}]}                  | x.json: a table is named 't/x', but names are letters, digits and _, a letter first
          {"tables":[{"name":"t","set":"a b"}]}        | x.json: table t: set is named 'a b', but names are
          {"tables":[{"name":"t","set":["x"]}]}        | x.json: table t: set is ["x"], but must be a text
          {"tables":[{"name":"t","colums":[]}]}        | x.json: table t: there is no 'colums'; there are name, type, set
          {"tables":[{"name":"t","columns":"c"}]}      | x.json: table t: columns is "c", but must be a list
          {"tables":[{"name":"t","columns":[{"name":"c","type":"string","length":5}]}]} | x.json: t.c: there is no 'length'; there are name, type
          {"tables":[{"name":"t","columns":[{"name":"c","type":"string","maxLength":0}]}]} | x.json: t.c: maxLength is 0, but must be 1 to 1048576
          {"tables":[{"name":"t","columns":[{"name":"c","type":"string","maxLength":"x"}]}]} | x.json: t.c: maxLength is "x", but must be a whole number
          {"tables":[{"name":"t","columns":[{"name":"c","type":"decimal","precision":11}]}]} | x.json: t.c: precision is 11, but must be 0 to 10
          {"tables":[{"name":"t","columns":[{"name":"c","type":"decimal","min":5,"max":1}]}]} | x.json: t.c: min is 5, but max is 1
          {"tables":[{"name":"t","columns":[{"name":"c","type":"choice","options":[5]}]}]} | x.json: t.c: an option is 5, but must be an object
          {"tables":[{"name":"t","columns":[{"name":"c","type":"choice","options":[{"label":"x"}]}]}]} | x.json: t.c: an option needs a whole number named 'value'
          {"tables":[{"name":"t","columns":[{"name":"c","type":"choice","options":[{"value":1}],"default":2}]}]} | x.json: t.c: default is 2, but must be one of [1]
          {"tables":[{"name":"t","columns":[{"name":"c","type":"boolean","default":1}]}]} | x.json: t.c: default is 1, but must be true or false
          {"tables":[{"name":"t","columns":[{"name":"c","type":"string","default":"x"}]}]} | x.json: t.c: only choices and booleans have a default
          {"tables":[{"name":"t","columns":[{"name":"c","type":"lookup","targets":[5]}]}]} | x.json: t.c: targets holds 5, but must hold texts
          {"tables":[{"name":"t","keys":[{"name":"k","columns":[]}]}]} | x.json: key k of table t has no columns
          {"tables":[{"name":"t","objectTypeCode":"x"}]} | x.json: table t: objectTypeCode is "x", but must be a whole number
          {"tables":[{"name":"t","bulk":"x"}]}         | x.json: table t: bulk is "x", but must be true or false
          {"tables":[{"name":"t","primaryName":"c"}]}  | x.json: table t: primaryName is 'c', but there is no such column
          """)
  void a_file_that_makes_no_sense_is_refused_with_the_reason(String json, String says) {
    assertThatThrownBy(() -> Schema.withTables("x.json", json))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(says);
  }
}
