package dev.sluice.arena.contender;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.concurrency.limits.limit.VegasLimit;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeededVegasTest {
  private static final long MILLIS = 1_000_000;

  /** What the library drew, in its order. */
  private static final class Draws implements RandomGenerator {
    private final Deque<Double> drawn = new ArrayDeque<>();

    @Override
    public long nextLong() {
      throw new AssertionError("only doubles are drawn");
    }

    @Override
    public double nextDouble(double origin, double bound) {
      assertThat(origin).isEqualTo(0.5);
      assertThat(bound).isEqualTo(1);
      return drawn.remove();
    }
  }

  @ParameterizedTest(name = "seed {0}, at most {1}")
  @CsvSource({"1, 1000", "2, 1000", "3, 52", "4, 52", "5, 200"})
  void has_the_limits_of_the_library_with_the_same_draws(long seed, int max) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    VegasLimit library = VegasLimit.newBuilder().maxConcurrency(max).build();
    Draws draws = new Draws();
    draws.drawn.add(jitterOf(library));
    SeededVegas ours = new SeededVegas(max, draws);
    long probes = 0;
    long changes = 0;
    for (int i = 0; i < 50_000; i++) {
      int limit = library.getLimit();
      double jitter = jitterOf(library);
      int inFlight = random.nextInt(1, limit + 1);
      // Long phases of an idle and of a crowded service; sometimes much faster, sometimes slower.
      long base = i / 5_000 % 2 == 0 ? 100 : 130;
      long roundTrip = base * MILLIS + random.nextLong(20 * MILLIS) * (1 + inFlight / 20);
      boolean dropped = random.nextInt(i / 10_000 % 2 == 0 ? 1_000 : 20) == 0;
      library.onSample(i, roundTrip, inFlight, dropped);
      if (jitterOf(library) != jitter) {
        draws.drawn.add(jitterOf(library));
        probes++;
      }
      ours.onSample(i, roundTrip, inFlight, dropped);
      assertThat(ours.getLimit()).as("sample %d", i).isEqualTo(library.getLimit());
      assertThat(draws.drawn).as("sample %d", i).isEmpty();
      changes += library.getLimit() == limit ? 0 : 1;
    }
    assertThat(probes).isGreaterThan(2);
    assertThat(changes).isGreaterThan(1_000);
  }

  @Test
  void rises_by_six_while_nothing_queues_and_falls_by_one_at_a_drop() {
    SeededVegas vegas = new SeededVegas(1000, new SplittableRandom(1));
    vegas.onSample(0, 100 * MILLIS, 20, false);
    assertThat(vegas.getLimit()).isEqualTo(20); // the first says what is fast
    vegas.onSample(0, 100 * MILLIS, 20, false);
    assertThat(vegas.getLimit()).isEqualTo(26);
    vegas.onSample(0, 100 * MILLIS, 20, true);
    assertThat(vegas.getLimit()).isEqualTo(25);
    vegas.onSample(0, 110 * MILLIS, 20, false); // a queue of 25 * (1 - 100 / 110), rounded up: 3
    assertThat(vegas.getLimit()).isEqualTo(25);
    vegas.onSample(0, 200 * MILLIS, 20, false); // a queue of 13
    assertThat(vegas.getLimit()).isEqualTo(24);
    vegas.onSample(0, 100 * MILLIS, 11, false); // less than half in use
    assertThat(vegas.getLimit()).isEqualTo(24);
  }

  private static double jitterOf(VegasLimit library) throws ReflectiveOperationException {
    Field jitter = VegasLimit.class.getDeclaredField("probeJitter");
    jitter.setAccessible(true);
    return jitter.getDouble(library);
  }
}
