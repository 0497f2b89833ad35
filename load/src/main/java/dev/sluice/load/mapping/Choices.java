package dev.sluice.load.mapping;

import static java.util.stream.Collectors.joining;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Choices: by number, or by label. Several of them are separated by semicolons or commas. */
final class Choices implements Converter {
  private static final int MOST_SHOWN = 8;
  private static final int MOST_CHOSEN = 150; // what the service takes

  private final boolean several;
  private final Map<String, Integer> exact;
  private final Map<String, Integer> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Set<Integer> numbers;
  private final StringBuilder scratch = new StringBuilder();

  /**
   * Choices of a column.
   *
   * @param options what the service knows; empty if it did not say: then any number is taken
   * @param given labels that somebody gave; they go before those of the service
   */
  Choices(boolean several, Map<String, Integer> options, Map<String, Integer> given) {
    this.several = several;
    this.exact = new HashMap<>(options);
    exact.putAll(given);
    anyCase.putAll(options);
    anyCase.putAll(given);
    this.numbers = options.isEmpty() ? Set.of() : new HashSet<>(exact.values());
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    Integer one = number(value);
    if (!several) {
      json.append(one);
      return one != null;
    }
    Set<Integer> chosen = new LinkedHashSet<>();
    if (one != null) {
      chosen.add(one); // a label may have a comma in it
    } else {
      for (String part : value.split(value.indexOf(';') >= 0 ? ";" : ",", -1)) {
        Integer number = part.isBlank() ? null : number(part.strip());
        if (number == null) {
          return false;
        }
        chosen.add(number);
      }
    }
    json.append(chosen.stream().map(String::valueOf).collect(joining(",", "\"", "\"")));
    return chosen.size() <= MOST_CHOSEN;
  }

  private @Nullable Integer number(String value) {
    Integer labelled = exact.get(value);
    if (labelled != null) {
      return labelled;
    }
    scratch.setLength(0);
    if (Numbers.INTEGER.write(value, scratch)) {
      Integer number = Integer.valueOf(scratch.toString());
      if (numbers.isEmpty() || numbers.contains(number)) {
        return number;
      }
    }
    return anyCase.get(value);
  }

  @Override
  public String expected(String value) {
    String labels =
        anyCase.keySet().stream().limit(MOST_SHOWN).collect(joining(", "))
            + (anyCase.size() > MOST_SHOWN ? ", …" : "");
    String what =
        labels.isEmpty() ? "the number of a choice" : "one of " + labels + ", or its number,";
    return (several ? "at most 150 times " + what + " with semicolons between" : what)
        + " is expected";
  }
}
