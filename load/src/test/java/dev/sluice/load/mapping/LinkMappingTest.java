package dev.sluice.load.mapping;

import static dev.sluice.load.mapping.Tables.ACCOUNT;
import static dev.sluice.load.mapping.Tables.EVENT;
import static dev.sluice.load.mapping.Tables.item;
import static dev.sluice.load.mapping.Tables.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.load.mapping.Links.Link;
import dev.sluice.load.mapping.Links.Name;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ties records of one input to each other. */
class LinkMappingTest {
  private static final String BY_NUMBER =
      "columns: {Parent: {to: parentid, lookup: {same-file: ACCOUNTNUMBER}}}";

  private static final LinkColumn PARENT =
      new LinkColumn("parentid", 0, "ACCOUNTNUMBER", "accounts", "new_Parent");

  @Test
  void names_and_links_are_read_and_nothing_of_them_is_written_at_first() throws Exception {
    Mapped mapped = Tables.create("name,accountnumber,Parent\nA,1, 2 \n", BY_NUMBER).get(0);
    assertThat(item(mapped).columns()).isEqualTo("\"name\":\"A\",\"accountnumber\":\"1\"");
    assertThat(((Mapped.Ready) mapped).links())
        .isEqualTo(new Links(List.of(new Name(0, "1")), List.of(new Link(PARENT, "2"))));
  }

  @Test
  void an_empty_cell_links_to_nothing_and_clears_if_that_is_wanted() throws Exception {
    Mapped mapped =
        map(
                "name,accountnumber,Parent\nA,, \n",
                ACCOUNT,
                Operation.CREATE,
                MappingFile.parse("m.yaml", BY_NUMBER),
                MappingOptions.DEFAULTS.withClearEmpty(true))
            .get(0);
    assertThat(item(mapped).columns())
        .isEqualTo("\"name\":\"A\",\"accountnumber\":null,\"new_Parent\":null");
    assertThat(((Mapped.Ready) mapped).links()).isEqualTo(Links.NONE);
  }

  @Test
  void a_row_that_is_turned_away_is_named_all_the_same() throws Exception {
    Mapped mapped = Tables.create("employees,accountnumber,Parent\nmany,1,\n", BY_NUMBER).get(0);
    assertThat(((Mapped.Rejected) mapped).links().names()).isEqualTo(List.of(new Name(0, "1")));
  }

  @Test
  void columns_of_json_lines_may_come_later() throws Exception {
    List<Mapped> mapped =
        Tables.create(
            "{\"name\":\"A\"}\n{\"name\":\"B\",\"accountnumber\":1,\"Parent\":\"2\"}\n", BY_NUMBER);
    assertThat(((Mapped.Ready) mapped.get(0)).links()).isEqualTo(Links.NONE);
    assertThat(((Mapped.Ready) mapped.get(1)).links())
        .isEqualTo(new Links(List.of(new Name(0, "1")), List.of(new Link(PARENT, "2"))));
  }

  @Test
  void a_row_is_bound_by_its_id_or_by_a_key_with_whatever_is_in_it() {
    assertThat(PARENT.member("accountnumber='A''\"1'"))
        .isEqualTo("\"new_Parent@odata.bind\":\"/accounts(accountnumber='A''\\\"1')\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parentid  | numbr  | a look-up to the same file goes by 'numbr', but the input has no such column; did you mean 'Number'?",
        "contactid | Number | m.yaml:1: Up.lookup.same-file: contactid points to contact, but this file is loaded into account",
        "employees | Number | m.yaml:1: Up.lookup is for columns that hold look-ups, but employees is of type integer",
      })
  void a_look_up_that_cannot_be_is_told_before_anything_is_sent(
      String to, String listed, String message) {
    String mapping =
        "columns: {Number: accountnumber, Up: {to: %s, lookup: {same-file: %s}}}"
            .formatted(to, listed);
    assertThatThrownBy(() -> Tables.create("Number,Up\n1,\n", mapping))
        .isInstanceOf(MappingException.class)
        .hasMessage(message);
  }

  @Test
  void updates_deletes_and_elastic_tables_cannot_have_them_whatever_columns_there_are()
      throws Exception {
    Mapping mapping = MappingFile.parse("m.yaml", BY_NUMBER);
    for (Operation operation : List.of(Operation.UPDATE, Operation.DELETE)) {
      assertThatThrownBy(
              () ->
                  map(
                      "{\"accountid\":\"\"}\n",
                      ACCOUNT,
                      operation,
                      mapping,
                      MappingOptions.DEFAULTS))
          .hasMessageContaining("is for create and upsert, but this is " + operation.wireName());
    }
    assertThatThrownBy(
            () ->
                map(
                    "{\"name\":\"A\"}\n",
                    EVENT,
                    Operation.CREATE,
                    mapping,
                    MappingOptions.DEFAULTS))
        .hasMessageContaining("is for standard tables, but event is elastic");
  }
}
