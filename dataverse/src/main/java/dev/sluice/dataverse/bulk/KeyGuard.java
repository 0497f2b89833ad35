package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.RecordKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps two messages in flight from touching the same row, one message from naming it twice, and
 * records of one row in the order of the input. New rows that would share an alternate key are kept
 * apart alike: the first of the input is the one that the service takes. Primary keys that we made
 * cannot collide and are not kept.
 *
 * <p>Once a row is in that has an alternate key, all others are refused in whatever order they
 * come: those do not wait for each other.
 *
 * <p>Alternate keys are compared as the service's database does. Keys that only look alike to us
 * lose nothing: one waits for the other.
 *
 * <p>Not thread-safe.
 */
final class KeyGuard {
  /** So many keys at most are kept that rows in the table have. */
  private static final int MOST_PRESENT = 10_000;

  private final Set<Object> taken = new HashSet<>();
  private final Set<Object> present = new HashSet<>();
  private final Map<Object, Integer> postponed = new HashMap<>();

  /** Takes the rows of an item that comes from the input; false if it must wait for another. */
  boolean take(Item item) {
    List<Object> rows = rows(item);
    if (Collections.disjoint(postponed.keySet(), rows) && Collections.disjoint(taken, rows)) {
      taken.addAll(rows);
      return true;
    }
    rows.forEach(row -> postponed.merge(row, 1, Integer::sum));
    return false;
  }

  /** Takes the rows of an item that is on its way already, whoever else has them. */
  void takeAnyway(Item item) {
    taken.addAll(rows(item));
  }

  /**
   * Takes the rows of an item that had to wait, if they are free now.
   *
   * @param earlier rows for which items wait that came before; added to if this one waits on
   */
  boolean takePostponed(Item item, Set<Object> earlier) {
    List<Object> rows = rows(item);
    if (!Collections.disjoint(earlier, rows) || !Collections.disjoint(taken, rows)) {
      earlier.addAll(rows);
      return false;
    }
    taken.addAll(rows);
    rows.forEach(
        row -> postponed.computeIfPresent(row, (key, count) -> count == 1 ? null : count - 1));
    return true;
  }

  /**
   * The item has its outcome.
   *
   * @param in whether rows with its alternate keys are in the table now
   */
  void release(Item item, boolean in) {
    rows(item).forEach(taken::remove);
    if (in) {
      for (RecordKey.Alternate key : item.unique()) {
        String row = key.folded();
        if (present.size() < MOST_PRESENT && postponed.remove(row) != null) {
          present.add(row);
        }
      }
    }
  }

  /** Those of two items have one in common if they mean the same row, or could not both be in. */
  private List<Object> rows(Item item) {
    if (item.ours() && item.unique().isEmpty()) {
      return List.of();
    }
    List<Object> rows = new ArrayList<>(1 + item.unique().size());
    if (!item.ours()) {
      rows.add(item.key() instanceof RecordKey.Alternate key ? key.folded() : item.key());
    }
    item.unique().forEach(key -> rows.add(key.folded()));
    rows.removeAll(present);
    return rows;
  }
}
