package dev.sluice.simulator.catalogue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which items are meant, and in which order.
 *
 * @param order by what they are sorted, ascending
 * @param since last changed then or later; null for any
 * @param before last changed earlier than then; null for any
 */
public record Range(Order order, @Nullable Instant since, @Nullable Instant before) {
  /** All, by their keys. */
  public static final Range ALL = new Range(Order.ID, null, null);

  boolean contains(Item item) {
    return (since == null || !item.updated().isBefore(since))
        && (before == null || item.updated().isBefore(before));
  }

  /** By what items are sorted. */
  public enum Order {
    /** By their keys. */
    ID,
    /** By their last change, and of equals by their keys. */
    UPDATED
  }
}
