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

    @Override
    public String server() {
      return "";
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 40 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatever_comes_back(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long now = random.nextLong(-1_000 * SECOND, 1_000 * SECOND);
    Profile profile =
        random.nextBoolean() ? null : new Profile(random.nextDouble(0.001, 2_000), Duration.ZERO);
    LearnedPolicy policy = new LearnedPolicy(profile, now);
    double refusing = random.nextDouble(0.1);
    List<Attempt> inFlight = new ArrayList<>();
    Deque<Long> sent = new ArrayDeque<>();
    int lowered = 0;
    int episodes = 0;
    long episodeAt = now;
    long refusedAt = now - 100 * SECOND;
    boolean any = false;
    for (int step = 0; step < 3_000; step++) {
      String where = "seed " + seed + ", step " + step;
      long notBefore = policy.notBefore(now);
      int level = policy.level(now);
      assertThat(level).as(where).isBetween(1, 128);
      assertThat(policy.rate()).as(where).isBetween(1 / 300.0, 1_000.0);
      if (inFlight.size() < level && notBefore <= now) {
        Attempt attempt = new Sent(now);
        policy.started(attempt, now);
        assertThat(policy.notBefore(now)).as(where + ": start").isGreaterThan(now - SECOND);
        sent.add(now);
        long then = now;
        sent.removeIf(time -> then - time > 65 * SECOND);
        inFlight.add(attempt);
        assertThat(inFlight.size())
            .as(where + ": in flight")
            .isLessThanOrEqualTo((int) Math.max(2, 0.07 * sent.size()));
      } else if (!inFlight.isEmpty() && random.nextInt(3) > 0) {
        Attempt attempt = inFlight.remove(random.nextInt(inFlight.size()));
        double rate = policy.rate();
        Signal signal = signal(random, refusing);
        if (random.nextInt(50) == 0) {
          sent.remove(sent.peekLast());
          policy.abandoned(attempt, now);
          assertThat(policy.rate()).as(where).isEqualTo(rate);
          // Its place is free again; but of one request less, too large a share may be refused.
          assertThat(policy.notBefore(now))
              .as(where)
              .isLessThanOrEqualTo(Math.max(notBefore, refusedAt + 65 * SECOND));
          continue;
        }
        policy.settled(attempt, signal, now);
        if (signal instanceof Signal.Success) {
          lowered += policy.rate() < rate ? 1 : 0; // a closure has ended
          continue;
        }
        assertThat(policy.rate()).as(where + ": " + signal).isLessThanOrEqualTo(rate);
        assertThat(policy.level(now)).as(where + ": " + signal).isLessThanOrEqualTo(level);
        assertThat(policy.notBefore(now))
            .as(where + ": " + signal)
            .isGreaterThanOrEqualTo(notBefore);
        lowered += policy.rate() < rate ? 1 : 0;
        refusedAt = isRefusal(signal) ? now : refusedAt;
        if (isRefusal(signal) && (!any || attempt.sentAt() > episodeAt)) {
          any = true;
          episodes++;
          episodeAt = now;
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
    // The start may end by itself, once, because answers are slow.
    assertThat(lowered).as("seed %d", seed).isLessThanOrEqualTo(episodes + 1);
  }

  private static boolean isRefusal(Signal signal) {
    return signal instanceof Signal.Throttled
        || (signal instanceof Signal.Transient failure
            && failure.kind() == Signal.Transient.Kind.UNAVAILABLE);
  }

  private static Signal signal(SplittableRandom random, double refusing) {
    if (random.nextDouble() >= refusing) {
      return Signal.success();
    }
    return switch (random.nextInt(6)) {
      case 0 -> Signal.throttled();
      case 1 -> Signal.throttled(Duration.ofSeconds(random.nextInt(1, 100)));
      case 2 -> Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);
      case 3 -> Signal.transientFailure(Signal.Transient.Kind.REQUEST_TIMEOUT);
      case 4 -> Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED);
      default -> Signal.throttled(Duration.ofSeconds(1));
    };
  }
}
