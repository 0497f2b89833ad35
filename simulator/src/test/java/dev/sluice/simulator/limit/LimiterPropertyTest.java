package dev.sluice.simulator.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.limit.FixedWindow.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Under random demand, each limiter admits what its definition allows: no more, and no less. */
class LimiterPropertyTest {
  private static final int REQUESTS = 200;

  static LongStream seeds() {
    return LongStream.range(0, 60 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_sliding_window_admits_exactly_what_a_recount_allows(long seed) {
    with(seed, Kind.SLIDING, LimiterPropertyTest::demand);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_window_on_the_clock_admits_exactly_what_a_recount_allows(long seed) {
    with(seed, Kind.ON_THE_CLOCK, LimiterPropertyTest::demand);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_window_from_the_first_request_admits_exactly_what_a_recount_allows(long seed) {
    with(seed, Kind.FROM_THE_FIRST, LimiterPropertyTest::demand);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_bucket_admits_exactly_what_a_recount_allows(long seed) {
    with(seed, Kind.BUCKET, LimiterPropertyTest::demand);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void several_admit_exactly_what_all_of_them_allow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long now = origin(random);
    List<Limiter> limiters = new ArrayList<>();
    List<Recount> recounts = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      kind.draw(
          random,
          now,
          (limiter, recount) -> {
            limiters.add(limiter);
            recounts.add(recount);
          });
    }
    demand(random, now, new Several(limiters), new Recount.All(recounts));
  }

  private static void with(long seed, Kind kind, Demand demand) {
    SplittableRandom random = new SplittableRandom(seed);
    long now = origin(random);
    kind.draw(random, now, (limiter, recount) -> demand.of(random, now, limiter, recount));
  }

  private static long origin(SplittableRandom random) {
    return random.nextLong(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);
  }

  /**
   * Bursts, trickles, pauses, and clients that come exactly when they were told, or just before.
   */
  private static void demand(
      SplittableRandom random, long start, Limiter limiter, Recount recount) {
    List<Long> admitted = new ArrayList<>();
    long now = start;
    for (int i = 0; i < REQUESTS; i++) {
      now += random.nextBoolean() ? 0 : random.nextLong(random.nextBoolean() ? 20 : 2_000);
      long left = limiter.left(now);
      long wait = limiter.admit(now);
      assertThat(wait == 0).as("request %d", i).isEqualTo(recount.allows(admitted, now));
      assertThat(left > 0).isEqualTo(wait == 0);
      if (wait == 0) {
        admitted.add(now);
        assertThat(limiter.left(now)).isEqualTo(left - 1);
        assertThat(limiter.untilReset(now)).isPositive();
      } else if (wait == Limiter.NEVER) {
        assertThat(recount.allows(admitted, now + 1_000_000_000)).isFalse();
      } else {
        assertThat(wait).isPositive();
        assertThat(recount.allows(admitted, now + wait)).as("wait %d", wait).isTrue();
        assertThat(recount.allows(admitted, now + wait - 1)).as("wait %d", wait).isFalse();
        now += random.nextInt(3) == 0 ? wait - random.nextInt(2) : 0;
      }
      if (random.nextInt(50) == 0) {
        long reset = limiter.untilReset(now);
        now += reset == Limiter.NEVER ? 0 : reset;
        if (reset != Limiter.NEVER && limiter.window() > 0 && !(limiter instanceof Several)) {
          assertThat(limiter.left(now)).as("left after a reset").isEqualTo(limiter.limit());
        }
      }
    }
    assertThat(admitted.isEmpty()).isEqualTo(limiter.limit() == 0);
  }

  private interface Demand {
    void of(SplittableRandom random, long now, Limiter limiter, Recount recount);
  }

  private enum Kind {
    SLIDING {
      @Override
      void draw(SplittableRandom random, long now, BiConsumer<Limiter, Recount> drawn) {
        long limit = limit(random);
        long period = random.nextLong(1, 5_000);
        drawn.accept(new SlidingWindow(limit, period), new Recount.Sliding(limit, period));
      }
    },
    ON_THE_CLOCK {
      @Override
      void draw(SplittableRandom random, long now, BiConsumer<Limiter, Recount> drawn) {
        long limit = limit(random);
        long period = random.nextLong(1, 5_000);
        long boundary = now + random.nextLong(-100_000, 100_000);
        drawn.accept(
            new FixedWindow(limit, period, Opening.ON_THE_CLOCK, boundary, now),
            new Recount.OnTheClock(limit, period, boundary));
      }
    },
    FROM_THE_FIRST {
      @Override
      void draw(SplittableRandom random, long now, BiConsumer<Limiter, Recount> drawn) {
        long limit = limit(random);
        long period = random.nextLong(1, 5_000);
        drawn.accept(
            new FixedWindow(limit, period, Opening.WITH_THE_FIRST_REQUEST, 0, now),
            new Recount.FromTheFirst(limit, period));
      }
    },
    BUCKET {
      @Override
      void draw(SplittableRandom random, long now, BiConsumer<Limiter, Recount> drawn) {
        long capacity = limit(random);
        long refill = random.nextLong(30);
        long period = random.nextLong(1, 5_000);
        drawn.accept(
            new TokenBucket(capacity, refill, period, now),
            new Recount.Bucket(capacity, refill, period));
      }
    };

    abstract void draw(SplittableRandom random, long now, BiConsumer<Limiter, Recount> drawn);

    static long limit(SplittableRandom random) {
      return random.nextLong(12);
    }
  }
}
