package dev.sluice.load.mapping;

import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.load.input.RawRecord;
import java.util.ArrayList;
import java.util.List;

/** The alternate keys that new rows take: the service lets no two rows have the same. */
final class UniqueKeys {
  private final List<KeyPlace[]> keys;

  /**
   * Keys of a table.
   *
   * @param columns of each
   */
  UniqueKeys(List<List<String>> columns) {
    this.keys = columns.stream().map(KeyPlace::of).toList();
  }

  /** Says where the values of a column stand; -1 if it is the same for all rows. */
  void found(Slot.Written column, int position) {
    if (column.part() != null) {
      for (KeyPlace[] key : keys) {
        KeyPlace.put(key, column.part(), position);
      }
    }
  }

  /** Those of a record that are complete: one with an empty part binds nobody. */
  List<RecordKey.Alternate> read(RawRecord record) {
    List<RecordKey.Alternate> found = new ArrayList<>(keys.size());
    for (KeyPlace[] key : keys) {
      StringBuilder predicate = new StringBuilder();
      boolean complete = true;
      for (KeyPlace place : key) {
        predicate.append(predicate.isEmpty() ? "" : ",");
        complete = complete && place.write(record, predicate);
      }
      if (complete) {
        found.add(new RecordKey.Alternate(predicate.toString()));
      }
    }
    return found;
  }
}
