package dev.sluice.simulator.limit;

/**
 * A queue of numbers, usually times, first in first out, that boxes none and allocates only when it
 * grows beyond what it ever held. Single-threaded.
 */
public final class TimeRing {
  private long[] ring = new long[64]; // its length is a power of two
  private int first;
  private int size;

  /** Puts one at the end. */
  public void add(long time) {
    if (size == ring.length) {
      grow();
    }
    ring[(first + size) & (ring.length - 1)] = time;
    size++;
  }

  private void grow() {
    long[] straight = new long[ring.length * 2];
    System.arraycopy(ring, first, straight, 0, ring.length - first);
    System.arraycopy(ring, 0, straight, ring.length - first, first);
    ring = straight;
    first = 0;
  }

  /** The one that has been here the longest, of at least one. */
  public long first() {
    return get(0);
  }

  /** The {@code index}-th, counted from the first, which is 0. */
  public long get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("there is no entry " + index + " of " + size);
    }
    return ring[(first + index) & (ring.length - 1)];
  }

  /** Takes the first away, of at least one. */
  public long removeFirst() {
    long taken = first();
    first = (first + 1) & (ring.length - 1);
    size--;
    return taken;
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return size == 0;
  }
}
