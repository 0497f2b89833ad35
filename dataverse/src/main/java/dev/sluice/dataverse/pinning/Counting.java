package dev.sluice.dataverse.pinning;

/**
 * How the servers of an environment count the requests of its users, as far as that is known: an
 * answer to one user tells it for all. Its fields are guarded by the gate's lock, but for those
 * that are volatile.
 */
final class Counting {
  /** How the servers behind the lanes count what was spent. */
  enum Scope {
    UNKNOWN,
    BY_SERVER,
    TOGETHER
  }

  private volatile Scope scope = Scope.UNKNOWN; // read without the lock
  private volatile boolean followed; // set without the lock
  private volatile boolean complete; // set without the lock
  private boolean severalAtOnce;

  Scope scope() {
    return scope;
  }

  void scope(Scope learned) {
    if (scope != Scope.TOGETHER) {
      scope = learned;
    }
  }

  /** Enough answers have shown that cookies are followed. */
  void followed() {
    followed = true;
  }

  boolean isFollowed() {
    return followed;
  }

  /** No more servers are expected. */
  void complete() {
    complete = true;
  }

  boolean isComplete() {
    return complete;
  }

  /** Whether all servers are known, and count for themselves as far as anybody knows. */
  boolean hasAllServers() {
    return complete && scope != Scope.TOGETHER;
  }

  /** Each server runs as many requests at once as are documented for one. */
  void severalAtOnce() {
    severalAtOnce = true;
  }

  boolean isSeveralAtOnce() {
    return severalAtOnce;
  }
}
