package dev.sluice.arena.contender;

import static java.util.stream.Collectors.joining;

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
import java.util.stream.Stream;

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
      Stream.of(
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
              aws("aws-adaptive"),
              resilience4j("resilience4j-quota"),
              peer(
                  "resilience4j-guess",
                  "Resilience4j's rate limiter at a guess of 10/s per user, bulkhead of 25",
                  Origin.LIBRARY,
                  (hint, chance) -> new CyclePermits(10, 25)),
              peer(
                  "scrapy-autothrottle",
                  "Scrapy's AutoThrottle rule, a slot per user",
                  Origin.TRANSCRIPTION,
                  (hint, chance) -> new AutoThrottle()))
          .map(Kind::asItComes)
          .toList();

  private static final List<Peer> LOOPS =
      Stream.of(
              rule(
                  "loop-retry-after",
                  "a loop as people write it: 8 at once, each waits as told, or else a second",
                  hint -> new RetryLoop(true)),
              rule(
                  "loop-backoff",
                  "a loop as people write it: 8 at once, each waits 1 s, 2 s, 4 s up to a minute",
                  hint -> new RetryLoop(false)))
          .map(Kind::asItComes)
          .toList();

  private static final List<Peer> HELD =
      Stream.of(
              gradient2("gradient2-held", DOCUMENTED),
              vegas("vegas-held", DOCUMENTED),
              aimd("limits-aimd-held", DOCUMENTED),
              aws("aws-adaptive-held"),
              resilience4j("resilience4j-held"))
          .map(Kind::held)
          .toList();

  private Peers() {}

  /** All that use a library as it comes, in the order of the report. */
  public static List<Peer> all() {
    return ALL;
  }

  /** What people write who use no library. */
  public static List<Peer> loops() {
    return LOOPS;
  }

  /**
   * The strongest of them within documented limits, used as well as can be: a user that was told to
   * wait is held as long as told. No library does that by itself.
   */
  public static List<Peer> held() {
    return HELD;
  }

  /**
   * The one of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Peer named(String name) {
    List<Peer> every = Stream.of(ALL, LOOPS, HELD).flatMap(List::stream).toList();
    return every.stream()
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no peer is named %s; there are: %s"
                        .formatted(name, every.stream().map(Peer::name).collect(joining(", ")))));
  }

  private static Kind rule(String name, String description, IntFunction<Limiter> limiter) {
    return peer(name, description, Origin.RULE, (hint, chance) -> limiter.apply(hint));
  }

  private static Kind gradient2(String name, int max) {
    return limits(
        name,
        "Gradient2",
        max,
        Origin.LIBRARY,
        chance -> Gradient2Limit.newBuilder().minLimit(1).maxConcurrency(max).build());
  }

  private static Kind vegas(String name, int max) {
    return limits(name, "Vegas", max, Origin.TRANSCRIPTION, chance -> new SeededVegas(max, chance));
  }

  /** A request of 12 s is no failure here: its timeout of 5 s would keep it at its minimum. */
  private static Kind aimd(String name, int max) {
    return limits(
        name,
        "AIMD",
        max,
        Origin.LIBRARY,
        chance ->
            AIMDLimit.newBuilder().minLimit(1).maxLimit(max).timeout(60, TimeUnit.SECONDS).build());
  }

  private static Kind aws(String name) {
    return peer(
        name,
        "the AWS SDK's adaptive mode: a token bucket by CUBIC, over 50 connections per user",
        Origin.TRANSCRIPTION,
        (hint, chance) -> new CubicBucket());
  }

  private static Kind resilience4j(String name) {
    return peer(
        name,
        "Resilience4j's rate limiter at Dataverse's documented 20/s per user, bulkhead of 52",
        Origin.LIBRARY,
        (hint, chance) -> new CyclePermits(20, DOCUMENTED));
  }

  private static Kind limits(
      String name, String kind, int max, Origin origin, Function<RandomGenerator, Limit> limit) {
    return peer(
        name,
        "%s of Netflix concurrency-limits: 1 to %d in flight per user".formatted(kind, max),
        origin,
        (hint, chance) -> new LibraryLimit(limit.apply(chance), max));
  }

  private static Kind peer(String name, String description, Origin origin, LimiterOf limiter) {
    return new Kind(name, description, origin, limiter);
  }

  @FunctionalInterface
  private interface LimiterOf {
    Limiter of(int hint, RandomGenerator chance);
  }

  /** A limiter under a name, to be used in one way or the other. */
  private record Kind(String name, String description, Origin origin, LimiterOf limiter) {
    Peer asItComes() {
      return new Peer(
          name, description, origin, (users, hint, seed) -> contender(users, hint, seed, false));
    }

    Peer held() {
      return new Peer(
          name,
          description + "; a throttle holds the whole user as long as it says",
          origin,
          (users, hint, seed) -> contender(users, hint, seed, true));
    }

    private Contender contender(int users, int hint, long seed, boolean holds) {
      SplittableRandom chance = new SplittableRandom(seed);
      return new PerUser(
          name, users, user -> limiter.of(hint, chance.split()), chance.split(), holds);
    }
  }
}
