package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Reference;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks of a table.
 *
 * @param select positions of the columns that are wanted; null for all
 * @param expand navigation properties whose rows are wanted, too
 * @param filter which rows; null for all
 * @param orders in which order, before that of their ids
 * @param top the most rows; null for no such limit
 * @param count whether their number is wanted, too
 * @param cookie where the page starts; null for the first
 * @param partition the partition of an elastic row; null for none given
 */
public record Query(
    @Nullable List<Integer> select,
    List<Expand> expand,
    @Nullable Filter filter,
    List<Order> orders,
    @Nullable Integer top,
    boolean count,
    @Nullable PagingCookie cookie,
    @Nullable String partition) {

  /** The most rows that a query can name by {@code $top}. */
  private static final int MOST = 5_000;

  /**
   * A column to sort by; empty ones come first.
   *
   * @param column its position
   * @param descending whether the greatest comes first
   */
  public record Order(int column, boolean descending) {}

  /**
   * Understands the query options in an encoded query; null for none.
   *
   * @param now what filters take for now
   */
  public static Query parse(Schema schema, TableSchema table, Instant now, @Nullable String query)
      throws WebApiException {
    return of(schema, table, now, PercentText.fields(query));
  }

  /** Understands query options, decoded, by their names. */
  static Query of(Schema schema, TableSchema table, Instant now, Map<String, String> fields)
      throws WebApiException {
    Map<String, String> aliases = new HashMap<>();
    fields.forEach(
        (name, value) -> {
          if (name.startsWith("@")) {
            aliases.put(name, value);
          }
        });
    List<Integer> select = null;
    List<Expand> expand = List.of();
    Filter filter = null;
    List<Order> orders = List.of();
    Integer top = null;
    boolean count = false;
    PagingCookie cookie = null;
    String partition = null;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String value = field.getValue();
      switch (field.getKey()) {
        case "$select" -> select = columns(table, value);
        case "$filter" -> filter = FilterParser.parse(table, aliases, now, value);
        case "$expand" -> expand = Expand.parse(schema, table, now, value);
        case "$orderby" -> orders = orders(table, value);
        case "$top" -> top = top(value);
        case "$count" -> count = truth(value);
        case "$skiptoken" -> cookie = PagingCookie.parse(value);
        case "$apply", "fetchXml", "$deltatoken", "savedQuery", "userQuery" ->
            throw Errors.notImplemented(
                "The simulated environment does not know '%s'.".formatted(field.getKey()));
        // Clients write it both ways, with quotes and without.
        case "partitionId", "partitionid" -> partition = partition(value);
        default -> {
          if (field.getKey().startsWith("$")) {
            throw Errors.badRequest(
                "The query parameter %s is not supported.".formatted(field.getKey()));
          }
        }
      }
    }
    return new Query(select, expand, filter, orders, top, count, cookie, partition);
  }

  /** The same, only of the rows whose lookup in this column refers to that row. */
  public Query referringTo(int column, Reference row) {
    Filter referring = new Filter.Refers(column, row);
    return new Query(
        select,
        expand,
        filter == null ? referring : new Filter.And(List.of(referring, filter)),
        orders,
        top,
        count,
        cookie,
        partition);
  }

  private static List<Integer> columns(TableSchema table, String names) throws WebApiException {
    List<Integer> columns = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      Integer position = table.readPosition(name.strip());
      if (position == null) {
        throw Errors.unknownColumn(name.strip(), table.name());
      }
      columns.add(position);
    }
    return columns;
  }

  private static List<Order> orders(TableSchema table, String text) throws WebApiException {
    List<Order> orders = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String[] words = part.strip().split("\\s+", -1);
      Integer position = table.readPosition(words[0]);
      if (position == null) {
        throw Errors.unknownColumn(words[0], table.name());
      }
      boolean descending = words.length > 1 && words[1].equals("desc");
      if (words.length > 2 || (words.length == 2 && !descending && !words[1].equals("asc"))) {
        throw Errors.badRequest("Syntax error in $orderby: '%s'.".formatted(part.strip()));
      }
      orders.add(new Order(position, descending));
    }
    return orders;
  }

  private static Integer top(String value) throws WebApiException {
    try {
      int top = Integer.parseInt(value);
      if (top > 0) {
        return Math.min(top, MOST);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw Errors.badRequest(
        "Invalid value '%s' for $top query option found. The $top query option requires a"
                .formatted(value)
            + " non-negative integer value.");
  }

  private static String partition(String value) throws WebApiException {
    try {
      return value.startsWith("'") ? Literals.unquoted(value) : value;
    } catch (IllegalArgumentException e) {
      throw Errors.badRequest("Invalid value '%s' for partitionId.".formatted(value));
    }
  }

  private static boolean truth(String value) throws WebApiException {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw Errors.badRequest("Invalid value '%s' for $count.".formatted(value));
    };
  }
}
