package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record on its way. Immutable.
 *
 * @param index its place in the input, from 0
 * @param key which row is meant; a create has one, too, so that a repeat can be told from a second
 *     row
 * @param ours whether the key is a primary key that we made: then a row that has it already is this
 *     record
 * @param columns what is written, as the members of a JSON object without its braces and without
 *     the key; empty for a delete
 * @param unique alternate keys that a new row takes, as far as they are known: of two records with
 *     one of them in common, the later is sent when the earlier has its outcome
 */
public record Item(
    long index, RecordKey key, boolean ours, String columns, List<RecordKey.Alternate> unique) {
  public Item {
    requireNonNull(key, "key");
    requireNonNull(columns, "columns");
    unique = List.copyOf(unique);
    if (index < 0) {
      throw new IllegalArgumentException("index is " + index + ", but must be 0 or more");
    }
  }

  /** A record that takes no alternate key. */
  public Item(long index, RecordKey key, boolean ours, String columns) {
    this(index, key, ours, columns, List.of());
  }

  /** The record as a JSON object, its primary key included if that is how it is named. */
  public String json(Table table) {
    return json(table, key, columns);
  }

  /**
   * A record as a JSON object.
   *
   * @param key null for one that the service chooses
   */
  public static String json(Table table, @Nullable RecordKey key, String columns) {
    StringBuilder json = new StringBuilder(columns.length() + 80).append('{');
    if (key instanceof RecordKey.Id id) {
      Bodies.key(json, table, id);
      json.append(columns.isEmpty() ? "" : ",");
    }
    return json.append(columns).append('}').toString();
  }
}
