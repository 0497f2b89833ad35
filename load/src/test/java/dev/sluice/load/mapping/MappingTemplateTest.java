package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Column.Target;
import dev.sluice.dataverse.table.Table;
import dev.sluice.load.mapping.MappingTemplate.Written;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MappingTemplateTest {
  private static final Table ACCOUNT =
      new Table(
          "account",
          "accounts",
          "accountid",
          false,
          List.of(
              text("name", "Account Name", true),
              text("accountnumber", "Account Number", false),
              text("address1_city", "City", false),
              text("address2_city", "City", false),
              new Column(
                  "customerid",
                  "Customer",
                  Column.Type.LOOKUP,
                  false,
                  true,
                  true,
                  0,
                  Optional.empty(),
                  Map.of(),
                  List.of(
                      new Target("account", "accounts", "customerid_account"),
                      new Target("contact", "contacts", "customerid_contact"))),
              new Column("merged", Column.Type.BOOLEAN, false, true, 0, Map.of(), List.of())),
          List.of(),
          Set.of());

  private static Column text(String name, String label, boolean required) {
    return new Column(
        name,
        label,
        Column.Type.TEXT,
        required,
        true,
        true,
        160,
        Optional.empty(),
        Map.of(),
        List.of());
  }

  private static Mapping read(Written written) throws MappingException {
    return MappingFile.parse("template.yaml", written.text());
  }

  private static Mapping.Rule rule(Mapping mapping, String column) {
    return requireNonNull(mapping.columns().get(column), column);
  }

  @Test
  void columns_go_where_names_or_labels_agree_in_any_case_and_others_are_skipped_with_a_reason()
      throws MappingException {
    Written written =
        MappingTemplate.of(
            ACCOUNT, "accounts.csv", List.of("account name", "AccountNumber", "Remarks", "City"));
    Mapping mapping = read(written);
    assertThat(rule(mapping, "account name").to()).contains("name");
    assertThat(rule(mapping, "AccountNumber").to()).contains("accountnumber");
    assertThat(rule(mapping, "Remarks").skip()).isTrue();
    assertThat(rule(mapping, "City").skip()).isTrue();
    assertThat(written.mapped()).isEqualTo(2);
    assertThat(written.skipped()).isEqualTo(2);
    assertThat(written.text())
        .contains("# Account Name: text, at most 160 characters, required\n")
        .contains("# no column has this name or label\n")
        .contains("# the label of address1_city and address2_city\n");
  }

  @Test
  void what_is_written_is_accepted_as_it_is_by_a_load_of_that_file() throws Exception {
    List<String> header = List.of("Account Name", "name", "Customer", "merged", "yes", "a: #b");
    Written written = MappingTemplate.of(ACCOUNT, "accounts.csv", header);
    String line = "Account Name,name,Customer,merged,yes,a: #b,error_code\n";
    List<Mapped> mapped =
        Tables.map(
            line + "Alpha,Beta,019b0123-4567-7000-8000-000000000001,x,x,x,x\n",
            ACCOUNT,
            Operation.CREATE,
            read(MappingTemplate.of(ACCOUNT, "", header)),
            MappingOptions.DEFAULTS);
    assertThat(mapped).hasSize(1);
    assertThat(Tables.item(mapped.getFirst()).columns())
        .contains("\"name\":\"Alpha\"", "accounts(019b0123")
        .doesNotContain("Beta");
    assertThat(written.text())
        .contains("{to: customerid, lookup: account}")
        .contains("another column goes to name already")
        .contains("merged cannot be set by create");
  }

  @Test
  void without_a_file_every_column_is_there_commented_out_and_any_file_is_accepted()
      throws Exception {
    Written written = MappingTemplate.of(ACCOUNT, "", List.of());
    assertThat(read(written).columns()).isEmpty();
    assertThat(written.text())
        .contains("  # name: name", "  # accountnumber: accountnumber", "  # merged: merged")
        .contains("# yes or no, update only\n");
    assertThat(
            Tables.map(
                "name\nAlpha\n", ACCOUNT, Operation.CREATE, read(written), MappingOptions.DEFAULTS))
        .hasSize(1);
  }

  @Test
  void the_columns_of_a_reject_file_and_words_that_break_lines_do_no_harm() throws Exception {
    Written written =
        MappingTemplate.of(
            ACCOUNT, "a\nb.csv", List.of("name", "error_code", "error_message", "two\nlines"));
    assertThat(read(written).columns().keySet()).containsExactly("name", "two\nlines");
    assertThat(written.skipped()).isEqualTo(1);
  }
}
