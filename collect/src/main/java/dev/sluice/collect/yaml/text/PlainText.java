package dev.sluice.collect.yaml.text;

import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/** Values of records and answers as people write them. */
public final class PlainText {
  private static final int MOST_PLACES = 100;

  private PlainText() {}

  /**
   * A value's text; of a number without an exponent, unless that would make it enormous: a few
   * characters such as 1e999999999 stand for a gigabyte of digits.
   */
  public static String of(JsonNode value) {
    if (!value.isNumber()) {
      return value.asString();
    }
    BigDecimal number = value.decimalValue();
    return Math.abs((long) number.scale()) > MOST_PLACES
        ? number.toString()
        : number.toPlainString();
  }
}
