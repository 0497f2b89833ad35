package dev.sluice.arena.bout;

/** A service: admits, refuses and takes its time. Single-threaded, like {@link Contender}. */
public interface World {
  /** How many identities a client has here. */
  int users();

  /** Nanoseconds from the client to the service, and the same back. */
  long oneWay();

  /** The kind of operation that the {@code index}-th request of the job is. */
  Operation operation(long index, long now);

  /**
   * A request arrives: {@link Sending#admit} or {@link Sending#refuse} says what becomes of it. An
   * admitted one gets a {@link #finish} when its duration is over.
   */
  void arrive(Sending sending, long now);

  /** An admitted request is done, and its answer goes out. */
  void finish(Sending sending, long now);

  /** How many requests came while their sender was told to wait and had time to know. */
  long pressed();

  /** The share of the quota that is used now, 0 to 1, for charts. */
  default double used(long now) {
    return Double.NaN;
  }

  /** Whether clients know the limits here, and so may rest for good reasons of their own. */
  default boolean limitsAreKnown() {
    return false;
  }

  /** Whether the account has been thrown out: nothing will be admitted any more. */
  default boolean suspended() {
    return false;
  }
}
