package dev.sluice.gate;

import org.jspecify.annotations.Nullable;

/** Waiters in the order in which they came. Everything is O(1). Guarded by the gate's lock. */
@SuppressWarnings("ReferenceEquality") // waiters are links of a chain: identity is meant
final class WaitQueue {
  private @Nullable Waiter first;
  private @Nullable Waiter last;
  private int size;

  int size() {
    return size;
  }

  @Nullable Waiter first() {
    return first;
  }

  void add(Waiter waiter) {
    Waiter before = last;
    waiter.previous = before;
    waiter.queue = this;
    last = waiter;
    if (before == null) {
      first = waiter;
    } else {
      before.next = waiter;
    }
    size++;
  }

  void remove(Waiter waiter) {
    Waiter before = waiter.previous;
    Waiter after = waiter.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    waiter.previous = null;
    waiter.next = null;
    waiter.queue = null;
    size--;
  }
}
