package dev.sluice.simulator.dataverse.store;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes that hold together: all can be taken back. One thread at a time, and nobody else changes
 * the store meanwhile.
 */
public final class Transaction {
  private final Store store;
  private final Instant now;
  private final List<Change> changes = new ArrayList<>();
  private final Map<String, Row> byContent = new HashMap<>();

  @SuppressWarnings("ArrayRecordComponent") // what a row held, compared by nobody
  private record Change(Table table, Row row, @Nullable Object @Nullable [] before) {}

  /** No change yet; rows changed now get this time, which is told in whole seconds. */
  public Transaction(Store store, Instant now) {
    this.store = store;
    this.now = now;
  }

  /** Creates a row. On an elastic table, one of the same id and partition is replaced. */
  public Row create(Table table, Item item) throws WebApiException {
    item.check();
    TableSchema schema = table.schema();
    UUID id = item.id();
    if (id != null) {
      Row present = table.find(new RowKey.ById(id, item.partition()));
      if (present != null && !schema.elastic()) {
        throw Errors.duplicate();
      }
      if (present != null) {
        return replace(table, present, item);
      }
    }
    Row row = new Row(id == null ? store.nextId() : id);
    @Nullable Object[] cells = item.values();
    for (int i = 0; i < cells.length; i++) {
      Object value = cells[i];
      cells[i] =
          value == null
              ? schema.columns().get(i).initial()
              : value instanceof Item.Nothing ? null : resolved(value);
    }
    stamp(cells, row.id(), now);
    refuseClash(table, null, cells);
    changes.add(new Change(table, row, null));
    table.add(row, cells);
    return row;
  }

  /** Changes the columns of which the item says something. */
  public Row update(Table table, Row row, Item item) throws WebApiException {
    item.check();
    @Nullable Object[] before = Objects.requireNonNull(row.cells());
    @Nullable Object[] cells = before.clone();
    for (int i = TableSchema.MODIFIED + 1; i < cells.length; i++) {
      Object value = item.get(i);
      if (value != null && !(table.schema().elastic() && i == TableSchema.PARTITION)) {
        cells[i] = value instanceof Item.Nothing ? null : resolved(value);
      }
    }
    stamp(cells, row.id(), (Instant) Objects.requireNonNull(before[TableSchema.CREATED]));
    refuseClash(table, row, cells);
    change(table, row, cells);
    return row;
  }

  /** Changes all columns: those of which the item says nothing become empty. */
  public Row replace(Table table, Row row, Item item) throws WebApiException {
    item.check();
    @Nullable Object[] before = Objects.requireNonNull(row.cells());
    @Nullable Object[] cells = item.values().clone();
    for (int i = 0; i < cells.length; i++) {
      Object value = cells[i];
      cells[i] = value == null || value instanceof Item.Nothing ? null : resolved(value);
    }
    if (table.schema().elastic()) {
      cells[TableSchema.PARTITION] = before[TableSchema.PARTITION];
    }
    stamp(cells, row.id(), (Instant) Objects.requireNonNull(before[TableSchema.CREATED]));
    refuseClash(table, row, cells);
    change(table, row, cells);
    return row;
  }

  /** Deletes a row. */
  public void delete(Table table, Row row) {
    change(table, row, null);
  }

  /** The row that is named so; refused if there is none. */
  public Row require(Table table, RowKey key) throws WebApiException {
    Row row = find(table, key);
    if (row != null) {
      return row;
    }
    throw key instanceof RowKey.ById byId
        ? Errors.notFound(table.schema().name(), byId.id())
        : Errors.notFoundByKey(table.schema().name());
  }

  /** The row that is named so; null without one. */
  public @Nullable Row find(Table table, RowKey key) throws WebApiException {
    return key instanceof RowKey.ByContent content ? made(table, content) : table.find(key);
  }

  /** Remembers what a request of a change set made, for those that follow. */
  public void remember(String contentId, Row row) {
    byContent.put(contentId, row);
  }

  /** Takes everything back. */
  public void rollBack() {
    for (int i = changes.size() - 1; i >= 0; i--) {
      Change change = changes.get(i);
      change.table().put(change.row(), change.before());
    }
    changes.clear();
  }

  /** Takes back what was done to standard tables: elastic ones have no transactions. */
  public void rollBackAtomic() {
    changes.removeIf(change -> change.table().schema().elastic());
    rollBack();
  }

  private void change(Table table, Row row, @Nullable Object @Nullable [] cells) {
    changes.add(new Change(table, row, row.cells()));
    table.put(row, cells);
  }

  private void stamp(@Nullable Object[] cells, UUID id, Instant created) {
    cells[TableSchema.ID] = id;
    cells[TableSchema.VERSION] = store.nextVersion();
    cells[TableSchema.CREATED] = created;
    cells[TableSchema.MODIFIED] = now;
  }

  private static void refuseClash(Table table, @Nullable Row self, @Nullable Object[] cells)
      throws WebApiException {
    AlternateKey key = table.clash(self, cells);
    if (key != null) {
      throw Errors.duplicateKey(key.name(), key.columnNames());
    }
  }

  private Object resolved(Object value) throws WebApiException {
    if (!(value instanceof Reference.Wanted wanted)) {
      return value;
    }
    TableSchema target = Objects.requireNonNull(store.schema().named(wanted.table()));
    return new Reference(wanted.table(), require(store.table(target), wanted.key()).id());
  }

  private Row made(Table table, RowKey.ByContent content) throws WebApiException {
    Row row = byContent.get(content.contentId());
    if (row == null || !table.holds(row)) {
      throw Errors.badRequest(
          "Content-ID Reference: '$%s' does not exist in the batch context."
              .formatted(content.contentId()));
    }
    return row;
  }
}
