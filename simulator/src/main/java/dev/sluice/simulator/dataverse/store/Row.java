package dev.sluice.simulator.dataverse.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row. What it holds is one array that is replaced, never changed, so that it may be read while
 * others write: it is always what the row held at one moment.
 */
public final class Row {
  private final UUID id;
  private volatile @Nullable Object @Nullable [] cells;

  Row(UUID id) {
    this.id = id;
  }

  /** Its id. */
  public UUID id() {
    return id;
  }

  /** What it holds, one value per column, not to be changed; null if it has been deleted. */
  public @Nullable Object @Nullable [] cells() {
    return cells;
  }

  void cells(@Nullable Object @Nullable [] changed) {
    cells = changed;
  }
}
