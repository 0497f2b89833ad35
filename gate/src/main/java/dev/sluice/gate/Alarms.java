package dev.sluice.gate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waiters by the time at which something is due to happen to them: a binary heap in which each
 * knows its place, so that any of them can leave in O(log n). Guarded by the gate's lock.
 */
final class Alarms {
  private final List<Waiter> heap = new ArrayList<>();

  /** The waiter whose alarm comes first. */
  @Nullable Waiter first() {
    return heap.isEmpty() ? null : heap.get(0);
  }

  void add(Waiter waiter) {
    heap.add(waiter);
    rise(waiter, heap.size() - 1);
  }

  /** Takes a waiter out; does nothing if it is not in. */
  void remove(Waiter waiter) {
    int index = waiter.alarmIndex;
    if (index < 0) {
      return;
    }
    waiter.alarmIndex = -1;
    Waiter moved = heap.remove(heap.size() - 1);
    if (index < heap.size()) {
      sink(moved, index);
      rise(moved, moved.alarmIndex);
    }
  }

  private void rise(Waiter waiter, int from) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      Waiter above = heap.get(parent);
      if (above.alarm <= waiter.alarm) {
        break;
      }
      place(above, index);
      index = parent;
    }
    place(waiter, index);
  }

  private void sink(Waiter waiter, int from) {
    int index = from;
    while (true) {
      int child = 2 * index + 1;
      if (child >= heap.size()) {
        break;
      }
      if (child + 1 < heap.size() && heap.get(child + 1).alarm < heap.get(child).alarm) {
        child++;
      }
      Waiter below = heap.get(child);
      if (below.alarm >= waiter.alarm) {
        break;
      }
      place(below, index);
      index = child;
    }
    place(waiter, index);
  }

  private void place(Waiter waiter, int index) {
    heap.set(index, waiter);
    waiter.alarmIndex = index;
  }
}
