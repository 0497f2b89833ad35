package dev.sluice.control.parallelism;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The documents' controller, as a façade over the search that {@link AimdPolicy} makes, for code
 * that brings its own loop. A gate does not use it: its lanes have that policy itself, which knows
 * when each request was sent, and {@code Gate.adaptiveRateStatistics} and {@code Gate.reset} are
 * there what {@link #statistics} and {@link #reset} are here.
 *
 * <p>Recommends a parallelism per connection and learns it from what the caller reports: a success
 * may raise it, a throttle lowers it.
 *
 * <p>Connections are known by name from the first {@link #parallelism} on, and never affect each
 * other. What is recorded for a name that was never asked about is ignored: it has no level that
 * could change.
 *
 * <p>Not knowing when a request was sent, it takes every throttle for news and decreases each time;
 * {@link AimdPolicy} tells echoes from news. With {@link AdaptiveRateOptions#enabled()} off it
 * recommends the maximum and only counts.
 *
 * <p>Thread-safe: operations on one connection happen one after another, under a lock that is never
 * held while waiting.
 */
public final class AdaptiveRateController {
  private final AdaptiveRateOptions options;
  private final Ticker ticker;
  private final ConcurrentMap<String, Connection> connections = new ConcurrentHashMap<>();

  /** A controller that knows no connection yet. */
  public AdaptiveRateController(AdaptiveRateOptions options, Ticker ticker) {
    this.options = options;
    this.ticker = ticker;
  }

  /**
   * How many requests {@code connection} should have in flight now: at least 1, at most {@code
   * max}. Starts afresh if the connection was idle for {@link
   * AdaptiveRateOptions#idleResetPeriod()}; asking is activity.
   *
   * @param max the ceiling from now on, such as the service's recommended degree of parallelism
   * @throws IllegalArgumentException if {@code max} is less than 1
   */
  public int parallelism(String connection, int max) {
    Levels.requireMax(max);
    Connection known = connections.computeIfAbsent(connection, name -> new Connection());
    known.lock.lock();
    try {
      long now = ticker.nanos();
      Aimd aimd = known.adopt(options, max, now);
      if (aimd.idle(now)) {
        aimd.reset(now);
      }
      aimd.touch(now);
      return aimd.level(now);
    } finally {
      known.lock.unlock();
    }
  }

  /** A batch succeeded; how long it took is not known. */
  public void recordSuccess(String connection) {
    tell(connection, aimd -> aimd.success(true, ticker.nanos()));
  }

  /**
   * A batch succeeded.
   *
   * @param duration from send to answer, waiting excluded
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public void recordSuccess(String connection, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "duration is " + duration + ", but must be zero or more (from send to answer)");
    }
    tell(
        connection,
        aimd -> {
          aimd.took(Aimd.nanos(duration));
          aimd.success(true, ticker.nanos());
        });
  }

  /**
   * The service throttled a batch.
   *
   * @param retryAfter how long it asked to stay away, which is not idle time; zero if it did not
   *     say. Negative counts as zero
   */
  public void recordThrottle(String connection, Duration retryAfter) {
    tell(connection, aimd -> aimd.throttle(Aimd.nanos(retryAfter), ticker.nanos()));
  }

  /** Starts afresh, as after idleness; totals remain. */
  public void reset(String connection) {
    tell(connection, aimd -> aimd.reset(ticker.nanos()));
  }

  /**
   * Where the connection's search stands; empty if it was never asked about. Reading is no
   * activity.
   */
  public Optional<AdaptiveRateStatistics> statistics(String connection) {
    return whenKnown(
        connection, aimd -> aimd.statistics(connection, ticker.nanos(), ticker.instant()));
  }

  private void tell(String connection, Consumer<Aimd> news) {
    Optional<Aimd> unused =
        whenKnown(
            connection,
            aimd -> {
              news.accept(aimd);
              return aimd;
            });
  }

  private <T> Optional<T> whenKnown(String connection, Function<Aimd, T> question) {
    @Nullable Connection known = connections.get(connection);
    if (known == null) {
      return Optional.empty();
    }
    known.lock.lock();
    try {
      return Optional.ofNullable(known.aimd).map(question);
    } finally {
      known.lock.unlock();
    }
  }

  private static final class Connection {
    final ReentrantLock lock = new ReentrantLock();

    /**
     * Made under the lock, together with the first answer: otherwise somebody else's call could
     * come between the two.
     */
    private @Nullable Aimd aimd;

    Aimd adopt(AdaptiveRateOptions options, int max, long now) {
      if (aimd == null) {
        aimd = new Aimd(options, max, now);
      } else {
        aimd.max(max);
      }
      return aimd;
    }
  }
}
