package dev.sluice.simulator.dataverse.store;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param name its logical name
 * @param schemaName its schema name
 * @param type what it holds
 * @param maxLength the most characters of a text
 * @param least the least number; null for any
 * @param most the greatest number; null for any
 * @param precision decimals that a number keeps
 * @param options the values of a choice, with their labels
 * @param links where a lookup may lead
 * @param initial what a new row holds if nothing is given; null for nothing
 * @param writable whether clients may set it
 */
public record Column(
    String name,
    String schemaName,
    ColumnType type,
    int maxLength,
    @Nullable BigDecimal least,
    @Nullable BigDecimal most,
    int precision,
    Map<Integer, String> options,
    List<Link> links,
    @Nullable Object initial,
    boolean writable) {

  /**
   * A relation from the rows that hold a lookup to those of another table.
   *
   * @param property the navigation property of a row that holds the lookup
   * @param target the table it leads to
   * @param relationship its name, which is also the navigation property of a target's row: all rows
   *     that refer to it
   */
  public record Link(String property, String target, String relationship) {}

  static Column system(String name, ColumnType type, boolean writable) {
    return new Column(name, name, type, 1_024, null, null, 0, Map.of(), List.of(), null, writable);
  }

  /** The name under which it is read: a lookup's is dressed up. */
  public String readName() {
    return type == ColumnType.LOOKUP ? "_" + name + "_value" : name;
  }

  /** The tables to which a lookup may refer. */
  public List<String> targets() {
    return links.stream().map(Link::target).distinct().toList();
  }

  /** The values of a choice as text. */
  public List<String> accepted() {
    return options.keySet().stream().map(String::valueOf).toList();
  }
}
