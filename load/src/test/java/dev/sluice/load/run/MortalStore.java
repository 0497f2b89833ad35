package dev.sluice.load.run;

import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Work;
import org.jspecify.annotations.Nullable;

/**
 * A store as a process sees it that dies during one of its commits: from then on nothing that it
 * does is kept. The commit itself may have got through, without anybody being told.
 */
final class MortalStore implements Store {
  private final Store store;
  private final boolean lastGetsThrough;
  private long left;

  /**
   * Dies during a commit.
   *
   * @param store what the next process finds
   * @param commits how many are made before
   * @param lastGetsThrough whether the one after them is made, too
   */
  MortalStore(Store store, long commits, boolean lastGetsThrough) {
    this.store = store;
    this.left = commits;
    this.lastGetsThrough = lastGetsThrough;
  }

  boolean isDead() {
    return left < 0;
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    if (left > 0) {
      left--;
      return store.write(work);
    }
    if (left-- == 0 && lastGetsThrough) {
      T unused = store.write(work);
    }
    throw new StoreException(StoreException.Problem.OTHER, "the process is dead", null);
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    if (left < 0) {
      throw new StoreException(StoreException.Problem.OTHER, "the process is dead", null);
    }
    return store.read(work);
  }

  @Override
  public void close() {}
}
