package dev.sluice.simulator.dataverse.store;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a request names a row. */
public sealed interface RowKey {

  /**
   * By its id; on an elastic table, where the same id may occur once per partition, also by that.
   *
   * @param id the id
   * @param partition the partition; null for none given
   */
  record ById(UUID id, @Nullable String partition) implements RowKey {}

  /**
   * By an alternate key.
   *
   * @param key which
   * @param values its values, in the order of its columns
   */
  record ByKey(AlternateKey key, List<Object> values) implements RowKey {}

  /**
   * By what an earlier request of the same change set made.
   *
   * @param contentId that request's content id
   */
  record ByContent(String contentId) implements RowKey {}

  /** A row by its id alone. */
  static RowKey of(UUID id) {
    return new ById(id, null);
  }
}
