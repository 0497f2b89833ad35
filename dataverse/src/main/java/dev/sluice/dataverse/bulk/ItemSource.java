package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Where the records of a job come from, one after the other. Asked by one thread at a time. */
@FunctionalInterface
public interface ItemSource {

  /**
   * The next record; null at the end. Asked only when it can be sent soon, and asked on after a job
   * was stopped, so that what is left is reported: a source that would rather not read on answers
   * null then.
   */
  @Nullable Item next() throws IOException, InterruptedException;

  /** How many records are still to come, as far as that is known by now. Any thread may ask. */
  default OptionalLong left() {
    return OptionalLong.empty();
  }

  /** Records that are in memory. */
  static ItemSource of(List<Item> items) {
    Iterator<Item> each = List.copyOf(items).iterator();
    AtomicLong left = new AtomicLong(items.size());
    return new ItemSource() {
      @Override
      public @Nullable Item next() {
        if (!each.hasNext()) {
          return null;
        }
        left.decrementAndGet();
        return each.next();
      }

      @Override
      public OptionalLong left() {
        return OptionalLong.of(left.get());
      }
    };
  }
}
