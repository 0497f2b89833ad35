package dev.sluice.collect.sink.sql;

import dev.sluice.runs.store.Transaction;
import java.math.BigDecimal;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What databases say differently. */
public enum Dialect {
  /**
   * SQLite. Columns have no type, and values are kept as they are: texts, whole numbers, fractions,
   * booleans as 0 and 1, objects and arrays as JSON text, numbers that do not fit as text.
   */
  SQLITE {
    @Override
    String lock() {
      return "";
    }

    @Override
    String columnsOfTable() {
      return "select name, '' from pragma_table_info(?)";
    }

    @Override
    String tablesLike() {
      return "select name from sqlite_schema where lower(name) = lower(?)";
    }

    @Override
    String shapesOfTables(Transaction transaction) {
      return transaction.row("pragma schema_version", row -> row.text(1)).orElse("");
    }

    @Override
    String type(ColumnKind kind) {
      return "";
    }

    @Override
    @Nullable ColumnKind kind(String type) {
      return ColumnKind.TEXT;
    }

    @Override
    boolean hasRoom(ColumnKind column, ColumnKind value) {
      return true;
    }

    @Override
    String cursorType() {
      return "text";
    }

    @Override
    String placeholder(ColumnKind kind) {
      return "?";
    }

    @Override
    @Nullable Object value(JsonNode value, ColumnKind column) {
      if (value.isNull() || value.isMissingNode()) {
        return null;
      } else if (value.isBoolean()) {
        return value.booleanValue() ? 1L : 0L;
      } else if (value.isIntegralNumber() && value.canConvertToLong()) {
        return value.longValue();
      } else if (value.isNumber() && !value.isIntegralNumber() && isExact(value)) {
        return value.doubleValue();
      }
      return value.isContainer() ? value.toString() : value.asString();
    }

    private static boolean isExact(JsonNode value) {
      if (!value.isBigDecimal()) {
        return true;
      }
      BigDecimal exact = value.decimalValue();
      double number = exact.doubleValue(); // infinite beyond its range, where the node's own fails
      return Double.isFinite(number) && BigDecimal.valueOf(number).compareTo(exact) == 0;
    }

    @Override
    int mostColumns() {
      return 2_000;
    }

    @Override
    boolean reserves(String column) {
      return false;
    }
  },

  /**
   * PostgreSQL. Columns are text, bigint, double precision, boolean, or jsonb for objects and
   * arrays. One that meets whole numbers and fractions becomes numeric, one that meets anything
   * else text; the table is then rewritten, once. The character with the number 0, which PostgreSQL
   * cannot keep, becomes U+FFFD.
   */
  POSTGRESQL {
    @Override
    String lock() {
      return "select pg_advisory_xact_lock(6009867021373794149)";
    }

    @Override
    String columnsOfTable() {
      return "select column_name, data_type from information_schema.columns"
          + " where table_schema = current_schema() and table_name = ? order by ordinal_position";
    }

    @Override
    String tablesLike() {
      return "select table_name from information_schema.tables"
          + " where table_schema = current_schema() and lower(table_name) = lower(?)";
    }

    @Override
    String shapesOfTables(Transaction transaction) {
      return "";
    }

    @Override
    String type(ColumnKind kind) {
      return switch (kind) {
        case BOOLEAN -> "boolean";
        case INTEGER -> "bigint";
        case REAL -> "double precision";
        case NUMERIC -> "numeric";
        case JSON -> "jsonb";
        case TEXT -> "text";
      };
    }

    @Override
    @Nullable ColumnKind kind(String type) {
      for (ColumnKind kind : ColumnKind.values()) {
        if (type(kind).equals(type)) {
          return kind;
        }
      }
      return null;
    }

    @Override
    boolean hasRoom(ColumnKind column, ColumnKind value) {
      return column.and(value) == column;
    }

    @Override
    String cursorType() {
      // In the order of its bytes, whatever language the database speaks.
      return "text collate \"C\"";
    }

    @Override
    String placeholder(ColumnKind kind) {
      return "cast(? as " + type(kind) + ")";
    }

    @Override
    @Nullable Object value(JsonNode value, ColumnKind column) {
      if (value.isNull() || value.isMissingNode()) {
        return null;
      }
      if (value.isContainer()) {
        return ESCAPED_NUL.matcher(value.toString()).replaceAll("$1\ufffd");
      }
      return value.asString().replace('\0', '\ufffd');
    }

    @Override
    int mostColumns() {
      return 1_600;
    }

    @Override
    boolean reserves(String column) {
      return SYSTEM_COLUMNS.contains(column);
    }
  };

  private static final Pattern ESCAPED_NUL = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000");
  private static final Set<String> SYSTEM_COLUMNS =
      Set.of("oid", "tableoid", "ctid", "xmin", "cmin", "xmax", "cmax");

  /** Keeps others from changing tables until the transaction ends; empty if that is so anyway. */
  abstract String lock();

  /** Selects name and type of the columns of a table that is an argument. */
  abstract String columnsOfTable();

  /** Selects the tables whose name is that of an argument, whatever their letters' case. */
  abstract String tablesLike();

  /** What changes with the shape of any table; empty if there is nothing like that. */
  abstract String shapesOfTables(Transaction transaction);

  /** The type of a column; empty for none. */
  abstract String type(ColumnKind kind);

  /** The kind of a column of this type; null if it is none that a sink makes. */
  abstract @Nullable ColumnKind kind(String type);

  /** Whether a column can take a value as it is. */
  abstract boolean hasRoom(ColumnKind column, ColumnKind value);

  /** The type of a column whose order is that of its bytes. */
  abstract String cursorType();

  /** What stands for the value of a column. */
  abstract String placeholder(ColumnKind kind);

  /** A value as an argument. */
  abstract @Nullable Object value(JsonNode value, ColumnKind column);

  /** How many columns a table can have. */
  abstract int mostColumns();

  /** Whether the database has a column of this name in every table. */
  abstract boolean reserves(String column);
}
