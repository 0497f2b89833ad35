package dev.sluice.load.mapping;

import static dev.sluice.load.mapping.Tables.ACCOUNT;
import static dev.sluice.load.mapping.Tables.EVENT;
import static dev.sluice.load.mapping.Tables.IDS;
import static dev.sluice.load.mapping.Tables.item;
import static dev.sluice.load.mapping.Tables.map;
import static dev.sluice.load.mapping.Tables.rejection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.load.Rejection.Reason;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RowMapperTest {
  private static final UUID ID = UUID.fromString("00aa00bb-1234-5678-9abc-00dd00ee00ff");

  @Test
  void columns_are_found_by_their_names_in_any_case() throws Exception {
    assertThat(item(map("Name,EMPLOYEES\nA,1\n", Operation.CREATE).get(0)).columns())
        .isEqualTo("\"name\":\"A\",\"employees\":1");
  }

  @Test
  void unknown_columns_are_an_error_with_suggestions_before_anything_is_sent() {
    assertThatThrownBy(() -> map("nmae,emploees,zzz\nA,1,2\n", Operation.CREATE))
        .isInstanceOf(MappingException.class)
        .extracting(e -> ((MappingException) e).problems())
        .isEqualTo(
            List.of(
                "column 'nmae': table account has no column nmae that can be written; did you mean"
                    + " name?",
                "column 'emploees': table account has no column emploees that can be written; did"
                    + " you mean employees?",
                "column 'zzz': table account has no column zzz that can be written; name another"
                    + " one or skip it in a mapping"));
  }

  @Test
  void two_columns_for_one_are_an_error() {
    assertThatThrownBy(() -> map("name,Name\nA,B\n", Operation.CREATE))
        .hasMessage("column 'Name' and 'name' both go to name; skip one of them");
  }

  @Test
  void a_column_that_the_operation_cannot_set_is_an_error() throws Exception {
    assertThat(map("fixed\nx\n", Operation.CREATE)).hasSize(1);
    assertThatThrownBy(() -> map("accountid,fixed\n,x\n", Operation.UPDATE))
        .hasMessage("column 'fixed': fixed cannot be set by update; skip it in a mapping");
  }

  @Test
  void a_look_up_to_several_tables_must_say_which() {
    assertThatThrownBy(() -> map("customerid\nx\n", Operation.CREATE))
        .hasMessage(
            "column 'customerid': customerid may point to account or contact; say which in a"
                + " mapping (lookup)");
  }

  @Test
  void an_empty_cell_leaves_its_column_alone() throws Exception {
    assertThat(item(map("name,employees,contactid\nA,, \n", Operation.CREATE).get(0)).columns())
        .isEqualTo("\"name\":\"A\"");
  }

  @Test
  void an_empty_cell_clears_its_column_if_that_is_wanted() throws Exception {
    var mapped =
        map(
            "{\"accountid\":\"%s\",\"name\":\"\",\"employees\":null,\"contactid\":\"\"}\n{\"accountid\":\"%s\",\"name\":\"A\"}\n"
                .formatted(ID, ID),
            ACCOUNT,
            Operation.UPDATE,
            Mapping.NONE,
            MappingOptions.DEFAULTS.withClearEmpty(true));
    assertThat(item(mapped.get(0)).columns())
        .isEqualTo("\"name\":null,\"employees\":null,\"new_Contact\":null");
    assertThat(item(mapped.get(1)).columns()).isEqualTo("\"name\":\"A\"");
  }

  @Test
  void a_row_without_any_value_is_rejected() throws Exception {
    var mapped = map("name,employees\n,\n , \n", Operation.CREATE);
    assertThat(rejection(mapped.get(0)).reason()).isEqualTo(Reason.EMPTY_ROW);
    assertThat(rejection(mapped.get(0)).message()).isEqualTo("line 2: the row is empty");
    assertThat(item(mapped.get(1)).columns()).isEqualTo("\"name\":\" \"");
  }

  @Test
  void what_the_reader_rejected_stays_rejected() throws Exception {
    var mapped = map("name,employees\nA\nB,2\n", Operation.CREATE);
    assertThat(rejection(mapped.get(0)).reason()).isEqualTo(Reason.RAGGED_ROW);
    assertThat(item(mapped.get(1)).index()).isEqualTo(1);
  }

  @Test
  void a_create_without_a_key_gets_an_id_that_is_ours() throws Exception {
    var mapped = map("name\nA\nB\n", Operation.CREATE);
    assertThat(item(mapped.get(1)))
        .isEqualTo(new Item(1, new RecordKey.Id(IDS.id(1)), true, "\"name\":\"B\""));
  }

  @Test
  void a_create_with_an_id_keeps_it_and_one_whose_cell_is_empty_gets_ours() throws Exception {
    var mapped = map("accountid,name\n{%s},A\n,B\n".formatted(ID), Operation.CREATE);
    assertThat(item(mapped.get(0)))
        .isEqualTo(new Item(0, new RecordKey.Id(ID), false, "\"name\":\"A\""));
    assertThat(item(mapped.get(1)))
        .isEqualTo(new Item(1, new RecordKey.Id(IDS.id(1)), true, "\"name\":\"B\""));
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"UPDATE", "UPSERT"})
  void rows_are_known_by_their_id_which_is_no_part_of_the_body(Operation operation)
      throws Exception {
    var mapped = map("accountid,name\n%s,A\n,B\nx,C\n".formatted(ID), operation);
    assertThat(item(mapped.get(0)))
        .isEqualTo(new Item(0, new RecordKey.Id(ID), false, "\"name\":\"A\""));
    assertThat(rejection(mapped.get(1)).reason()).isEqualTo(Reason.NO_KEY);
    assertThat(rejection(mapped.get(1)).message())
        .isEqualTo("line 3: accountid is empty, but says which row is meant");
    assertThat(rejection(mapped.get(2)).message())
        .startsWith("line 4: accountid is 'x', but an id such as");
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"UPDATE", "UPSERT", "DELETE"})
  void an_operation_on_rows_needs_a_key(Operation operation) {
    assertThatThrownBy(() -> map("name\nA\n", operation))
        .hasMessage(
            operation.wireName()
                + " needs to know which rows are meant: the input has no column accountid, and no"
                + " other key was named (--key)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "accountnumber | O'Neil's    | accountnumber='O''Neil''s'",
        "accountnumber | ' A b '     | accountnumber=' A b '",
      })
  void an_alternate_key_is_a_predicate_and_no_part_of_the_body(
      String key, String value, String predicate) throws Exception {
    assertThat(item(map("%s,name\n%s,A\n".formatted(key, value), Operation.UPSERT, key).get(0)))
        .isEqualTo(new Item(0, new RecordKey.Alternate(predicate), false, "\"name\":\"A\""));
  }

  @Test
  void a_composite_key_is_written_in_the_order_of_its_declaration() throws Exception {
    var mapped = map("employees,source,name\n12.0,x,A\n", Operation.UPSERT, "employees", "source");
    assertThat(item(mapped.get(0)).key())
        .isEqualTo(new RecordKey.Alternate("source='x',employees=12"));
  }

  @Test
  void look_ups_and_dates_in_keys_have_no_quotes() throws Exception {
    String input = "contactid,born,name\n%s,2026-01-05,A\n".formatted(ID);
    assertThat(item(map(input, Operation.UPDATE, "contactid", "born").get(0)).key())
        .isEqualTo(new RecordKey.Alternate("_contactid_value=%s,born=2026-01-05".formatted(ID)));
  }

  @Test
  void a_key_that_is_incomplete_or_wrong_rejects_the_row_with_all_its_mistakes() throws Exception {
    var mapped = map("employees,source,name\nx,,A\n", Operation.UPSERT, "source", "employees");
    assertThat(rejection(mapped.get(0)).reason()).isEqualTo(Reason.NO_KEY);
    assertThat(rejection(mapped.get(0)).message())
        .startsWith("line 2: source is empty, but is part of the key; employees is 'x', but");
  }

  @Test
  void a_key_that_the_table_does_not_have_is_an_error() {
    assertThatThrownBy(() -> map("name\nA\n", Operation.UPSERT, "name"))
        .hasMessageContaining(
            "the key (name) is none of table account; (accountid) or (accountnumber) or (source,"
                + " employees) or (contactid, born) is expected");
  }

  @Test
  void a_key_that_the_input_does_not_have_is_an_error() {
    assertThatThrownBy(() -> map("name\nA\n", Operation.UPSERT, "accountnumber"))
        .hasMessage("the input has no column for accountnumber, which is part of the key");
  }

  @Test
  void to_a_create_an_alternate_key_is_a_column() throws Exception {
    var mapped = map("accountnumber\nX\n", Operation.CREATE, "accountnumber");
    assertThat(item(mapped.get(0)).columns()).isEqualTo("\"accountnumber\":\"X\"");
    assertThat(item(mapped.get(0)).ours()).isTrue();
  }

  @Test
  void a_delete_has_no_body_and_does_not_mind_other_columns() throws Exception {
    assertThat(
            item(map("accountid,whatever,born\n%s,x,y\n".formatted(ID), Operation.DELETE).get(0)))
        .isEqualTo(new Item(0, new RecordKey.Id(ID), false, ""));
  }

  @Test
  void the_partition_of_an_elastic_row_is_part_of_its_key() throws Exception {
    var mapped =
        map(
            "eventid,partitionid,name\n%s,p,A\n,q,B\n%s,,C\n".formatted(ID, ID),
            EVENT,
            Operation.CREATE,
            Mapping.NONE,
            MappingOptions.DEFAULTS);
    assertThat(item(mapped.get(0)))
        .isEqualTo(new Item(0, new RecordKey.Id(ID, "p"), false, "\"name\":\"A\""));
    assertThat(item(mapped.get(1)).key()).isEqualTo(new RecordKey.Id(IDS.id(1), "q"));
    assertThat(item(mapped.get(2)).key()).isEqualTo(new RecordKey.Id(ID));
  }

  @Test
  void members_that_come_later_are_bound_then_and_unknown_ones_reject_their_rows()
      throws Exception {
    var mapped =
        map(
            "{\"name\":\"A\"}\n{\"nmae\":\"B\"}\n{\"name\":\"C\",\"employees\":3}\n{\"name\":\"D\"}\n",
            Operation.CREATE);
    assertThat(item(mapped.get(0)).columns()).isEqualTo("\"name\":\"A\"");
    assertThat(rejection(mapped.get(1)).message())
        .isEqualTo(
            "line 2: column 'nmae': table account has no column nmae that can be written; did you"
                + " mean name?");
    assertThat(item(mapped.get(2)).columns()).isEqualTo("\"name\":\"C\",\"employees\":3");
    assertThat(item(mapped.get(3)).columns()).isEqualTo("\"name\":\"D\"");
  }

  @Test
  void what_a_reject_file_has_more_is_ignored() throws Exception {
    assertThat(
            item(map("name,error_code,error_message\nA,x,y\n", Operation.CREATE).get(0)).columns())
        .isEqualTo("\"name\":\"A\"");
  }

  @Test
  void a_mapping_renames_skips_and_fills() throws Exception {
    var mapped =
        Tables.create(
            "Company,Remarks,Staff\nA,x,\nB,y,7\n",
            """
            columns:
              Company: name
              Remarks: {skip: true}
              Staff: {to: employees, default: 5}
              Origin: {to: source, default: import}
            """);
    assertThat(mapped.stream().map(each -> item(each).columns()))
        .containsExactly(
            "\"name\":\"A\",\"employees\":5,\"source\":\"import\"",
            "\"name\":\"B\",\"employees\":7,\"source\":\"import\"");
  }

  @Test
  void a_mapping_reads_dates_strictly_by_their_format() throws Exception {
    var mapped =
        Tables.create(
            "born,seen\n05.01.2026,5 Jan 2026 14:30\n31.02.2026,\n",
            """
            columns:
              born: {date: dd.MM.yyyy}
              seen: {date: d MMM yyyy HH:mm}
            """);
    assertThat(item(mapped.get(0)).columns())
        .isEqualTo("\"born\":\"2026-01-05\",\"seen\":\"2026-01-05T14:30:00Z\"");
    assertThat(rejection(mapped.get(1)).message())
        .isEqualTo(
            "line 3: born is '31.02.2026', but a date written as dd.MM.yyyy, not before 1753, is"
                + " expected");
  }

  @Test
  void a_mapping_gives_labels() throws Exception {
    var mapped =
        Tables.create(
            "stage,onhold\nOffen,Ja\nClosed,nein\n",
            """
            columns:
              stage: {optionset: {Offen: 1}}
              onhold: {optionset: {Ja: 1, Nein: 0}}
            """);
    assertThat(mapped.stream().map(each -> item(each).columns()))
        .containsExactly("\"stage\":1,\"onhold\":true", "\"stage\":2,\"onhold\":false");
  }

  @Test
  void a_mapping_gives_words_for_yes_and_no() throws Exception {
    var mapped =
        Tables.create(
            "onhold\nJa\nj\nNEIN\nyes\n0\njein\n",
            "{yes: [ja, j], no: [nein], columns: {onhold: {optionset: {Nö: 0}}}}");
    assertThat(mapped.stream().limit(5).map(each -> item(each).columns()))
        .containsExactly(
            "\"onhold\":true",
            "\"onhold\":true",
            "\"onhold\":false",
            "\"onhold\":true",
            "\"onhold\":false");
    assertThat(rejection(mapped.get(5)).message())
        .isEqualTo(
            "line 7: onhold is 'jein', but true or false, yes or no, on or off, 1 or 0, ja, j or"
                + " nein is expected");
  }

  @Test
  void labels_of_one_column_go_before_words_of_the_file() throws Exception {
    var mapped =
        Tables.create("onhold\nja\n", "{yes: ja, columns: {onhold: {optionset: {Ja: 0}}}}");
    assertThat(item(mapped.get(0)).columns()).isEqualTo("\"onhold\":false");
  }

  @Test
  void a_mapping_looks_up_by_alternate_key_or_in_one_of_several_tables() throws Exception {
    var mapped =
        Tables.create(
            "Mail,customerid\n\"O'N\"\"eil\",%s\n".formatted(ID),
            """
            columns:
              Mail: {to: contactid, lookup: {table: contact, by: email}}
              customerid: {lookup: account}
            """);
    assertThat(item(mapped.get(0)).columns())
        .isEqualTo(
            "\"new_Contact@odata.bind\":\"/contacts(email='O''N\\\"eil')\","
                + "\"customerid_account@odata.bind\":\"/accounts(%s)\"".formatted(ID));
  }

  @Test
  void a_look_up_by_a_number_has_no_quotes() throws Exception {
    var mapped =
        Tables.create(
            "contactid\n12\nx\n",
            "columns: {contactid: {lookup: {table: contact, by: no, number: true}}}");
    assertThat(item(mapped.get(0)).columns())
        .isEqualTo("\"new_Contact@odata.bind\":\"/contacts(no=12)\"");
    assertThat(rejection(mapped.get(1)).message()).contains("a number such as");
  }

  @Test
  void a_mapping_names_the_key_of_which_a_part_may_be_the_same_for_all() throws Exception {
    var mapped =
        map(
            "No,name\n7,A\n",
            ACCOUNT,
            Operation.UPSERT,
            MappingFile.parse(
                "m.yaml",
                "columns: {No: {to: employees, key: true}, S: {to: source, key: true, default: sap}}"),
            MappingOptions.DEFAULTS);
    assertThat(item(mapped.get(0)))
        .isEqualTo(
            new Item(
                0, new RecordKey.Alternate("source='sap',employees=7"), false, "\"name\":\"A\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Compny: {to: name}        | m.yaml:2: the input has no column 'Compny'; did you mean 'Company'?",
        "Company: {to: nmae}       | m.yaml:2: Company: table account has no column nmae that can be written; did you mean name?",
        "Company: {to: name, date: yyyy} | m.yaml:2: Company.date is for columns that hold dates, but name is of type text",
        "Company: {to: name, number: '1.234,56'} | m.yaml:2: Company.number is for columns that hold numbers, but name is of type text",
        "Company: {to: contactid, number: '1.234,56'} | m.yaml:2: Company.number is for columns that hold numbers, but contactid is of type lookup",
        "Company: {to: revenue, number: '1.234,56', default: 1.5} | m.yaml:2: Company.default is '1.5', but a number written as 1.234,56 is expected",
        "Company: {to: name, lookup: x}  | m.yaml:2: Company.lookup is for columns that hold look-ups, but name is of type text",
        "Company: {to: name, optionset: {a: 1}} | m.yaml:2: Company.optionset is for columns that hold choices, but name is of type text",
        "Company: {to: stage, optionset: {a: 7}} | m.yaml:2: Company.optionset.a is 7, but stage has no such choice",
        "Company: {to: contactid, lookup: lead}  | m.yaml:2: Company.lookup is lead, but contactid points to contact",
        "Company: {to: employees, default: x}    | m.yaml:2: Company.default is 'x', but a whole number from -2147483648 to 2147483647 is expected",
      })
  void a_rule_that_does_not_fit_the_table_is_an_error_at_its_line(String rule, String message) {
    assertThatThrownBy(
            () ->
                Tables.create(
                    "Company\nA\n", "columns:\n  " + rule + "\n  Company2: {skip: true}\n"))
        .isInstanceOf(MappingException.class)
        .extracting(
            e ->
                ((MappingException) e).problems().get(((MappingException) e).problems().size() - 1))
        .isEqualTo(message);
  }
}
