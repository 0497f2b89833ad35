package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import java.io.IOException;
import java.util.List;

/**
 * Writes down what is sent before it is sent, so that a job that dies can be resumed: whatever was
 * begun and not finished may be in the table, and is repeated exactly as it was. Thread-safe.
 */
public interface BulkJournal {
  /** Keeps nothing: for jobs that end with their process. */
  BulkJournal NONE =
      new BulkJournal() {
        @Override
        public long begin(List<Item> items) {
          return 0;
        }

        @Override
        public List<Long> replace(
            long number, List<RecordOutcome> settled, List<List<Item>> parts) {
          return parts.stream().map(part -> 0L).toList();
        }

        @Override
        public void finish(long number, List<RecordOutcome> settled) {}
      };

  /**
   * These items are about to be sent together for the first time.
   *
   * @return the composition's number, once it is written down durably
   */
  long begin(List<Item> items) throws IOException, InterruptedException;

  /**
   * These parts of a composition are about to be sent in its place.
   *
   * @param settled the outcomes of its other items
   * @return the parts' numbers, once it is written down durably
   */
  List<Long> replace(long number, List<RecordOutcome> settled, List<List<Item>> parts)
      throws IOException, InterruptedException;

  /** All items of a composition have their outcome. Need not be durable when it returns. */
  void finish(long number, List<RecordOutcome> settled) throws IOException, InterruptedException;
}
