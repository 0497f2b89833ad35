package dev.sluice.simulator.catalogue;

import java.time.Duration;

/**
 * The items of a provider.
 *
 * @param items how many there are at the start, 0 to 1,000,000
 * @param seed of all their contents and changes
 * @param history how far back their last changes lie at most; 1 min or more
 * @param changesPerMinute how many appear, change or vanish per minute, in the mean; 0 to 60,000
 */
public record CatalogueOptions(int items, long seed, Duration history, double changesPerMinute) {
  /** A thousand items of the last year, which stay as they are. */
  public static final CatalogueOptions DEFAULTS =
      new CatalogueOptions(1_000, 1, Duration.ofDays(365), 0);

  public CatalogueOptions {
    if (items < 0 || items > 1_000_000) {
      throw new IllegalArgumentException(
          "items is " + items + ", but must be 0 to 1,000,000 (items at the start)");
    }
    if (history.compareTo(Duration.ofMinutes(1)) < 0
        || history.compareTo(Duration.ofDays(36_500)) > 0) {
      throw new IllegalArgumentException(
          "history is "
              + history
              + ", but must be 1 min to 36,500 days (how far back items' last changes lie)");
    }
    if (!(changesPerMinute >= 0 && changesPerMinute <= 60_000)) {
      throw new IllegalArgumentException(
          "changesPerMinute is "
              + changesPerMinute
              + ", but must be 0 to 60,000 (items that appear, change or vanish)");
    }
  }

  /** The same with another number of items. */
  public CatalogueOptions withItems(int value) {
    return new CatalogueOptions(value, seed, history, changesPerMinute);
  }

  /** The same with another seed. */
  public CatalogueOptions withSeed(long value) {
    return new CatalogueOptions(items, value, history, changesPerMinute);
  }

  /** The same with more or fewer changes. */
  public CatalogueOptions withChangesPerMinute(double value) {
    return new CatalogueOptions(items, seed, history, value);
  }
}
