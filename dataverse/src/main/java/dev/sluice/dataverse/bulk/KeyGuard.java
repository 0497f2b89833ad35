package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.RecordKey;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Keeps two messages in flight from touching the same row, one message from naming it twice, and
 * records of one row in the order of the input. Keys that we made cannot collide and are not kept.
 *
 * <p>Alternate keys are compared as the service's database does, which ignores case, accents and
 * blanks at the end. Keys that only look alike to us lose nothing: one waits for the other.
 *
 * <p>Not thread-safe.
 */
final class KeyGuard {
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");
  private static final Pattern BLANKS_AT_END = Pattern.compile("\\s+'");

  private final Set<Object> taken = new HashSet<>();
  private final Map<Object, Integer> postponed = new HashMap<>();

  /** Takes the row of an item that comes from the input; false if it must wait for another. */
  boolean take(Item item) {
    if (item.ours()) {
      return true;
    }
    Object row = row(item);
    if (!postponed.containsKey(row) && taken.add(row)) {
      return true;
    }
    postponed.merge(row, 1, Integer::sum);
    return false;
  }

  /** Takes the row of an item that had to wait, if that is free now. */
  boolean takePostponed(Item item) {
    Object row = row(item);
    if (!taken.add(row)) {
      return false;
    }
    postponed.computeIfPresent(row, (key, count) -> count == 1 ? null : count - 1);
    return true;
  }

  /** The item has its outcome. */
  void release(Item item) {
    if (!item.ours()) {
      taken.remove(row(item));
    }
  }

  /** Equal for items of the same row. */
  private static Object row(Item item) {
    if (!(item.key() instanceof RecordKey.Alternate(String predicate))) {
      return item.key();
    }
    String plain = MARKS.matcher(Normalizer.normalize(predicate, Form.NFKD)).replaceAll("");
    return BLANKS_AT_END.matcher(plain.toLowerCase(Locale.ROOT)).replaceAll("'");
  }
}
