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
          "%s is not JSON: line %d: %s"
              .formatted(
                  source,
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getOriginalMessage()),
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
    String name = text(node, "name", "a table");
    String type = optional(node, "type", "standard").toLowerCase(Locale.ROOT);
    if (!type.equals("standard") && !type.equals("elastic")) {
      throw wrong("table %s: type is '%s', but must be standard or elastic".formatted(name, type));
    }
    List<Column> columns = new ArrayList<>();
    for (JsonNode column : list(node, "columns")) {
      columns.add(column(column, name));
    }
    Map<String, List<String>> keys = new LinkedHashMap<>();
    for (JsonNode key : list(node, "keys")) {
      List<String> names = new ArrayList<>();
      list(key, "columns").forEach(column -> names.add(column.asString()));
      keys.put(text(key, "name", "a key of " + name), names);
    }
    if (type.equals("elastic") && !keys.isEmpty()) {
      throw wrong(
          "table %s is elastic, and elastic tables have no keys of their own".formatted(name));
    }
    JsonNode code = node.get("objectTypeCode");
    try {
      return new TableSchema(
          name,
          optional(node, "schemaName", name),
          optional(node, "set", name + "s"),
          optional(node, "id", name + "id"),
          optional(node, "primaryName", "name"),
          type.equals("elastic"),
          !node.has("bulk") || node.get("bulk").asBoolean(),
          code == null ? custom++ : code.asInt(),
          columns,
          keys);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Column column(JsonNode node, String table) {
    String name = text(node, "name", "a column of " + table);
    ColumnType type = type(text(node, "type", table + "." + name), table + "." + name);
    Map<Integer, String> options = new LinkedHashMap<>();
    for (JsonNode option : list(node, "options")) {
      options.put(option.get("value").asInt(), optional(option, "label", ""));
    }
    if (type.isChoice() && options.isEmpty()) {
      throw wrong("%s.%s is a choice, but has no 'options'".formatted(table, name));
    }
    JsonNode initial = node.get("default");
    return new Column(
        name,
        optional(node, "schemaName", name),
        type,
        number(node, "maxLength", type == ColumnType.MEMO ? 2_000 : 100).intValue(),
        node.has("min") ? number(node, "min", 0) : leastOf(type),
        node.has("max") ? number(node, "max", 0) : mostOf(type),
        number(node, "precision", type == ColumnType.MONEY ? 4 : 2).intValue(),
        options,
        navigation(node, name, type, table),
        initial == null ? null : initial.isBoolean() ? initial.asBoolean() : initial.asInt(),
        true);
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

  private Map<String, String> navigation(
      JsonNode node, String name, ColumnType type, String table) {
    Map<String, String> navigation = new LinkedHashMap<>();
    List<String> targets = new ArrayList<>();
    list(node, "targets").forEach(target -> targets.add(target.asString()));
    if (type == ColumnType.LOOKUP && targets.isEmpty()) {
      throw wrong("%s.%s is a lookup, but has no 'targets'".formatted(table, name));
    }
    for (String target : targets) {
      String property = optional(node, "navigation", name);
      navigation.put(targets.size() == 1 ? property : property + "_" + target, target);
    }
    return navigation;
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

  private String text(JsonNode node, String property, String what) {
    JsonNode value = node.get(property);
    if (value == null || !value.isString() || value.asString().isEmpty()) {
      throw wrong("%s needs a text named '%s'".formatted(what, property));
    }
    return value.asString();
  }

  private static String optional(JsonNode node, String property, String otherwise) {
    JsonNode value = node.get(property);
    return value == null ? otherwise : value.asString();
  }

  private BigDecimal number(JsonNode node, String property, int otherwise) {
    JsonNode value = node.get(property);
    if (value == null) {
      return BigDecimal.valueOf(otherwise);
    }
    if (!value.isNumber()) {
      throw wrong("'%s' is %s, but must be a number".formatted(property, value));
    }
    return value.decimalValue();
  }

  private static Iterable<JsonNode> list(JsonNode node, String property) {
    JsonNode value = node.get(property);
    return value == null ? List.of() : value;
  }

  private IllegalArgumentException wrong(String message) {
    return new IllegalArgumentException(source + ": " + message);
  }
}
