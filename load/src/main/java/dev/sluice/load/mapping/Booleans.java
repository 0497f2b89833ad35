package dev.sluice.load.mapping;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Yes or no, in the spellings that people and programs use. */
final class Booleans implements Converter {
  private final Map<String, Integer> labels = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /**
   * Also takes labels.
   *
   * @param labels 1 for yes, 0 for no
   */
  Booleans(Map<String, Integer> labels) {
    this.labels.putAll(labels);
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    Integer labelled = labels.isEmpty() ? null : labels.get(value);
    if (labelled != null) {
      json.append(labelled != 0);
      return true;
    }
    switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "y", "t", "on", "1" -> json.append(true);
      case "false", "no", "n", "f", "off", "0" -> json.append(false);
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public String expected(String value) {
    return "true or false, yes or no, on or off, 1 or 0 is expected";
  }
}
