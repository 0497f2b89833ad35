package dev.sluice.arena.contender;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import dev.sluice.arena.bout.Contender;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * All peers. Each has its library's defaults but for what its description says; where a default
 * would harm it in any world, it is set as a careful user would.
 */
public final class Peers {
  /** How many requests of one user Dataverse's documentation lets run at once. */
  private static final int DOCUMENTED = 52;

  /** The highest limit that Gradient2 and AIMD have by default. */
  private static final int GRADIENT_MAX = 200;

  /** The highest limit that Vegas has by default. */
  private static final int VEGAS_MAX = 1000;

  private static final List<Peer> ALL =
      List.of(
          rule(
              "fixed-hint",
              "as many in flight per user as the service recommends",
              hint -> new FixedSlots(hint)),
          rule(
              "fixed-52",
              "52 in flight per user, the documented limit",
              hint -> new FixedSlots(DOCUMENTED)),
          rule(
              "aimd-chunked",
              "the adaptive rate document as written: chunks, and every throttle halves",
              hint -> new ChunkedAimd(hint, false)),
          rule(
              "aimd-chunked-once",
              "the same, but one chunk halves once at most",
              hint -> new ChunkedAimd(hint, true)),
          gradient2("gradient2", GRADIENT_MAX),
          gradient2("gradient2-52", DOCUMENTED),
          vegas("vegas", VEGAS_MAX),
          vegas("vegas-52", DOCUMENTED),
          aimd("limits-aimd", GRADIENT_MAX),
          aimd("limits-aimd-52", DOCUMENTED),
          peer(
              "aws-adaptive",
              "the AWS SDK's adaptive mode: a token bucket by CUBIC, over 50 connections per user",
              Origin.TRANSCRIPTION,
              (hint, chance) -> new CubicBucket()),
          peer(
              "resilience4j-quota",
              "Resilience4j's rate limiter at Dataverse's documented 20/s per user, bulkhead of 52",
              Origin.LIBRARY,
              (hint, chance) -> new CyclePermits(20, DOCUMENTED)),
          peer(
              "resilience4j-guess",
              "Resilience4j's rate limiter at a guess of 10/s per user, bulkhead of 25",
              Origin.LIBRARY,
              (hint, chance) -> new CyclePermits(10, 25)),
          peer(
              "scrapy-autothrottle",
              "Scrapy's AutoThrottle rule, a slot per user",
              Origin.TRANSCRIPTION,
              (hint, chance) -> new AutoThrottle()));

  private Peers() {}

  /** All of them, in the order of the report. */
  public static List<Peer> all() {
    return ALL;
  }

  /**
   * The one of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Peer named(String name) {
    return ALL.stream()
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no peer is named %s; there are: %s"
                        .formatted(
                            name, String.join(", ", ALL.stream().map(Peer::name).toList()))));
  }

  private static Peer rule(String name, String description, IntFunction<Limiter> limiter) {
    return peer(name, description, Origin.RULE, (hint, chance) -> limiter.apply(hint));
  }

  private static Peer gradient2(String name, int max) {
    return limits(
        name,
        "Gradient2",
        max,
        Origin.LIBRARY,
        chance -> Gradient2Limit.newBuilder().minLimit(1).maxConcurrency(max).build());
  }

  private static Peer vegas(String name, int max) {
    return limits(name, "Vegas", max, Origin.TRANSCRIPTION, chance -> new SeededVegas(max, chance));
  }

  /** A request of 12 s is no failure here: its timeout of 5 s would keep it at its minimum. */
  private static Peer aimd(String name, int max) {
    return limits(
        name,
        "AIMD",
        max,
        Origin.LIBRARY,
        chance ->
            AIMDLimit.newBuilder().minLimit(1).maxLimit(max).timeout(60, TimeUnit.SECONDS).build());
  }

  private static Peer limits(
      String name, String kind, int max, Origin origin, Function<RandomGenerator, Limit> limit) {
    return peer(
        name,
        "%s of Netflix concurrency-limits: 1 to %d in flight per user".formatted(kind, max),
        origin,
        (hint, chance) -> new LibraryLimit(limit.apply(chance), max));
  }

  private static Peer peer(String name, String description, Origin origin, LimiterOf limiter) {
    return new Peer(
        name,
        description,
        origin,
        (users, hint, seed) -> contender(name, users, hint, seed, limiter));
  }

  private static Contender contender(
      String name, int users, int hint, long seed, LimiterOf limiter) {
    SplittableRandom chance = new SplittableRandom(seed);
    return new PerUser(name, users, user -> limiter.of(hint, chance.split()), chance.split());
  }

  @FunctionalInterface
  private interface LimiterOf {
    Limiter of(int hint, RandomGenerator chance);
  }
}
