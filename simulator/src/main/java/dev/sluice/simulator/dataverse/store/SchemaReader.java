package dev.sluice.simulator.dataverse.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads tables from JSON, the built-in ones too. */
final class SchemaReader {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int FIRST_CUSTOM_CODE = 10_001;
  private static final int LONGEST_TEXT = 1_048_576;
  private static final List<String> TABLE =
      List.of(
          "name",
          "type",
          "set",
          "id",
          "primaryName",
          "schemaName",
          "objectTypeCode",
          "bulk",
          "columns",
          "keys");
  private static final List<String> COLUMN =
      List.of(
          "name",
          "type",
          "schemaName",
          "maxLength",
          "min",
          "max",
          "precision",
          "options",
          "default",
          "targets",
          "navigation",
          "relationships");
  private static final List<String> OPTION = List.of("value", "label");
  private static final List<String> KEY = List.of("name", "columns");

  private final String source;
  private int custom = FIRST_CUSTOM_CODE;

  private SchemaReader(String source) {
    this.source = source;
  }

  static Schema builtIn() {
    return new Schema(builtInTables());
  }

  static Schema read(String source, String json) {
    List<TableSchema> all = new ArrayList<>(builtInTables());
    all.addAll(new SchemaReader(source).tables(json));
    try {
      return new Schema(all);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  private static List<TableSchema> builtInTables() {
    try (InputStream in =
        Objects.requireNonNull(SchemaReader.class.getResourceAsStream("tables.json"))) {
      return new SchemaReader("tables.json")
          .tables(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<TableSchema> tables(String json) {
    JsonNode root;
    try {
      root = MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "%s is not JSON: line %d cannot be read"
              .formatted(source, e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
          e);
    }
    JsonNode list = root.get("tables");
    if (list == null || !list.isArray()) {
      throw wrong("must be an object with a list named 'tables'");
    }
    List<TableSchema> tables = new ArrayList<>();
    for (JsonNode table : list) {
      tables.add(table(table));
    }
    return tables;
  }

  private TableSchema table(JsonNode node) {
    SchemaEntry table = new SchemaEntry(source, "a table", node);
    String name = table.name("name");
    table = table.called("table " + name);
    table.only(TABLE);
    String type = table.text("type", "standard").toLowerCase(Locale.ROOT);
    if (!type.equals("standard") && !type.equals("elastic")) {
      throw table.wrong("type is '%s', but must be standard or elastic".formatted(type));
    }
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : table.list("columns")) {
      columns.add(column(column, name));
    }
    Map<String, List<String>> keys = keys(table, name);
    if (type.equals("elastic") && !keys.isEmpty()) {
      throw wrong(
          "table %s is elastic, and elastic tables have no keys of their own".formatted(name));
    }
    String schemaName = table.name("schemaName", name);
    String set = table.name("set", name + "s");
    String id = table.name("id", name + "id");
    String primaryName = primaryName(table, columns, id);
    boolean bulk = table.truth("bulk", true);
    int code =
        table.has("objectTypeCode")
            ? table.whole("objectTypeCode", 1, Integer.MAX_VALUE, 0)
            : custom++;
    boolean elastic = type.equals("elastic");
    try {
      return new TableSchema(
          name, schemaName, set, id, primaryName, elastic, bulk, code, columns, keys);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, List<String>> keys(SchemaEntry table, String name) {
    Map<String, List<String>> keys = new LinkedHashMap<>();
    for (JsonNode node : table.list("keys")) {
      SchemaEntry key = new SchemaEntry(source, "a key of " + name, node);
      key.only(KEY);
      List<String> columns = key.texts("columns");
      String called = key.name("name");
      if (columns.isEmpty()) {
        throw wrong("key %s of table %s has no columns".formatted(called, name));
      }
      keys.put(called, columns);
    }
    return keys;
  }

  /** The column that is said to name rows; otherwise one called name, or the first text. */
  private static String primaryName(SchemaEntry table, List<Column> columns, String id) {
    if (table.has("primaryName")) {
      String wanted = table.name("primaryName", "");
      if (columns.stream().noneMatch(column -> column.name().equals(wanted))) {
        throw table.wrong("primaryName is '%s', but there is no such column".formatted(wanted));
      }
      return wanted;
    }
    List<String> texts =
        columns.stream()
            .filter(column -> column.type() == ColumnType.STRING)
            .map(Column::name)
            .toList();
    return texts.contains("name") ? "name" : texts.isEmpty() ? id : texts.getFirst();
  }

  private Column column(JsonNode node, String table) {
    SchemaEntry column = new SchemaEntry(source, "a column of " + table, node);
    String name = column.name("name");
    String what = table + "." + name;
    column = column.called(what);
    column.only(COLUMN);
    ColumnType type = type(column.text("type"), what);
    Map<Integer, String> options = options(column, what);
    if (type.isChoice() && options.isEmpty()) {
      throw wrong(what + " is a choice, but has no 'options'");
    }
    BigDecimal least = column.has("min") ? column.number("min") : leastOf(type);
    BigDecimal most = column.has("max") ? column.number("max") : mostOf(type);
    if (least != null && most != null && least.compareTo(most) > 0) {
      throw column.wrong("min is %s, but max is %s".formatted(least, most));
    }
    return new Column(
        name,
        column.name("schemaName", name),
        type,
        column.whole("maxLength", 1, LONGEST_TEXT, type == ColumnType.MEMO ? 2_000 : 100),
        least,
        most,
        column.whole("precision", 0, 10, type == ColumnType.MONEY ? 4 : 2),
        options,
        links(column, table, name, type),
        initial(column, type, options),
        true);
  }

  private Map<Integer, String> options(SchemaEntry column, String what) {
    Map<Integer, String> options = new LinkedHashMap<>();
    for (JsonNode node : column.list("options")) {
      SchemaEntry option = new SchemaEntry(source, what + ": an option", node);
      option.only(OPTION);
      if (!option.has("value")) {
        throw wrong(what + ": an option needs a whole number named 'value'");
      }
      int value = option.whole("value", Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
      options.put(value, option.text("label", ""));
    }
    return options;
  }

  private static @Nullable Object initial(
      SchemaEntry column, ColumnType type, Map<Integer, String> options) {
    if (!column.has("default")) {
      return null;
    }
    if (type == ColumnType.BOOLEAN) {
      return column.truth("default", false);
    }
    if (!type.isChoice()) {
      throw column.wrong("only choices and booleans have a default");
    }
    int value = column.whole("default", Integer.MIN_VALUE, Integer.MAX_VALUE, 0);
    if (!options.containsKey(value)) {
      throw column.wrong("default is %d, but must be one of %s".formatted(value, options.keySet()));
    }
    return value;
  }

  private static @Nullable BigDecimal leastOf(ColumnType type) {
    return switch (type) {
      case INTEGER -> BigDecimal.valueOf(Integer.MIN_VALUE);
      case DECIMAL -> BigDecimal.valueOf(-100_000_000_000L);
      case MONEY -> BigDecimal.valueOf(-922_337_203_685_477L);
      default -> null;
    };
  }

  private static @Nullable BigDecimal mostOf(ColumnType type) {
    return switch (type) {
      case INTEGER -> BigDecimal.valueOf(Integer.MAX_VALUE);
      case DECIMAL -> BigDecimal.valueOf(100_000_000_000L);
      case MONEY -> BigDecimal.valueOf(922_337_203_685_477L);
      default -> null;
    };
  }

  private static List<Column.Link> links(
      SchemaEntry column, String table, String name, ColumnType type) {
    List<String> targets = column.texts("targets");
    if (type == ColumnType.LOOKUP && targets.isEmpty()) {
      throw column.wrong("it is a lookup, but has no 'targets'");
    }
    List<String> relationships = column.names("relationships");
    if (!relationships.isEmpty() && relationships.size() != targets.size()) {
      throw column.wrong(
          "there are %d relationships, but %d targets; each target has one"
              .formatted(relationships.size(), targets.size()));
    }
    String property = column.name("navigation", name);
    List<Column.Link> links = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      String target = targets.get(i);
      links.add(
          new Column.Link(
              targets.size() == 1 ? property : property + "_" + target,
              target,
              relationships.isEmpty() ? target + "_" + table + "_" + name : relationships.get(i)));
    }
    return List.copyOf(links);
  }

  private ColumnType type(String name, String column) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "string" -> ColumnType.STRING;
      case "memo" -> ColumnType.MEMO;
      case "integer" -> ColumnType.INTEGER;
      case "bigint" -> ColumnType.BIGINT;
      case "decimal" -> ColumnType.DECIMAL;
      case "double" -> ColumnType.DOUBLE;
      case "money" -> ColumnType.MONEY;
      case "boolean" -> ColumnType.BOOLEAN;
      case "datetime" -> ColumnType.DATE_TIME;
      case "date" -> ColumnType.DATE_ONLY;
      case "choice" -> ColumnType.CHOICE;
      case "state" -> ColumnType.STATE;
      case "status" -> ColumnType.STATUS;
      case "lookup" -> ColumnType.LOOKUP;
      case "id" -> ColumnType.UNIQUE_ID;
      default ->
          throw wrong(
              ("%s: type is '%s', but must be string, memo, integer, bigint, decimal, double,"
                      + " money, boolean, datetime, date, choice, state, status, lookup or id")
                  .formatted(column, name));
    };
  }

  private IllegalArgumentException wrong(String message) {
    return new IllegalArgumentException(source + ": " + message);
  }
}
