package dev.sluice.cli.compatibility;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;

/**
 * What was recorded on another machine at another time, brought here. In what is recorded the other
 * side is called {@link #HOST}, and the folder {@link #FOLDER}, so that nothing of a machine is in
 * it.
 *
 * <p>All times but those of runs are moved, as if the process had been killed a few minutes ago. A
 * run keeps its own, because the ids of the rows that it creates are made from them.
 */
final class Stored {
  static final String HOST = "127.0.0.1:1";
  static final String FOLDER = "/recorded";

  /** Nobody: neither of this machine nor of any that will be. */
  static final String HOLDER = "recorded\n1\n1\nrecorded";

  /** Times are milliseconds since 1970. This is what they look like from 2017 to 2033. */
  private static final Pattern TIME = Pattern.compile("(?<![\\d.-])1[5-9]\\d{11}(?![\\d.])");

  private static final Duration AGO = Duration.ofMinutes(5);

  private Stored() {}

  /** Calls everything as it is called in recordings. */
  static String recorded(String text, String host, Path folder) {
    return text.replace(host, HOST).replace(folder.toAbsolutePath().toString(), FOLDER);
  }

  /** Calls everything as it is called here. */
  static String here(String text, String host, Path folder) {
    return text.replace(HOST, host).replace(FOLDER, folder.toAbsolutePath().toString());
  }

  /**
   * Moves the times in a text.
   *
   * @param latest of all times that were recorded
   */
  static String moved(String text, long latest) {
    long later = Instant.now().minus(AGO).toEpochMilli() - latest;
    return TIME.matcher(text)
        .replaceAll(found -> Long.toString(Long.parseLong(found.group()) + later));
  }

  /** The latest time in some texts. */
  static long latest(List<String> texts) {
    return texts.stream()
        .flatMap(text -> TIME.matcher(text).results())
        .mapToLong(found -> Long.parseLong(found.group()))
        .max()
        .orElseThrow();
  }

  /** Brings a file of SQLite here. */
  static void bring(Path file, String host, Path folder) throws SQLException {
    long latest;
    try (Connection connection = sqlite(file)) {
      latest = latest(values(connection, "select expires from lease"));
    }
    change(
        file,
        (table, text) -> here(table.equals("run") ? text : moved(text, latest), host, folder));
  }

  static Connection sqlite(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  /**
   * Changes all values in a file of SQLite, and leaves nothing of those that were there.
   *
   * @param change of a table's name and a value
   */
  static void change(Path file, BinaryOperator<String> change) throws SQLException {
    try (Connection connection = sqlite(file);
        Statement statement = connection.createStatement()) {
      for (List<String> column :
          rows(
              connection,
              "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c"
                  + " where m.type = 'table' and c.type <> 'blob'")) {
        change(connection, column.getFirst(), column.getLast(), change);
      }
      statement.execute("pragma wal_checkpoint(truncate)");
      statement.execute("vacuum");
      statement.execute("pragma wal_checkpoint(truncate)");
    }
  }

  private static void change(
      Connection connection, String table, String column, BinaryOperator<String> change)
      throws SQLException {
    String update = "update \"%1$s\" set \"%2$s\" = ? where \"%2$s\" = ?".formatted(table, column);
    String select =
        "select distinct \"%2$s\" from \"%1$s\" where \"%2$s\" is not null"
            .formatted(table, column);
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      for (List<String> row : rows(connection, select)) {
        String before = row.getFirst();
        String after = change.apply(table, before);
        if (!after.equals(before)) {
          statement.setString(1, after);
          statement.setString(2, before);
          statement.executeUpdate();
        }
      }
    }
  }

  /** What a question finds, as text. */
  static List<List<String>> rows(Connection connection, String sql, Object... values)
      throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (PreparedStatement statement = prepared(connection, sql, values);
        ResultSet found = statement.executeQuery()) {
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(found.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** The values of one column. */
  static List<String> values(Connection connection, String sql, Object... values)
      throws SQLException {
    return rows(connection, sql, values).stream().map(List::getFirst).toList();
  }

  static void update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(connection, sql, values)) {
      statement.executeUpdate();
    }
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }
}
