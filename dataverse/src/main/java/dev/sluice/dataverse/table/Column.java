package dev.sluice.dataverse.table;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;

/**
 * A column that can be written. Immutable.
 *
 * @param logicalName its name in a row's JSON
 * @param type what it holds
 * @param maxLength the most characters of a text; 0 if there is no limit or it is no text
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

  public Column {
    requireNonNull(logicalName, "logicalName");
    requireNonNull(type, "type");
    options = Map.copyOf(options);
    targets = List.copyOf(targets);
  }
}
