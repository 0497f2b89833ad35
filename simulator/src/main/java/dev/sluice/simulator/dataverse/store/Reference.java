package dev.sluice.simulator.dataverse.store;

import java.util.UUID;

/**
 * What a lookup holds.
 *
 * @param table the logical name of the table it leads to
 * @param id the row's id
 */
public record Reference(String table, UUID id) {

  /**
   * A reference that is still to be found.
   *
   * @param table the table it leads to
   * @param key the row that is meant
   */
  public record Wanted(String table, RowKey key) {}
}
