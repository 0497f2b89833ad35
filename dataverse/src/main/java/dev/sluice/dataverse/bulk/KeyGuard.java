package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.RecordKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keeps two messages in flight from touching the same row, one message from naming it twice, and
 * records of one row in the order of the input. Keys that we made cannot collide and are not kept.
 * Not thread-safe.
 */
final class KeyGuard {
  private final Set<RecordKey> taken = new HashSet<>();
  private final Map<RecordKey, Integer> postponed = new HashMap<>();

  /** Takes the row of an item that comes from the input; false if it must wait for another. */
  boolean take(Item item) {
    if (item.ours() || (!postponed.containsKey(item.key()) && taken.add(item.key()))) {
      return true;
    }
    postponed.merge(item.key(), 1, Integer::sum);
    return false;
  }

  /** Takes the row of an item that had to wait, if that is free now. */
  boolean takePostponed(Item item) {
    if (!taken.add(item.key())) {
      return false;
    }
    postponed.computeIfPresent(item.key(), (key, count) -> count == 1 ? null : count - 1);
    return true;
  }

  /** The item has its outcome. */
  void release(Item item) {
    if (!item.ours()) {
      taken.remove(item.key());
    }
  }
}
