package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wrote about the columns of an input; see {@link MappingFile}. Immutable.
 *
 * @param columns rules by the names of the input's columns
 * @param number how numbers are written, unless a rule says it; empty if nobody said it
 * @param yes words for yes, beside those that are always read
 * @param no words for no
 */
public record Mapping(
    Map<String, Rule> columns, Optional<NumberFormat> number, List<String> yes, List<String> no) {

  /** Every column goes to the one of its name. */
  public static final Mapping NONE = new Mapping(Map.of(), Optional.empty(), List.of(), List.of());

  /**
   * What happens to one column.
   *
   * @param place where it is written, as in {@code mapping.yaml:3}
   * @param to the table's column; empty for the one of the same name
   * @param lookup how a look-up finds its row; empty for by id
   * @param sameFile the input's column that names the row of the same input that a look-up means;
   *     empty for a row that is in its table already
   * @param options the numbers of labels
   * @param date how dates are written; empty for ISO 8601
   * @param number how numbers are written; empty for what the mapping says of all
   * @param fallback what stands for an empty cell, or for a column that the input does not have
   * @param skip whether the column is left out
   * @param key whether the column is a part of the key
   */
  public record Rule(
      String place,
      Optional<String> to,
      Optional<Lookup> lookup,
      Optional<String> sameFile,
      Map<String, Integer> options,
      Optional<DatePattern> date,
      Optional<NumberFormat> number,
      Optional<String> fallback,
      boolean skip,
      boolean key) {

    static final Rule NONE = new Rule("", Optional.empty(), false);

    public Rule {
      requireNonNull(place, "place");
      // In one order: an unfinished load is recognized by how its mapping prints.
      options = Collections.unmodifiableMap(new TreeMap<>(options));
    }

    /** The same at another place. */
    Rule(String place, Rule rule) {
      this(
          place,
          rule.to,
          rule.lookup,
          rule.sameFile,
          rule.options,
          rule.date,
          rule.number,
          rule.fallback,
          rule.skip,
          rule.key);
    }

    /** One that says no more than this. */
    Rule(String place, Optional<String> to, boolean skip) {
      this(
          place,
          to,
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          skip,
          false);
    }
  }

  /**
   * How a look-up finds its row.
   *
   * @param table the logical name of the table that it points to
   * @param by the column of an alternate key there; empty for its id
   * @param number whether that column holds numbers; else texts
   */
  public record Lookup(String table, Optional<String> by, boolean number) {
    public Lookup {
      requireNonNull(table, "table");
      requireNonNull(by, "by");
    }
  }

  public Mapping {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns)); // in their order
    requireNonNull(number, "number");
    yes = List.copyOf(yes);
    no = List.copyOf(no);
  }

  /** What it says, wherever that is written: a mapping that was moved means the same. */
  public Mapping withoutPlaces() {
    Map<String, Rule> same = new LinkedHashMap<>();
    columns.forEach((name, rule) -> same.put(name, new Rule("", rule)));
    return new Mapping(same, number, yes, no);
  }

  /** Whether a look-up means rows of the same input, which are then read twice. */
  public boolean hasSameFile() {
    return columns.values().stream().anyMatch(rule -> rule.sameFile().isPresent());
  }

  /** The rule for a column of the input, whether its letters are large or small. */
  @Nullable Rule rule(String column) {
    Rule exact = columns.get(column);
    if (exact != null) {
      return exact;
    }
    for (Map.Entry<String, Rule> entry : columns.entrySet()) {
      if (entry.getKey().equalsIgnoreCase(column)) {
        return entry.getValue();
      }
    }
    return null;
  }
}
