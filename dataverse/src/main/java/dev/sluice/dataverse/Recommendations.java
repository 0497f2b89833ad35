package dev.sluice.dataverse;

import dev.sluice.control.quota.Observed;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.wire.WebAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Remembers what answers have shown: how many requests at a time the latest one recommends to each
 * identity, and how long the network takes. Thread-safe.
 *
 * <p>The round trip is the time of the quickest answer of all, without what the service takes for
 * such an answer. The first one tells who somebody is; later ones may be refusals.
 */
final class Recommendations implements Routes {
  /** The least that a service takes to say who somebody is. */
  private static final long QUICKEST_SERVICE = TimeUnit.MILLISECONDS.toNanos(5);

  /** So many times as long a first answer may take. */
  private static final int SLOWER_AT_FIRST = 4;

  private final Routes routes;
  private final Map<String, Integer> degrees = new ConcurrentHashMap<>();
  private final AtomicLong quickest = new AtomicLong(Long.MAX_VALUE);

  /** Lanes lead where {@code routes} says. */
  Recommendations(Routes routes) {
    this.routes = routes;
  }

  /** What was shown to an identity, as of when it is asked. */
  Observed to(String identity) {
    return new Observed() {
      @Override
      public int degree() {
        return degrees.getOrDefault(identity, WhoAmI.UNTOLD);
      }

      @Override
      public long roundTrip() {
        long nanos = quickest.get();
        return nanos == Long.MAX_VALUE ? 0 : Math.max(0, nanos - QUICKEST_SERVICE);
      }
    };
  }

  /**
   * The round trip was this once. It counts if it is not much less than what was measured since:
   * first answers are slow, because a connection has to be made; but a place may also be left.
   */
  void remember(Duration roundTrip) {
    long before = roundTrip.toNanos() + QUICKEST_SERVICE;
    if (roundTrip.isPositive() && before >= quickest.get() / SLOWER_AT_FIRST) {
      long unused = quickest.accumulateAndGet(before, Math::min);
    }
  }

  @Override
  public Route of(String lane) {
    return routes.of(lane);
  }

  @Override
  public void answered(Route route, WebAnswer answer, Signal signal, long took) {
    WhoAmI.toldDegree(answer).ifPresent(degree -> degrees.put(route.identity(), degree));
    quickest.accumulateAndGet(Math.max(0, took), Math::min);
    routes.answered(route, answer, signal, took);
  }
}
