package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds always, over random histories of starts, answers in any order, and idle times. */
class LearnedPolicyPropertyTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private record Sent(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 60 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatever_comes_back_rate_and_level_keep_their_bounds_and_no_error_makes_it_faster(
      long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long now = random.nextLong(-1_000 * SECOND, 1_000 * SECOND);
    LearnedPolicy policy = new LearnedPolicy(profile(random), now);
    double refusing = random.nextDouble(0.2);
    List<Attempt> inFlight = new ArrayList<>();
    Deque<Long> sent = new ArrayDeque<>();
    for (int step = 0; step < 3_000; step++) {
      String where = "seed " + seed + ", step " + step;
      long notBefore = policy.notBefore(now);
      int level = policy.level(now);
      assertThat(level).as(where).isBetween(1, 1_000 + inFlight.size());
      assertKeepsItsBounds(policy, where);
      if (inFlight.size() < level && notBefore <= now) {
        Attempt attempt = new Sent(now);
        policy.started(attempt, now);
        inFlight.add(attempt);
        sent.add(now);
        while (now - sent.getFirst() > 60 * SECOND) {
          sent.removeFirst();
        }
        assertThat(inFlight.size())
            .as(where + ": in flight")
            .isLessThanOrEqualTo((int) Math.max(9, 0.04 * sent.size()));
      } else if (!inFlight.isEmpty() && random.nextInt(3) > 0) {
        Attempt attempt = inFlight.remove(random.nextInt(inFlight.size()));
        Signal signal = signal(random, refusing);
        double rate = policy.rate();
        if (random.nextInt(50) == 0) {
          policy.abandoned(attempt, now);
          sent.removeLastOccurrence(attempt.sentAt());
          assertThat(policy.rate()).as(where + ": abandoned").isEqualTo(rate);
          continue;
        }
        policy.settled(attempt, signal, now);
        if (!(signal instanceof Signal.Success)) {
          assertThat(policy.rate()).as(where + ": " + signal).isEqualTo(rate);
          assertThat(policy.level(now))
              .as(where + ": " + signal + ", or a single probe")
              .isLessThanOrEqualTo(Math.max(level, inFlight.size() + 1));
          assertThat(policy.notBefore(now))
              .as(where + ": " + signal)
              .isGreaterThanOrEqualTo(notBefore);
        }
      } else {
        long ahead = Math.max(notBefore, now) - now;
        now +=
            1
                + (random.nextInt(100) == 0
                    ? ahead + random.nextLong(100 * SECOND)
                    : Math.min(ahead, random.nextLong(SECOND)));
      }
    }
  }

  private static void assertKeepsItsBounds(LearnedPolicy policy, String where) {
    double rate = policy.rate();
    Profile profile = policy.profile();
    if (profile != null && profile.cap() > 0) {
      assertThat(rate).as(where).isInfinite();
    } else {
      assertThat(rate).as(where).isBetween(0.5 / 300, 20_000.0); // half of the least when slow
    }
  }

  private static @Nullable Profile profile(SplittableRandom random) {
    return random.nextBoolean()
        ? null
        : new Profile(
            Math.pow(10, random.nextDouble(-4, 6)), random.nextInt(20), random.nextDouble());
  }

  private static Signal signal(SplittableRandom random, double refusing) {
    if (random.nextDouble() >= refusing) {
      return Signal.success();
    }
    return switch (random.nextInt(7)) {
      case 0 -> Signal.throttled();
      case 1 -> Signal.throttled(Duration.ofSeconds(random.nextInt(1, 100)));
      case 2 -> Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);
      case 3 -> Signal.transientFailure(Signal.Transient.Kind.REQUEST_TIMEOUT);
      case 4 -> Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED);
      case 5 -> Signal.CANCELLED;
      default -> Signal.throttled(Duration.ofSeconds(1));
    };
  }
}
