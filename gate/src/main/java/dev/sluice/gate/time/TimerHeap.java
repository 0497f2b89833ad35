package dev.sluice.gate.time;

import java.util.Arrays;

/**
 * The tasks that wait for a time, earliest first: a binary heap in which each task knows its place,
 * so that one that is woken early leaves at once and no dead entries pile up.
 */
final class TimerHeap {
  /** The place of a task that is not in the heap. */
  static final int ABSENT = -1;

  private SimulatedTask[] heap = new SimulatedTask[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The earliest time that anybody waits for. There must be one. */
  long earliest() {
    return heap[0].wakeAt;
  }

  void add(SimulatedTask task, long wakeAt) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    task.wakeAt = wakeAt;
    up(size++, task);
  }

  /** Removes and returns the task that waits for the earliest time. There must be one. */
  SimulatedTask poll() {
    SimulatedTask first = heap[0];
    remove(first);
    return first;
  }

  /** Takes a task out; nothing happens if it is not in. */
  @SuppressWarnings("NullAway") // cells from size on are empty; nobody reads them
  void remove(SimulatedTask task) {
    int place = task.heapPlace;
    if (place == ABSENT) {
      return;
    }
    task.heapPlace = ABSENT;
    SimulatedTask last = heap[--size];
    heap[size] = null;
    if (place == size) {
      return;
    }
    if (place > 0 && last.wakeAt < heap[parent(place)].wakeAt) {
      up(place, last);
    } else {
      down(place, last);
    }
  }

  private void up(int start, SimulatedTask task) {
    int place = start;
    while (place > 0 && task.wakeAt < heap[parent(place)].wakeAt) {
      put(place, heap[parent(place)]);
      place = parent(place);
    }
    put(place, task);
  }

  private void down(int start, SimulatedTask task) {
    int place = start;
    while (2 * place + 1 < size) {
      int child = 2 * place + 1;
      if (child + 1 < size && heap[child + 1].wakeAt < heap[child].wakeAt) {
        child++;
      }
      if (heap[child].wakeAt >= task.wakeAt) {
        break;
      }
      put(place, heap[child]);
      place = child;
    }
    put(place, task);
  }

  private void put(int place, SimulatedTask task) {
    heap[place] = task;
    task.heapPlace = place;
  }

  private static int parent(int place) {
    return (place - 1) / 2;
  }
}
