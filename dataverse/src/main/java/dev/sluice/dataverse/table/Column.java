package dev.sluice.dataverse.table;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A column that can be written. Immutable.
 *
 * @param logicalName its name in a row's JSON
 * @param type what it holds
 * @param maxLength the most characters of a text; 0 if there is no limit or it is no text
 * @param range the least and the greatest number; empty if the service does not say, or it holds no
 *     numbers
 * @param options labels and numbers of a choice; empty for other types
 * @param targets for a look-up: each table that it may point to, with the navigation property that
 *     binds it
 */
public record Column(
    String logicalName,
    Type type,
    boolean creatable,
    boolean updatable,
    int maxLength,
    Optional<Range> range,
    Map<String, Integer> options,
    List<Target> targets) {

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
    requireNonNull(type, "type");
    requireNonNull(range, "range");
    options = Map.copyOf(options);
    targets = List.copyOf(targets);
  }

  /** A column without a range. */
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
}
