package dev.sluice.load.run;

import dev.sluice.dataverse.message.Item;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.mapping.Links;
import dev.sluice.load.mapping.Mapped;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records between their reading and their outcome: as they stood in the input, for the reject file,
 * and the input's chain after each, for the journal. Thread-safe; holds what is in flight, no more.
 */
final class OnTheWay {

  /** A record, what was made of it, and the chain after it. */
  record Passenger(RawRecord record, Item item, Links links, long chain) {}

  private final Map<Long, Passenger> passengers = new ConcurrentHashMap<>();

  void add(RawRecord record, Mapped.Ready made, long chain) {
    passengers.put(record.index(), new Passenger(record, made.item(), made.links(), chain));
  }

  /** The chain after the last of these items. */
  long chainAfter(Collection<Item> items) {
    long last = items.stream().mapToLong(Item::index).max().orElseThrow();
    Passenger passenger = passengers.get(last);
    if (passenger == null) {
      throw new IllegalStateException("record " + last + " is not on its way");
    }
    return passenger.chain();
  }

  /** Takes a record that has its outcome. */
  @Nullable Passenger arrived(long index) {
    return passengers.remove(index);
  }
}
