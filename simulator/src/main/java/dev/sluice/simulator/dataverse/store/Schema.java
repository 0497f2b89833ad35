package dev.sluice.simulator.dataverse.store;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of an environment. Immutable. */
public final class Schema {
  private final Map<String, TableSchema> byName = new LinkedHashMap<>();
  private final Map<String, TableSchema> bySet = new LinkedHashMap<>();
  private final Map<String, Map<String, OneToMany>> collections = new HashMap<>();

  /**
   * A navigation property that leads to many rows: those whose lookup refers to this one.
   *
   * @param table the table that has the lookup
   * @param column the position of the lookup
   * @param partner the navigation property that leads back
   */
  public record OneToMany(TableSchema table, int column, String partner) {}

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
      for (int i = 0; i < table.columns().size(); i++) {
        for (Column.Link link : table.columns().get(i).links()) {
          relate(table, i, link);
        }
      }
    }
  }

  private void relate(TableSchema table, int column, Column.Link link) {
    TableSchema target = byName.get(link.target());
    String name = link.relationship();
    if (target == null) {
      throw new IllegalArgumentException(
          "column '%s' of table %s refers to a table '%s', which is not there"
              .formatted(table.columns().get(column).name(), table.name(), link.target()));
    }
    OneToMany before =
        collections
            .computeIfAbsent(target.name(), unused -> new LinkedHashMap<>())
            .put(name, new OneToMany(table, column, link.property()));
    if (before != null || target.readPosition(name) != null || target.navigation(name) != null) {
      throw new IllegalArgumentException(
          "table %s has two properties named '%s'; one is the relationship of '%s' of table %s"
              .formatted(target.name(), name, table.columns().get(column).name(), table.name()));
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

  /** The navigation properties of a table that lead to many rows, by name. */
  public Map<String, OneToMany> collections(TableSchema table) {
    return Collections.unmodifiableMap(collections.getOrDefault(table.name(), Map.of()));
  }

  /** All tables. */
  public Collection<TableSchema> tables() {
    return byName.values();
  }
}
