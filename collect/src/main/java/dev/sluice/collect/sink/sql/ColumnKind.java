package dev.sluice.collect.sink.sql;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the values of a column are. */
enum ColumnKind {
  BOOLEAN,
  /** Whole numbers of 64 bits. */
  INTEGER,
  /** Numbers of 64 bits with a fraction. */
  REAL,
  /** Exact numbers of any size; also where whole numbers and fractions meet. */
  NUMERIC,
  /** Objects and arrays. */
  JSON,
  /** Texts; also where anything else meets. */
  TEXT;

  /** With a margin: PostgreSQL takes some 16,000 digits behind the point of a number. */
  private static final int MOST_PLACES = 10_000;

  /** The kind of a value; null if there is none. */
  static @Nullable ColumnKind of(JsonNode value) {
    return switch (value.getNodeType()) {
      case NULL, MISSING -> null;
      case BOOLEAN -> BOOLEAN;
      case NUMBER -> ofNumber(value);
      case OBJECT, ARRAY -> JSON;
      case STRING, BINARY, POJO -> TEXT;
    };
  }

  private static ColumnKind ofNumber(JsonNode value) {
    if (value.isIntegralNumber()) {
      return value.canConvertToLong() ? INTEGER : NUMERIC;
    }
    if (!value.isBigDecimal()) {
      return REAL;
    }
    return Math.abs((long) value.decimalValue().scale()) > MOST_PLACES ? TEXT : NUMERIC;
  }

  /** The narrowest kind that has room for both. */
  ColumnKind and(ColumnKind other) {
    if (this == other) {
      return this;
    }
    return isNumber() && other.isNumber() ? NUMERIC : TEXT;
  }

  private boolean isNumber() {
    return this == INTEGER || this == REAL || this == NUMERIC;
  }
}
