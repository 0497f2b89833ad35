package dev.sluice.dataverse.table;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table as the service describes it. Immutable.
 *
 * @param logicalName singular and in small letters, as in {@code account}
 * @param entitySet the name in addresses, as in {@code accounts}
 * @param primaryId the primary key's column
 * @param elastic whether rows of one message succeed or fail each by itself
 * @param columns those that can be written
 * @param keys the alternate keys that are active, each with its columns
 * @param bulk the bulk messages that it supports
 */
public record Table(
    String logicalName,
    String entitySet,
    String primaryId,
    boolean elastic,
    List<Column> columns,
    List<List<String>> keys,
    Set<BulkMessage> bulk) {

  /** The messages that take many records at once. */
  public enum BulkMessage {
    CREATE_MULTIPLE,
    UPDATE_MULTIPLE,
    UPSERT_MULTIPLE,
    DELETE_MULTIPLE
  }

  public Table {
    requireNonNull(logicalName, "logicalName");
    requireNonNull(entitySet, "entitySet");
    requireNonNull(primaryId, "primaryId");
    columns = List.copyOf(columns);
    keys = keys.stream().map(List::copyOf).toList();
    bulk = Set.copyOf(bulk);
  }

  /** The same without a bulk message, which the service turned out not to know. */
  public Table without(BulkMessage message) {
    Set<BulkMessage> rest = new HashSet<>(bulk);
    rest.remove(message);
    return new Table(logicalName, entitySet, primaryId, elastic, columns, keys, rest);
  }

  /** The column of that logical name; null if there is none. */
  public @Nullable Column column(String name) {
    for (Column column : columns) {
      if (column.logicalName().equals(name)) {
        return column;
      }
    }
    return null;
  }
}
