package dev.sluice.collect.sink.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The one statement that writes a record: always with all columns, so that a table needs no more
 * statements than it had shapes.
 */
final class Upsert {
  private Upsert() {}

  static String sql(Dialect dialect, String table, boolean keyed, Map<String, ColumnKind> columns) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    names.add(Table.CURSOR);
    names.add(Table.FETCHED);
    values.add("?");
    values.add("?");
    columns.forEach(
        (column, kind) -> {
          names.add(Identifiers.quoted(column));
          values.add(dialect.placeholder(kind));
        });
    String into = "insert into " + Identifiers.quoted(table);
    if (!keyed) {
      return into + list(names) + " values " + list(values);
    }
    List<String> changes = names.stream().map(name -> name + " = excluded." + name).toList();
    names.add(0, Table.KEY);
    values.add(0, "?");
    return into
        + " as there"
        + list(names)
        + " values "
        + list(values)
        + " on conflict ("
        + Table.KEY
        + ") do update set "
        + String.join(", ", changes)
        + " where excluded.%1$s > there.%1$s".formatted(Table.CURSOR)
        + " or (excluded.%1$s = there.%1$s".formatted(Table.CURSOR)
        + " and excluded.%1$s >= there.%1$s)".formatted(Table.FETCHED);
  }

  private static String list(List<String> items) {
    return " (" + String.join(", ", items) + ")";
  }
}
