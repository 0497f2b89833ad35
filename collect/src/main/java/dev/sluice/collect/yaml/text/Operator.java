package dev.sluice.collect.yaml.text;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How two things are compared. */
enum Operator {
  EQUAL("==") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      return !left.isMissingNode() && !right.isMissingNode() && compare(left, right) == 0;
    }
  },
  UNEQUAL("!=") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      return !EQUAL.holds(left, right);
    }
  },
  BELOW("<") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      return comparable(left, right) && compare(left, right) < 0;
    }
  },
  AT_MOST("<=") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      return comparable(left, right) && compare(left, right) <= 0;
    }
  },
  ABOVE(">") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      return comparable(left, right) && compare(left, right) > 0;
    }
  },
  AT_LEAST(">=") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      return comparable(left, right) && compare(left, right) >= 0;
    }
  },
  CONTAINS("contains") {
    @Override
    boolean holds(JsonNode left, JsonNode right) {
      if (left.isArray()) {
        for (JsonNode element : left) {
          if (EQUAL.holds(element, right)) {
            return true;
          }
        }
        return false;
      }
      return comparable(left, right) && text(left).contains(text(right));
    }
  };

  private static final int LONGEST_NUMBER = 40;

  private final String symbol;

  Operator(String symbol) {
    this.symbol = symbol;
  }

  String symbol() {
    return symbol;
  }

  abstract boolean holds(JsonNode left, JsonNode right);

  private static boolean comparable(JsonNode left, JsonNode right) {
    return !left.isMissingNode() && !left.isNull() && !right.isMissingNode() && !right.isNull();
  }

  private static int compare(JsonNode left, JsonNode right) {
    BigDecimal one = number(left, right);
    BigDecimal other = number(right, left);
    return one == null || other == null ? text(left).compareTo(text(right)) : one.compareTo(other);
  }

  /** A number; of a text only if it is compared with a number. */
  private static @Nullable BigDecimal number(JsonNode node, JsonNode other) {
    if (node.isNumber()) {
      return node.decimalValue();
    }
    String text = node.isString() && other.isNumber() ? node.stringValue().strip() : "";
    return text.length() <= LONGEST_NUMBER && text.matches("-?[0-9]+(\\.[0-9]+)?")
        ? new BigDecimal(text)
        : null;
  }

  private static String text(JsonNode node) {
    return node.isValueNode() && !node.isNull() ? node.asString() : node.toString();
  }
}
