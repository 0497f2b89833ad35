package dev.sluice.simulator.dataverse.store;

import dev.sluice.simulator.dataverse.error.WebApiException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about one row: values for some of its columns, and perhaps how the row is
 * named. Filled by whoever reads the request; its values become the row's own. Not thread-safe.
 */
public final class Item {
  /** Stands for a value that was given as null, unlike one that was not given. */
  public enum Nothing {
    /** The only one. */
    NULL
  }

  private final @Nullable Object[] values;
  private @Nullable RowKey address;
  private @Nullable WebApiException failure;

  /** Nothing said yet. */
  public Item(TableSchema table) {
    this.values = new Object[table.columns().size()];
  }

  /** Says what a column is to hold; {@link Nothing} to empty it. */
  public void set(int column, Object value) {
    values[column] = value;
  }

  /** What a column is to hold: {@link Nothing} for nothing; null if nothing was said. */
  public @Nullable Object get(int column) {
    return values[column];
  }

  /** Takes back what was said of a column. */
  public void forget(int column) {
    values[column] = null;
  }

  /** Names the row, as an address would. */
  public void address(RowKey key) {
    address = key;
  }

  /** How the row is named: by an address, or else by its id; null if it is not. */
  public @Nullable RowKey address() {
    if (address != null) {
      return address;
    }
    UUID id = id();
    return id == null ? null : new RowKey.ById(id, partition());
  }

  /** Whether the row is named by an address, beside its columns. */
  public boolean isAddressed() {
    return address != null;
  }

  /** Notes that a value cannot be stored; the first such note counts. */
  public void fail(WebApiException why) {
    if (failure == null) {
      failure = why;
    }
  }

  /** Refuses the row if one of its values cannot be stored. */
  void check() throws WebApiException {
    if (failure != null) {
      throw failure;
    }
  }

  /** The id that was given; null if none was. */
  public @Nullable UUID id() {
    return values[TableSchema.ID] instanceof UUID id ? id : null;
  }

  /** The partition that was given on an elastic table; null if none was. */
  public @Nullable String partition() {
    return values.length > TableSchema.PARTITION
            && values[TableSchema.PARTITION] instanceof String partition
        ? partition
        : null;
  }

  @Nullable Object[] values() {
    return values;
  }
}
