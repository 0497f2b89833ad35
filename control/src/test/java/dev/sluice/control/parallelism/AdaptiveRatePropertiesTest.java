package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds whatever happens, over random histories; a failure names the seed that repeats it. */
class AdaptiveRatePropertiesTest {
  private static final int EVENTS = 2_000;
  private static final double ROUNDING = 1e-6;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 60 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_policy_stays_within_its_bounds_decreases_once_per_episode_and_never_rises_on_an_error(
      long seed) {
    new History(seed).run();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_connection_does_the_same_whatever_happens_to_others(long seed) {
    assertThat(levelsOfFirst(seed, true)).as("seed %d", seed).isEqualTo(levelsOfFirst(seed, false));
  }

  private static List<Integer> levelsOfFirst(long seed, boolean withOthers) {
    Random random = new Random(seed);
    AdaptiveRateOptions options = randomOptions(random);
    SettableTicker time = new SettableTicker();
    AdaptiveRateController controller = new AdaptiveRateController(options, time);
    List<Integer> levels = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      boolean other = random.nextInt(3) > 0;
      String connection = other ? "other" : "first";
      int event = random.nextInt(100);
      int max = 1 + random.nextInt(60);
      Duration duration = Duration.ofMillis(random.nextInt(15_000));
      time.pass(Duration.ofMillis(random.nextInt(3_000)));
      if (other && !withOthers) {
        continue;
      }
      if (event < 40) {
        int level = controller.parallelism(connection, max);
        assertThat(level)
            .as("seed %d, event %d", seed, i)
            .isBetween(Math.min(options.minParallelism(), max), max);
        if (!other) {
          levels.add(level);
        }
      } else if (event < 90) {
        controller.recordSuccess(connection, duration);
      } else if (event < 97) {
        controller.recordThrottle(connection, duration);
      } else {
        controller.reset(connection);
      }
    }
    return levels;
  }

  private static AdaptiveRateOptions randomOptions(Random random) {
    return AdaptiveRateOptions.builder()
        .executionTimeCeilingFactor(50 + random.nextInt(300))
        .slowBatchThresholdMs(random.nextInt(12_000))
        .initialParallelismFactor(0.1 + 0.9 * random.nextDouble())
        .minParallelism(1 + random.nextInt(random.nextBoolean() ? 1 : 8))
        .increaseRate(1 + random.nextInt(4))
        .decreaseFactor(0.1 + 0.8 * random.nextDouble())
        .stabilizationBatches(1 + random.nextInt(4))
        .minIncreaseInterval(Duration.ofMillis(random.nextInt(6_000)))
        .recoveryMultiplier(0.1 + 3 * random.nextDouble())
        .build();
  }

  /** A policy, and beside it as much of a model as the properties need. */
  private static final class History {
    private final long seed;
    private final Random random;
    private final AdaptiveRateOptions options;
    private final AimdPolicy policy;
    private final List<Request> inFlight = new ArrayList<>();
    private long now;
    private int max;
    private long throttles;
    private boolean decreased;
    private long lastDecrease;
    private long idleSince;
    private OptionalDouble averageSeconds = OptionalDouble.empty();
    private double throttleCeiling = Double.POSITIVE_INFINITY;
    private long throttleForgotten;
    private int event;

    History(long seed) {
      this.seed = seed;
      random = new Random(seed);
      options = randomOptions(random);
      now = random.nextLong();
      idleSince = now;
      throttleForgotten = now;
      max = 1 + random.nextInt(60);
      policy = new AimdPolicy(options, max, now);
    }

    void run() {
      for (event = 0; event < EVENTS; event++) {
        now += passing();
        if (inFlight.isEmpty() && now - idleSince > options.idleResetPeriod().toNanos()) {
          averageSeconds = OptionalDouble.empty();
          throttleForgotten = now;
        }
        int before = level();
        int dice = random.nextInt(100);
        if (dice < 3) {
          max = 1 + random.nextInt(60);
          policy.max(max);
        } else if (dice < 6) {
          hold(now + Duration.ofSeconds(random.nextInt(900)).toNanos());
        } else if (inFlight.isEmpty() || (dice < 55 && inFlight.size() < before)) {
          start();
          assertThat(level()).as(this::where).isEqualTo(before);
        } else {
          end(inFlight.remove(random.nextInt(inFlight.size())), before);
        }
        level();
        assertThat(statistics().totalThrottleEvents()).as(this::where).isEqualTo(throttles);
        assertThat(statistics().lastKnownGoodParallelism()).as(this::where).isBetween(least(), max);
      }
    }

    private long passing() {
      return switch (random.nextInt(50)) {
        case 0 -> Duration.ofMinutes(random.nextInt(9)).toNanos();
        case 1, 2, 3, 4, 5 -> 0;
        default -> random.nextLong(Duration.ofSeconds(3).toNanos());
      };
    }

    private void hold(long until) {
      policy.held(until);
      busyUntil(until);
    }

    private void start() {
      Request request = new Request(now);
      inFlight.add(request);
      policy.started(request, now);
      busyUntil(now);
    }

    private void end(Request request, int before) {
      busyUntil(now);
      int dice = random.nextInt(100);
      if (dice < 3) {
        policy.abandoned(request, now);
        assertThat(level()).as(this::where).isEqualTo(before);
      } else if (dice < 80) {
        succeed(request);
      } else if (dice < 90) {
        throttle(request, before);
      } else {
        policy.settled(request, error(), now);
        assertThat(level()).as(() -> where() + ": an error").isEqualTo(before);
      }
    }

    private void succeed(Request request) {
      long counted = statistics().successesSinceThrottle();
      boolean measured = random.nextBoolean();
      long duration =
          measured
              ? now - request.sentAt()
              : Duration.ofMillis(random.nextInt(random.nextBoolean() ? 3_000 : 30_000)).toNanos();
      policy.settled(
          request, measured ? Signal.success() : Signal.success(Duration.ofNanos(duration)), now);
      double seconds = duration / 1e9;
      averageSeconds =
          OptionalDouble.of(
              averageSeconds.isEmpty()
                  ? seconds
                  : 0.3 * seconds + 0.7 * averageSeconds.getAsDouble());
      if (echo(request)) {
        assertThat(statistics().successesSinceThrottle())
            .as(() -> where() + ": no recovery")
            .isEqualTo(counted);
      }
    }

    private void throttle(Request request, int before) {
      Duration wait = Duration.ofSeconds(random.nextInt(400));
      policy.settled(request, Signal.throttled(wait), now);
      throttles++;
      busyUntil(now + wait.toNanos());
      if (echo(request)) {
        assertThat(level()).as(() -> where() + ": an echo").isEqualTo(before);
        return;
      }
      decreased = true;
      lastDecrease = now;
      throttleCeiling = before * Math.clamp(1 - wait.toSeconds() / 600.0, 0.5, 1);
      throttleForgotten = now + wait.plusMinutes(5).toNanos();
      double kept = before * options.decreaseFactor();
      assertThat((double) level())
          .as(() -> where() + ": an episode")
          .isLessThanOrEqualTo(Math.max(kept + ROUNDING, least()));
    }

    private boolean echo(Request request) {
      return decreased && request.sentAt() - lastDecrease <= 0;
    }

    private Signal error() {
      return switch (random.nextInt(4)) {
        case 0 -> Signal.transientFailure(Signal.Transient.Kind.TRANSPORT);
        case 1 -> Signal.answered(Signal.Answered.Kind.DEADLOCK);
        case 2 -> Signal.stopped(Signal.Stopped.Reason.AUTH_FAILURE);
        default -> Signal.rejected(Signal.Rejected.Kind.INVALID);
      };
    }

    /** Every read is a check of the bounds. */
    private int level() {
      int level = policy.level(now);
      assertThat(level).as(this::where).isBetween(least(), max);
      assertThat((double) level)
          .as(() -> where() + ": " + averageSeconds)
          .isLessThanOrEqualTo(Math.max(least(), ceiling()));
      return level;
    }

    private double ceiling() {
      double seconds = averageSeconds.orElse(0);
      if (seconds * 1_000 < options.slowBatchThresholdMs() + ROUNDING) {
        return max;
      }
      double ceiling = options.executionTimeCeilingFactor() / seconds;
      return (now - throttleForgotten < 0 ? Math.min(ceiling, throttleCeiling) : ceiling)
          + ROUNDING;
    }

    private void busyUntil(long until) {
      idleSince = until - idleSince > 0 ? until : idleSince;
    }

    private int least() {
      return Math.min(options.minParallelism(), max);
    }

    private AdaptiveRateStatistics statistics() {
      return policy.statistics("lane", now, Instant.EPOCH);
    }

    private String where() {
      return "seed " + seed + ", event " + event;
    }
  }
}
