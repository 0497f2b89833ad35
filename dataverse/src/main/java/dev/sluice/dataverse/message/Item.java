package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

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
 */
public record Item(long index, RecordKey key, boolean ours, String columns) {
  public Item {
    requireNonNull(key, "key");
    requireNonNull(columns, "columns");
    if (index < 0) {
      throw new IllegalArgumentException("index is " + index + ", but must be 0 or more");
    }
  }
}
