package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.Table;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The order of a query's rows, and where its page starts: by the columns asked for, empty ones
 * first, and then by id, so that no two rows are equal. Immutable.
 */
public final class Sorting implements Comparator<@Nullable Object[]> {
  private final TableSchema table;
  private final List<Query.Order> orders;
  private final @Nullable Object @Nullable [] after;

  private Sorting(
      TableSchema table, List<Query.Order> orders, @Nullable Object @Nullable [] after) {
    this.table = table;
    this.orders = orders;
    this.after = after;
  }

  /** The order and the start that a query asks for; a cookie of another query is refused. */
  public static Sorting of(TableSchema table, Query query) throws WebApiException {
    PagingCookie cookie = query.cookie();
    if (cookie == null) {
      return of(table, query.orders());
    }
    @Nullable Object[] after = new Object[table.columns().size()];
    after[TableSchema.ID] = cookie.id();
    for (Query.Order order : query.orders()) {
      Column column = table.columns().get(order.column());
      if (order.column() != TableSchema.ID) {
        if (!cookie.after().containsKey(column.name())) {
          throw PagingCookie.malformed();
        }
        String text = cookie.after().get(column.name());
        after[order.column()] = text == null ? null : Literals.parse(column, literal(column, text));
      }
    }
    return new Sorting(table, query.orders(), after);
  }

  /** This order, from the first row on. */
  public static Sorting of(TableSchema table, List<Query.Order> orders) {
    return new Sorting(table, orders, null);
  }

  private static String literal(Column column, String text) {
    return column.type().edmType().equals("Edm.String")
        ? "'" + text.replace("'", "''") + "'"
        : text;
  }

  @Override
  public int compare(@Nullable Object[] one, @Nullable Object[] other) {
    for (Query.Order order : orders) {
      int difference = compareValues(one[order.column()], other[order.column()]);
      if (difference != 0) {
        return order.descending() ? -difference : difference;
      }
    }
    return Table.compare(id(one), id(other));
  }

  private static int compareValues(@Nullable Object one, @Nullable Object other) {
    if (one == null || other == null) {
      return Boolean.compare(one != null, other != null);
    }
    return Literals.compare(one, other);
  }

  private static UUID id(@Nullable Object[] cells) {
    return (UUID) Objects.requireNonNull(cells[TableSchema.ID]);
  }

  /** Of rows in this order, those of the page, at most so many. */
  public List<@Nullable Object[]> after(List<@Nullable Object[]> rows, int most) {
    int start = 0;
    if (after != null) {
      while (start < rows.size() && compare(rows.get(start), after) <= 0) {
        start++;
      }
    }
    return rows.subList(start, Math.min(rows.size(), start + most));
  }

  /** Where the page starts among all rows in order of their ids. */
  public int start(Row[] rows) {
    if (after == null) {
      return 0;
    }
    UUID last = id(after);
    int low = 0;
    int high = rows.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Table.compare(rows[middle].id(), last) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The cookie of the page that starts after this row. */
  public PagingCookie cookie(int page, @Nullable Object[] last) {
    Map<String, @Nullable String> values = new LinkedHashMap<>();
    for (Query.Order order : orders) {
      if (order.column() != TableSchema.ID) {
        Object value = last[order.column()];
        values.put(
            table.columns().get(order.column()).name(),
            value == null ? null : RowWriter.text(value));
      }
    }
    return new PagingCookie(page, values, id(last));
  }
}
