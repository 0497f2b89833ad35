package dev.sluice.dataverse.message;

import dev.sluice.dataverse.table.Table.BulkMessage;
import java.util.Locale;

/** What is done with every record of a job. */
public enum Operation {
  CREATE,
  UPDATE,
  UPSERT,
  DELETE;

  /** The message that does it with many records at once. */
  public BulkMessage bulkMessage() {
    return switch (this) {
      case CREATE -> BulkMessage.CREATE_MULTIPLE;
      case UPDATE -> BulkMessage.UPDATE_MULTIPLE;
      case UPSERT -> BulkMessage.UPSERT_MULTIPLE;
      case DELETE -> BulkMessage.DELETE_MULTIPLE;
    };
  }

  /** As it is written in options, and in logs. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
