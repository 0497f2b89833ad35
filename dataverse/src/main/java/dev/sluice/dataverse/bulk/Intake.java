package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent next: parts of what was refused first, then what an earlier process began,
 * then new records from the source.
 *
 * <p>One thread takes; any thread hands back. The source is read without a lock, because it may be
 * a slow one.
 */
final class Intake {
  /** So many records at most wait for others of the same row; then no more are read. */
  private static final int MOST_POSTPONED = 1_000;

  /** A message is closed by the record with which it has so many characters. */
  private static final long MOST_CHARACTERS = 8L << 20;

  private final ItemSource source;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Composition> ready = new ArrayDeque<>();
  private final Deque<Item> postponed = new ArrayDeque<>();
  private final KeyGuard guard = new KeyGuard();
  private long taken;
  private volatile boolean sourceEnded; // any thread may ask what is left

  Intake(ItemSource source, List<Composition> resumed) {
    this.source = source;
    ready.addAll(resumed);
    for (Composition composition : resumed) {
      composition.items().forEach(guard::takeAnyway);
      taken += composition.items().size();
    }
  }

  /** The next composition of at most {@code size} new records; null if there is none now. */
  @Nullable Composition next(int size) throws IOException, InterruptedException {
    List<Item> items = new ArrayList<>(size);
    long characters;
    lock.lock();
    try {
      Composition part = ready.poll();
      if (part != null) {
        return part;
      }
      characters = takePostponed(items, size);
    } finally {
      lock.unlock();
    }
    while (items.size() < size && characters < MOST_CHARACTERS && wantsMore()) {
      Item item = source.next();
      if (item == null) {
        sourceEnded = true;
      } else if (take(item)) {
        items.add(item);
        characters += item.columns().length();
      }
    }
    return items.isEmpty() ? null : new Composition(items);
  }

  /** Sends these before anything new. */
  void add(Composition composition) {
    lock.lock();
    try {
      ready.add(composition);
    } finally {
      lock.unlock();
    }
  }

  /** Sends these before anything else: if the latest halves go first, bad rows are found soon. */
  void addFirst(List<Composition> parts) {
    lock.lock();
    try {
      parts.reversed().forEach(ready::addFirst);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The items have their outcomes; their rows are free for others.
   *
   * @param outcomes of each, in the same order
   */
  void release(List<Item> items, List<RecordOutcome> outcomes) {
    lock.lock();
    try {
      for (int i = 0; i < items.size(); i++) {
        guard.release(items.get(i), isIn(items.get(i), outcomes.get(i)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether its alternate keys are taken now. Which of several are, a refusal does not tell. */
  private static boolean isIn(Item item, RecordOutcome outcome) {
    return outcome instanceof RecordOutcome.Done
        || (item.unique().size() == 1
            && outcome instanceof RecordOutcome.Rejected refused
            && refused.fault() instanceof Fault.Duplicate duplicate
            && !duplicate.ofPrimaryKey());
  }

  /** How many records the job has, those that were taken included, as far as that is known. */
  OptionalLong records() {
    lock.lock();
    try {
      OptionalLong left = sourceEnded ? OptionalLong.of(0) : source.left();
      return left.isPresent() ? OptionalLong.of(taken + left.getAsLong()) : left;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing is left, as far as the taking thread can know. */
  boolean isEmpty() {
    lock.lock();
    try {
      return sourceEnded && ready.isEmpty() && postponed.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Hands out all that was never sent, to be reported. */
  void drain(Consumer<Composition> leftOver) throws IOException, InterruptedException {
    lock.lock();
    try {
      ready.forEach(leftOver);
      ready.clear();
      postponed.forEach(item -> leftOver.accept(new Composition(List.of(item))));
      postponed.clear();
    } finally {
      lock.unlock();
    }
    while (!sourceEnded) {
      Item item = source.next();
      if (item == null) {
        sourceEnded = true;
      } else {
        leftOver.accept(new Composition(List.of(item)));
      }
    }
  }

  /** Returns how many characters they have. */
  private long takePostponed(List<Item> items, int size) {
    Set<Object> earlier = new HashSet<>();
    long characters = 0;
    for (Iterator<Item> each = postponed.iterator();
        each.hasNext() && items.size() < size && characters < MOST_CHARACTERS; ) {
      Item item = each.next();
      if (guard.takePostponed(item, earlier)) {
        items.add(item);
        characters += item.columns().length();
        each.remove();
      }
    }
    return characters;
  }

  private boolean wantsMore() {
    lock.lock();
    try {
      return !sourceEnded && postponed.size() < MOST_POSTPONED;
    } finally {
      lock.unlock();
    }
  }

  private boolean take(Item item) {
    lock.lock();
    try {
      taken++;
      boolean free = guard.take(item);
      if (!free) {
        postponed.add(item);
      }
      return free;
    } finally {
      lock.unlock();
    }
  }
}
