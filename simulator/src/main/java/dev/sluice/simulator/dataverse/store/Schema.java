package dev.sluice.simulator.dataverse.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of an environment. Immutable. */
public final class Schema {
  private final Map<String, TableSchema> byName = new LinkedHashMap<>();
  private final Map<String, TableSchema> bySet = new LinkedHashMap<>();

  Schema(List<TableSchema> tables) {
    for (TableSchema table : tables) {
      // Later ones replace earlier ones: a schema file may redefine what is built in.
      TableSchema before = byName.put(table.name(), table);
      if (before != null) {
        bySet.remove(before.setName());
      }
      if (bySet.put(table.setName(), table) != null) {
        throw new IllegalArgumentException(
            "two tables are both addressed as '%s'".formatted(table.setName()));
      }
    }
    for (TableSchema table : byName.values()) {
      for (Column column : table.columns()) {
        for (String target : column.targets()) {
          if (!byName.containsKey(target)) {
            throw new IllegalArgumentException(
                "column '%s' of table %s refers to a table '%s', which is not there"
                    .formatted(column.name(), table.name(), target));
          }
        }
      }
    }
  }

  /**
   * The tables that every environment here has: account, contact and queue, and the elastic
   * sim_sensorreading.
   */
  public static Schema builtIn() {
    return SchemaReader.builtIn();
  }

  /**
   * The built-in tables and those that a JSON text describes; one of the same name replaces what is
   * built in.
   *
   * @param source what to call the text in messages
   * @throws IllegalArgumentException if the text cannot be understood, saying where and why
   */
  public static Schema withTables(String source, String json) {
    return SchemaReader.read(source, json);
  }

  /** The table with that logical name; null without one. */
  public @Nullable TableSchema named(String name) {
    return byName.get(name);
  }

  /** The table that is addressed so; null without one. */
  public @Nullable TableSchema addressed(String set) {
    return bySet.get(set);
  }

  /** All tables. */
  public Collection<TableSchema> tables() {
    return byName.values();
  }
}
