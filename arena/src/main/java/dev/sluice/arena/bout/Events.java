package dev.sluice.arena.bout;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sendings by the time at which something happens to them; those of one instant in their order. */
final class Events {
  private @Nullable Sending[] heap = new Sending[256];
  private int size;
  private long order;

  boolean isEmpty() {
    return size == 0;
  }

  /** The earliest time; {@link Long#MAX_VALUE} if nothing will happen. */
  long nextAt() {
    Sending first = heap[0];
    return size == 0 || first == null ? Long.MAX_VALUE : first.eventAt;
  }

  void add(Sending sending, long at) {
    sending.eventAt = at;
    sending.order = order++;
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    int index = size++;
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      Sending above = at(parent);
      if (!before(sending, above)) {
        break;
      }
      heap[index] = above;
      index = parent;
    }
    heap[index] = sending;
  }

  Sending take() {
    Sending first = at(0);
    Sending last = at(--size);
    heap[size] = null;
    if (size > 0) {
      sink(last);
    }
    return first;
  }

  private void sink(Sending sending) {
    int index = 0;
    while (true) {
      int child = 2 * index + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && before(at(child + 1), at(child))) {
        child++;
      }
      Sending below = at(child);
      if (!before(below, sending)) {
        break;
      }
      heap[index] = below;
      index = child;
    }
    heap[index] = sending;
  }

  private Sending at(int index) {
    Sending sending = heap[index];
    if (sending == null) {
      throw new IllegalStateException("no sending at " + index + " of " + size);
    }
    return sending;
  }

  private static boolean before(Sending one, Sending other) {
    return one.eventAt < other.eventAt || (one.eventAt == other.eventAt && one.order < other.order);
  }
}
