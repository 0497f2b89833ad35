package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
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
  private static final int MOST_POSTPONED = 10_000;

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
      composition.items().forEach(guard::take);
      taken += composition.items().size();
    }
  }

  /** The next composition of at most {@code size} new records; null if there is none now. */
  @Nullable Composition next(int size) throws IOException, InterruptedException {
    List<Item> items = new ArrayList<>(size);
    lock.lock();
    try {
      Composition part = ready.poll();
      if (part != null) {
        return part;
      }
      takePostponed(items, size);
    } finally {
      lock.unlock();
    }
    while (items.size() < size && wantsMore()) {
      Item item = source.next();
      if (item == null) {
        sourceEnded = true;
      } else if (take(item)) {
        items.add(item);
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

  /** The item has its outcome; its row is free for another. */
  void release(List<Item> items) {
    lock.lock();
    try {
      items.forEach(guard::release);
    } finally {
      lock.unlock();
    }
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

  private void takePostponed(List<Item> items, int size) {
    for (Iterator<Item> each = postponed.iterator(); each.hasNext() && items.size() < size; ) {
      Item item = each.next();
      if (guard.takePostponed(item)) {
        items.add(item);
        each.remove();
      }
    }
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
