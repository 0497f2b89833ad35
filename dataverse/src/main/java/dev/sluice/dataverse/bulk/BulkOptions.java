package dev.sluice.dataverse.bulk;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.message.MessageOptions;
import java.time.Duration;

/**
 * How a job is carried out. Immutable.
 *
 * @param batchSize how many records the first messages carry
 * @param smallestBatch what it may shrink to
 * @param largestBatch what it may grow to
 * @param targetDuration answers slower than this shrink it
 * @param failuresKept how many failures the result lists; the listener hears all
 * @param message what the service is told beside the records
 */
public record BulkOptions(
    int batchSize,
    int smallestBatch,
    int largestBatch,
    Duration targetDuration,
    int failuresKept,
    MessageOptions message) {
  /** As many as a message may carry at all. */
  public static final int MOST = 1000;

  /** 100 records, between 10 and 1,000, 10 s. */
  public static final BulkOptions DEFAULTS =
      new BulkOptions(100, 10, MOST, Duration.ofSeconds(10), 1_000, MessageOptions.DEFAULTS);

  public BulkOptions {
    check(largestBatch, 1, MOST, "largestBatch", "the most records that a message carries");
    check(smallestBatch, 1, largestBatch, "smallestBatch", "the fewest records of a full message");
    check(batchSize, smallestBatch, largestBatch, "batchSize", "the records of the first messages");
    check(failuresKept, 0, Integer.MAX_VALUE, "failuresKept", "the failures that a result lists");
    if (!targetDuration.isPositive()) {
      throw new IllegalArgumentException(
          "targetDuration is "
              + targetDuration
              + ", but must be above 0 (answers slower than this shrink the batches)");
    }
    requireNonNull(message, "message");
  }

  /** The same with batches that always have this size. */
  public BulkOptions withFixedBatch(int size) {
    return new BulkOptions(size, size, size, targetDuration, failuresKept, message);
  }

  /** The same with batches that start with this size and adapt. */
  public BulkOptions withBatchSize(int size) {
    return new BulkOptions(
        size,
        Math.min(size, smallestBatch),
        Math.max(size, largestBatch),
        targetDuration,
        failuresKept,
        message);
  }

  /** The same with other words to the service. */
  public BulkOptions withMessage(MessageOptions other) {
    return new BulkOptions(
        batchSize, smallestBatch, largestBatch, targetDuration, failuresKept, other);
  }

  private static void check(int value, int least, int most, String option, String meaning) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d, but must lie between %d and %d (%s)"
              .formatted(option, value, least, most, meaning));
    }
  }
}
