package dev.sluice.load.mapping;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Yes or no, in the spellings that people and programs use. */
final class Booleans implements Converter {
  private final Map<String, Integer> labels = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final String words;

  /**
   * Also takes labels and words.
   *
   * @param labels 1 for yes, 0 for no; they go before the words
   */
  Booleans(Map<String, Integer> labels, List<String> yes, List<String> no) {
    yes.forEach(word -> this.labels.put(word, 1));
    no.forEach(word -> this.labels.put(word, 0));
    this.labels.putAll(labels);
    this.words =
        Stream.of(yes, no)
            .filter(each -> !each.isEmpty())
            .map(each -> String.join(", ", each))
            .collect(joining(" or "));
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    Integer labelled = labels.isEmpty() ? null : labels.get(value);
    Optional<Boolean> meant = labelled == null ? always(value) : Optional.of(labelled != 0);
    meant.ifPresent(json::append);
    return meant.isPresent();
  }

  /** What a word means without any mapping. */
  static Optional<Boolean> always(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "y", "t", "on", "1" -> Optional.of(true);
      case "false", "no", "n", "f", "off", "0" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  @Override
  public String expected(String value) {
    return "true or false, yes or no, on or off, 1 or 0%s is expected"
        .formatted(words.isEmpty() ? "" : ", " + words);
  }
}
