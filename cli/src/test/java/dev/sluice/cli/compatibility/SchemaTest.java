package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Ran;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new state has the tables, columns and indexes that others may read; so have sinks. */
class SchemaTest {
  @TempDir Path folder;

  private Shop shop;

  @BeforeEach
  void open() throws IOException {
    shop = new Shop();
    CollectionRecorder.copy(shop, folder);
  }

  @AfterEach
  void close() {
    shop.close();
    Postgres.letNobodyIn();
  }

  private void collect(String state) {
    Ran ran = Ran.of("collect", folder.resolve("tables.yaml").toString(), "--state", state);
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  @Test
  void a_new_state_in_a_file_has_the_tables_that_it_had() throws Exception {
    Path state = folder.resolve("state.db");
    collect(state.toString());
    StringBuilder text = new StringBuilder();
    try (Connection connection = Stored.sqlite(state)) {
      for (String pragma : List.of("application_id", "user_version", "journal_mode")) {
        text.append(pragma)
            .append(' ')
            .append(Stored.values(connection, "pragma " + pragma).getFirst())
            .append('\n');
      }
      text.append(tables(connection));
    }
    Golden.compare("sqlite-tables.txt", text.toString());
  }

  @Test
  void a_new_state_in_postgresql_has_the_tables_that_it_had() throws Exception {
    Postgres.letIn(folder);
    Postgres database = new Postgres("schema_of_a_new_state");
    collect(database.address());
    Golden.compare("postgresql-tables.sql", database.tables());
  }

  private static String tables(Connection connection) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (List<String> each :
        Stored.rows(
            connection, "select name, sql from sqlite_master where type = 'table' order by name")) {
      String table = each.getFirst();
      text.append(table)
          .append(each.getLast().endsWith("without rowid") ? " without rowid" : "")
          .append('\n');
      String columns =
          """
          select concat_ws(' ', name, type, iif("notnull", 'not null', null),
            'default ' || dflt_value, iif(pk, 'key ' || pk, null))
          from pragma_table_info(?)
          """;
      for (String column : Stored.values(connection, columns, table)) {
        text.append("  ").append(column).append('\n');
      }
      String references =
          """
          select concat_ws(' ', "from", '->', "table", "to", 'on delete', on_delete)
          from pragma_foreign_key_list(?) order by 1
          """;
      for (String reference : Stored.values(connection, references, table)) {
        text.append("  ").append(reference).append('\n');
      }
      String unique =
          """
          select 'unique ' || (select group_concat(name, ', ') from pragma_index_info(list.name))
          from pragma_index_list(?) list where origin = 'u' order by 1
          """;
      for (String index : Stored.values(connection, unique, table)) {
        text.append("  ").append(index).append('\n');
      }
    }
    for (String index :
        Stored.values(
            connection,
            "select sql from sqlite_master where type = 'index' and sql is not null order by"
                + " name")) {
      text.append(index.replaceAll("\\s+", " ")).append('\n');
    }
    return text.toString();
  }
}
