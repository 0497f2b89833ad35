package dev.sluice.collect.yaml.auth;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A request that one task makes for all who want the same: the others wait for its end, and hold no
 * lock meanwhile. Thread-safe.
 */
final class Inquiry {
  private final Time time;
  private final Queue<Time.Bell> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;
  private volatile @Nullable ProviderException refusal;
  private volatile @Nullable IOException failure;

  Inquiry(Time time) {
    this.time = time;
  }

  /** Nothing came of it, and asking again would not help: all who wait are told so. */
  void refused(ProviderException why) {
    refusal = why;
  }

  /** Nothing came of it: all who wait have tried as well, and none of them asks at once again. */
  void failed(IOException why) {
    failure = why;
  }

  /** Wakes all who wait. */
  void end() {
    ended = true;
    waiting.forEach(Time.Bell::ring);
  }

  /**
   * Waits for its end. Returns if something came of it, or if whoever made it was stopped before
   * its answer: then it is to be made anew.
   */
  void await() throws ProviderException, IOException, InterruptedException {
    Time.Bell bell = time.bell();
    waiting.add(bell);
    if (!ended) { // otherwise the bells may have rung before this one hung there
      boolean unused = bell.await(Time.NEVER);
    }
    ProviderException refused = refusal;
    if (refused != null) {
      throw refused;
    }
    IOException failed = failure;
    if (failed != null) {
      throw failed;
    }
  }
}
