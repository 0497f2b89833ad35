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

  /** The kind of a value; null if there is none. */
  static @Nullable ColumnKind of(JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return null;
    } else if (value.isBoolean()) {
      return BOOLEAN;
    } else if (value.isIntegralNumber()) {
      return value.canConvertToLong() ? INTEGER : NUMERIC;
    } else if (value.isNumber()) {
      return value.isBigDecimal() ? NUMERIC : REAL;
    }
    return value.isContainer() ? JSON : TEXT;
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
