package dev.sluice.simulator.dataverse.store;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of one table. Changed by one thread at a time, the {@link Transaction}'s. */
public final class Table {
  private final TableSchema schema;
  private final Map<Object, Row> rows = new HashMap<>();
  private final List<Map<Object, Row>> byKey = new ArrayList<>();

  // In order of their ids, made when asked for: a table is mostly written, or mostly read.
  private Row[] ordered = {};
  private final List<Row> fresh = new ArrayList<>();
  private int deleted;

  Table(TableSchema schema) {
    this.schema = schema;
    schema.keys().forEach(key -> byKey.add(new HashMap<>()));
  }

  /** What it looks like. */
  public TableSchema schema() {
    return schema;
  }

  /** How many rows there are. */
  public int size() {
    return rows.size();
  }

  /**
   * All rows in order of their ids. The array is not to be changed, and does not change; its rows
   * do, and some may have been deleted.
   */
  public Row[] ordered() {
    if (!fresh.isEmpty() || deleted > ordered.length / 2) {
      Row[] all = new Row[rows.size()];
      int count = 0;
      for (Row row : ordered) {
        if (row.cells() != null) {
          all[count++] = row;
        }
      }
      for (Row row : fresh) {
        if (row.cells() != null) {
          all[count++] = row;
        }
      }
      // Mostly sorted already, which this sort makes the most of.
      Arrays.sort(all, 0, count, (one, other) -> compare(one.id(), other.id()));
      ordered = count == all.length ? all : Arrays.copyOf(all, count);
      fresh.clear();
      deleted = 0;
    }
    return ordered;
  }

  /** Ids in the order of their hexadecimal digits. */
  public static int compare(UUID one, UUID other) {
    int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
  }

  /** The row that is named so; null without one. Not for names by content id. */
  public @Nullable Row find(RowKey key) {
    return switch (key) {
      case RowKey.ById(UUID id, String partition) -> rows.get(place(id, partition));
      case RowKey.ByKey(AlternateKey alternate, List<Object> values) ->
          byKey.get(schema.keys().indexOf(alternate)).get(normal(values));
      case RowKey.ByContent unused -> null;
    };
  }

  /** Whether a row is one of this table, and not deleted. */
  boolean holds(Row row) {
    @Nullable Object[] cells = row.cells();
    return cells != null
        && cells.length == schema.columns().size()
        && rows.get(place(row.id(), partition(cells))) == row;
  }

  /** Under what a row is kept: without a partition, an elastic row's id stands for it. */
  private Object place(UUID id, @Nullable String partition) {
    return schema.elastic() && partition != null && !partition.equals(id.toString())
        ? new Place(id, partition)
        : id;
  }

  private record Place(UUID id, String partition) {}

  /** The name of an alternate key that another row than this has already; null if all is well. */
  @Nullable AlternateKey clash(@Nullable Row self, @Nullable Object[] cells) {
    for (int i = 0; i < byKey.size(); i++) {
      AlternateKey key = schema.keys().get(i);
      Object value = value(key, cells);
      Row other = value == null ? null : byKey.get(i).get(value);
      if (other != null && other != self) {
        return key;
      }
    }
    return null;
  }

  /** Adds a row that was not there. */
  void add(Row row, @Nullable Object[] cells) {
    fresh.add(row);
    put(row, cells);
  }

  /** Gives a row other values, or none: then it is gone. Undoes either, too. */
  void put(Row row, @Nullable Object @Nullable [] cells) {
    @Nullable Object[] before = row.cells();
    for (int i = 0; i < byKey.size(); i++) {
      AlternateKey key = schema.keys().get(i);
      Object old = before == null ? null : value(key, before);
      Object changed = cells == null ? null : value(key, cells);
      if (old != null && !old.equals(changed)) {
        byKey.get(i).remove(old);
      }
      if (changed != null && !changed.equals(old)) {
        byKey.get(i).put(changed, row);
      }
    }
    if (cells == null && before != null) {
      rows.remove(place(row.id(), partition(before)));
      deleted++;
    } else if (cells != null && before == null) {
      rows.put(place(row.id(), partition(cells)), row);
    }
    row.cells(cells);
  }

  private @Nullable String partition(@Nullable Object[] cells) {
    return schema.elastic() ? (String) cells[TableSchema.PARTITION] : null;
  }

  private static @Nullable Object value(AlternateKey key, @Nullable Object[] cells) {
    if (key.columns().size() == 1) {
      Object only = cells[key.columns().get(0)];
      return only == null ? null : normal(only);
    }
    List<Object> values = new ArrayList<>();
    for (int column : key.columns()) {
      Object value = cells[column];
      if (value == null) {
        return null; // a row with an empty key column is not held to be unique
      }
      values.add(normal(value));
    }
    return values;
  }

  private static Object normal(List<Object> values) {
    return values.size() == 1 ? normal(values.get(0)) : values.stream().map(Table::normal).toList();
  }

  /** Texts are equal without regard to case, as the service compares them. */
  private static Object normal(Object value) {
    return switch (value) {
      case String text -> text.toLowerCase(Locale.ROOT);
      case BigDecimal number -> number.stripTrailingZeros();
      case Reference reference -> reference.id();
      default -> value;
    };
  }
}
