package dev.sluice.dataverse.table;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.Worlds.World;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.table.Table.BulkMessage;
import dev.sluice.gate.Gate;
import dev.sluice.simulator.dataverse.FaultKind;
import dev.sluice.simulator.dataverse.FaultRule;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TableReaderTest {
  private static Table read(World world, String name) throws IOException, InterruptedException {
    try (Gate gate = Gate.builder().lane("app1", LaneOptions.fixed(2)).time(world.time()).build()) {
      return new TableReader(Calls.through(gate, world.service())).read(name);
    }
  }

  @Test
  void a_standard_table_tells_its_columns_keys_and_messages() {
    Worlds.free(
        world -> {
          Table account = read(world, "account");
          assertThat(account.entitySet()).isEqualTo("accounts");
          assertThat(account.primaryId()).isEqualTo("accountid");
          assertThat(account.elastic()).isFalse();
          assertThat(account.keys()).containsExactly(List.of("accountnumber"));
          assertThat(account.bulk())
              .containsExactlyInAnyOrder(
                  BulkMessage.CREATE_MULTIPLE,
                  BulkMessage.UPDATE_MULTIPLE,
                  BulkMessage.UPSERT_MULTIPLE);
          assertThat(account.column("name"))
              .isEqualTo(
                  new Column(
                      "name",
                      "Name",
                      Column.Type.TEXT,
                      true,
                      true,
                      true,
                      160,
                      Optional.empty(),
                      Map.of(),
                      List.of()));
          assertThat(requireNonNull(account.column("accountnumber")).label())
              .isEqualTo("Account Number");
          assertThat(requireNonNull(account.column("accountnumber")).required()).isFalse();
          assertThat(range(account, "numberofemployees")).isEqualTo("0 to 1000000000");
          assertThat(range(account, "revenue")).isEqualTo("0 to 100000000000000");
          assertThat(range(account, "exchangerate")).isEqualTo("0 to 100000000000");
          assertThat(range(account, "address1_latitude")).isEqualTo("-90 to 90");
          assertThat(requireNonNull(account.column("accountid")).description())
              .isEqualTo("id, create only, required");
          Column category = requireNonNull(account.column("accountcategorycode"));
          assertThat(category.type()).isEqualTo(Column.Type.CHOICE);
          assertThat(category.options()).isEqualTo(Map.of("Preferred Customer", 1, "Standard", 2));
          assertThat(category.description()).isEqualTo("one of Preferred Customer, Standard");
          assertThat(requireNonNull(account.column("statecode")).options())
              .isEqualTo(Map.of("Active", 0, "Inactive", 1));
          assertThat(requireNonNull(account.column("primarycontactid")).targets())
              .containsExactly(new Column.Target("contact", "contacts", "primarycontactid"));
          assertThat(account.columns())
              .extracting(Column::type)
              .contains(
                  Column.Type.MEMO,
                  Column.Type.INTEGER,
                  Column.Type.MONEY,
                  Column.Type.DECIMAL,
                  Column.Type.DOUBLE,
                  Column.Type.BOOLEAN,
                  Column.Type.DATE_TIME);
          assertThat(account.column("createdon")).isNull();
        });
  }

  private static String range(Table table, String column) {
    Column.Range range = requireNonNull(table.column(column)).range().orElseThrow();
    return range.least().toPlainString() + " to " + range.most().toPlainString();
  }

  @Test
  void a_look_up_with_several_targets_and_a_plain_date_are_told_apart() {
    Worlds.free(
        world -> {
          Table contact = read(world, "contact");
          assertThat(requireNonNull(contact.column("parentcustomerid")).targets())
              .containsExactlyInAnyOrder(
                  new Column.Target("account", "accounts", "parentcustomerid_account"),
                  new Column.Target("contact", "contacts", "parentcustomerid_contact"));
          assertThat(requireNonNull(contact.column("birthdate")).type())
              .isEqualTo(Column.Type.DATE);
        });
  }

  @Test
  void an_elastic_table_takes_all_bulk_messages_and_some_tables_take_none() {
    Worlds.free(
        world -> {
          Table reading = read(world, "sim_sensorreading");
          assertThat(reading.elastic()).isTrue();
          assertThat(reading.bulk()).containsExactlyInAnyOrder(BulkMessage.values());
          assertThat(read(world, "queue").bulk()).isEmpty();
        });
  }

  @Test
  void a_table_that_is_not_there_is_called_by_the_name_that_was_given() {
    Worlds.free(
        world ->
            assertThatThrownBy(() -> read(world, "o'accounts"))
                .isInstanceOf(FaultException.class)
                .hasMessageStartingWith("there is no table 'o'accounts'; give its logical name"));
  }

  @Test
  void gateways_and_expired_tokens_do_not_disturb_it() {
    Worlds.in(
        Worlds.FREE.withFaults(
            List.of(
                FaultRule.next(FaultKind.EXPIRED_TOKEN, 1, 1),
                FaultRule.next(FaultKind.BAD_GATEWAY, 2, 1),
                FaultRule.next(FaultKind.DROPPED, 3, 1))),
        world -> assertThat(read(world, "account").columns()).isNotEmpty());
  }

  @Test
  void what_only_the_real_service_has_is_understood() {
    JsonNode definition =
        JsonMapper.shared()
            .readTree(
                """
                {"Attributes":[
                  {"LogicalName":"ownerid","AttributeType":"Owner","IsValidForCreate":true,"IsValidForUpdate":true},
                  {"LogicalName":"owneridname","AttributeType":"String","AttributeOf":"ownerid","IsValidForCreate":true,"IsValidForUpdate":false},
                  {"LogicalName":"x_tags","AttributeType":"Virtual","AttributeTypeName":{"Value":"MultiSelectPicklistType"},"IsValidForCreate":true,"IsValidForUpdate":true},
                  {"LogicalName":"x_file","AttributeType":"Virtual","AttributeTypeName":{"Value":"FileType"},"IsValidForCreate":false,"IsValidForUpdate":true},
                  {"LogicalName":"modifiedon","AttributeType":"DateTime","IsValidForCreate":false,"IsValidForUpdate":false},
                  {"LogicalName":"x_rate","AttributeType":"Double","IsValidForCreate":true,"IsValidForUpdate":true},
                  {"LogicalName":"x_due","AttributeType":"DateTime","AttributeOf":null,"IsValidForCreate":true,"IsValidForUpdate":true}],
                 "ManyToOneRelationships":[
                  {"ReferencingAttribute":"ownerid","ReferencedEntity":"owner","ReferencingEntityNavigationPropertyName":"ownerid"}]}
                """);
    JsonNode tags =
        JsonMapper.shared()
            .readTree(
                """
                {"LogicalName":"x_tags","OptionSet":null,"GlobalOptionSet":{"Options":[
                  {"Value":1,"Label":{"UserLocalizedLabel":{"Label":"Red"}}},
                  {"Value":2,"Label":{"UserLocalizedLabel":null,"LocalizedLabels":[{"Label":"Blau"}]}},
                  {"Value":3,"Label":{"UserLocalizedLabel":{"Label":"Twice"}}},
                  {"Value":4,"Label":{"UserLocalizedLabel":{"Label":"Twice"}}}]}}
                """);
    JsonNode rate =
        JsonMapper.shared()
            .readTree("{\"LogicalName\":\"x_rate\",\"MinValue\":-1.0E11,\"MaxValue\":1.0E11}");
    assertThat(Columns.detailedTypes(definition))
        .isEqualTo(Set.of("DateTime", "Double", "MultiSelectPicklist"));
    List<Column> columns =
        Columns.read(
            definition,
            Map.of("x_tags", tags, "x_rate", rate),
            Map.of("systemuser", "systemusers", "team", "teams", "owner", "owners"));
    assertThat(columns)
        .extracting(Column::logicalName)
        .containsExactly("ownerid", "x_tags", "x_rate", "x_due");
    assertThat(columns.get(0).targets())
        .containsExactly(
            new Column.Target("systemuser", "systemusers", "ownerid"),
            new Column.Target("team", "teams", "ownerid"));
    assertThat(columns.get(1).type()).isEqualTo(Column.Type.MULTI_CHOICE);
    assertThat(columns.get(1).options()).isEqualTo(Map.of("Red", 1, "Blau", 2));
    assertThat(columns.get(2).range().orElseThrow().most()).isEqualByComparingTo("100000000000");
    assertThat(columns.get(3).type()).isEqualTo(Column.Type.DATE_TIME);
    assertThat(columns.get(3).range()).isEmpty();
  }
}
