package dev.sluice.dataverse.bulk;

/**
 * How many records should the next message carry? More while that makes a record cheaper, fewer
 * when the service cannot cope.
 *
 * <p>It climbs: after some answers of the present size it compares the time per record with that of
 * the size before. Notably cheaper, it grows by half; not, it stays. A message that was too large,
 * too slow or timed out in the database halves it, and it never comes back to where that happened.
 *
 * <p>Not thread-safe.
 */
final class BatchSizer {
  /** So many answers tell what a size costs. */
  private static final int SAMPLE = 8;

  /** Growing pays if a record gets cheaper by at least this. */
  private static final double WORTH_IT = 0.95;

  private final int smallest;
  private final long target;
  private int largest;
  private int size;
  private boolean growing = true;
  private int answers;
  private double spent;
  private long records;
  private double costBefore = Double.POSITIVE_INFINITY;

  BatchSizer(BulkOptions options) {
    this.size = options.batchSize();
    this.smallest = options.smallestBatch();
    this.largest = options.largestBatch();
    this.target = options.targetDuration().toNanos();
  }

  /** Records of the next message. */
  int size() {
    return size;
  }

  /** A message of this many records was answered well in this time. */
  void answered(int count, long nanos) {
    if (nanos > target && count > smallest) {
      tooMuch(count);
      return;
    }
    if (!growing || count != size) {
      return;
    }
    answers++;
    spent += nanos;
    records += count;
    if (answers >= SAMPLE) {
      double cost = spent / records;
      growing = cost < costBefore * WORTH_IT && size < largest;
      costBefore = cost;
      if (growing) {
        size = Math.min(largest, size + Math.max(1, size / 2));
      }
      forget();
    }
  }

  /** A message of this many records was too much for the service. */
  void tooMuch(int count) {
    if (count <= size) {
      size = Math.max(smallest, count / 2);
      largest = Math.max(size, Math.min(largest, count - 1));
      growing = false;
      forget();
    }
  }

  private void forget() {
    answers = 0;
    spent = 0;
    records = 0;
  }
}
