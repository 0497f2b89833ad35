package dev.sluice.dataverse.table;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A column that can be written. Immutable.
 *
 * @param logicalName its name in a row's JSON
 * @param label its display name, for people; empty if the service does not say
 * @param type what it holds
 * @param required whether its definition says that a row needs a value; the service has values of
 *     its own for some, such as the owner
 * @param maxLength the most characters of a text; 0 if there is no limit or it is no text
 * @param range the least and the greatest number; empty if the service does not say, or it holds no
 *     numbers
 * @param options labels and numbers of a choice; empty for other types
 * @param targets for a look-up: each table that it may point to, with the navigation property that
 *     binds it
 */
public record Column(
    String logicalName,
    String label,
    Type type,
    boolean required,
    boolean creatable,
    boolean updatable,
    int maxLength,
    Optional<Range> range,
    Map<String, Integer> options,
    List<Target> targets) {
  private static final int FEW = 3;

  /** What a column holds. */
  public enum Type {
    TEXT,
    MEMO,
    INTEGER,
    BIG_INTEGER,
    DECIMAL,
    DOUBLE,
    MONEY,
    BOOLEAN,
    DATE,
    DATE_TIME,
    CHOICE,
    MULTI_CHOICE,
    LOOKUP,
    UNIQUE_ID
  }

  /**
   * What a look-up may point to.
   *
   * @param table logical name
   * @param entitySet the table's name in addresses
   * @param navigation the property that binds it, as the service spells it
   */
  public record Target(String table, String entitySet, String navigation) {}

  /** The least and the greatest number that a column holds. */
  public record Range(BigDecimal least, BigDecimal most) {
    public Range {
      requireNonNull(least, "least");
      requireNonNull(most, "most");
    }

    /** Whether a number is neither too small nor too great. */
    public boolean contains(BigDecimal number) {
      return number.compareTo(least) >= 0 && number.compareTo(most) <= 0;
    }
  }

  public Column {
    requireNonNull(logicalName, "logicalName");
    requireNonNull(label, "label");
    requireNonNull(type, "type");
    requireNonNull(range, "range");
    options = Map.copyOf(options);
    targets = List.copyOf(targets);
  }

  /** A column without a label, which is not required. */
  public Column(
      String logicalName,
      Type type,
      boolean creatable,
      boolean updatable,
      int maxLength,
      Optional<Range> range,
      Map<String, Integer> options,
      List<Target> targets) {
    this(logicalName, "", type, false, creatable, updatable, maxLength, range, options, targets);
  }

  /** The same without a range. */
  public Column(
      String logicalName,
      Type type,
      boolean creatable,
      boolean updatable,
      int maxLength,
      Map<String, Integer> options,
      List<Target> targets) {
    this(logicalName, type, creatable, updatable, maxLength, Optional.empty(), options, targets);
  }

  /** What it takes, for people: {@code text, at most 160 characters, required}. */
  public String description() {
    return switch (type) {
          case TEXT, MEMO ->
              maxLength == 0 ? "text" : "text, at most %,d characters".formatted(maxLength);
          case INTEGER, BIG_INTEGER -> "whole number" + bounds();
          case DECIMAL, DOUBLE -> "number" + bounds();
          case MONEY -> "amount of money" + bounds();
          case BOOLEAN -> "yes or no";
          case DATE -> "date";
          case DATE_TIME -> "date and time";
          case CHOICE -> "one of " + few(choices());
          case MULTI_CHOICE -> "several of " + few(choices());
          case LOOKUP -> "look-up to " + few(targets.stream().map(Target::table).toList());
          case UNIQUE_ID -> "id";
        }
        + (creatable ? "" : ", update only")
        + (updatable ? "" : ", create only")
        + (required ? ", required" : "");
  }

  private String bounds() {
    return range
        .map(
            bounds ->
                ", %s to %s"
                    .formatted(bounds.least().toPlainString(), bounds.most().toPlainString()))
        .orElse("");
  }

  private List<String> choices() {
    return options.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String few(List<String> names) {
    String first = names.stream().limit(FEW).collect(joining(", "));
    return names.size() > FEW ? "%s and %d more".formatted(first, names.size() - FEW) : first;
  }
}
