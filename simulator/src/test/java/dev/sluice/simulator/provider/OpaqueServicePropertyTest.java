package dev.sluice.simulator.provider;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OpaqueServicePropertyTest {
  private static final long MINUTE = MINUTES.toNanos(1);
  private static final long SECOND = SECONDS.toNanos(1);

  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoever_waits_as_long_as_told_and_is_alone_is_admitted(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    OpaqueService service = new OpaqueService(drawn(random), seed, 0);
    long now = 0;
    for (int i = 0; i < 500; i++) {
      now += random.nextLong(SECOND / 10);
      Verdict verdict = service.arrive(now);
      if (!verdict.admitted()) {
        now += verdict.retryAfter();
        verdict = service.arrive(now);
        assertThat(verdict.admitted()).as("request %d, at %d", i, now).isTrue();
      }
      now += verdict.duration();
      service.finish(now);
    }
  }

  /** Any limits, well signalled, with neither neighbour nor changes. */
  private static ServiceOptions drawn(SplittableRandom random) {
    List<String> limits = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      limits.add(
          switch (random.nextInt(5)) {
            case 0 -> "%d/%ds".formatted(random.nextInt(1, 50), random.nextInt(1, 60));
            case 1 -> "first:%d/%ds".formatted(random.nextInt(1, 50), random.nextInt(1, 60));
            case 2 -> "sliding:%d/%ds".formatted(random.nextInt(1, 50), random.nextInt(1, 60));
            case 3 ->
                "bucket:%d:%d/%ds"
                    .formatted(random.nextInt(1, 50), random.nextInt(1, 50), random.nextInt(1, 60));
            default -> "concurrent:%d".formatted(random.nextInt(1, 5));
          });
    }
    return OpaqueServiceTest.limited(String.join(",", limits))
        .withLatency(Duration.ofMillis(20), 0.5);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_slow_service_never_serves_more_than_its_limit(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ServiceOptions options =
        OpaqueServiceTest.limited("sliding:20/10s")
            .withSignal(Signal.SLOW_DOWN)
            .withLatency(Duration.ZERO, 0)
            .withNeighbour(random.nextBoolean() ? 0 : 0.3);
    OpaqueService service = new OpaqueService(options, seed, 0);
    PriorityQueue<Long> ends = new PriorityQueue<>();
    List<Long> served = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 1_000; i++) {
      now += random.nextLong(SECOND);
      while (!ends.isEmpty() && ends.element() <= now) {
        service.finish(ends.remove());
      }
      Verdict verdict = service.arrive(now);
      if (verdict.admitted()) {
        served.add(now + verdict.duration());
        ends.add(now + verdict.duration());
      }
    }
    assertThat(served).isSorted().hasSizeGreaterThan(500);
    for (int i = 20; i < served.size(); i++) {
      assertThat(served.get(i) - served.get(i - 20)).isGreaterThanOrEqualTo(10 * SECOND);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_neighbour_takes_its_share_and_is_the_same_whatever_the_client_does(long seed) {
    ServiceOptions options = OpaqueServiceTest.limited("bucket:100:600/1m").withNeighbour(0.3);
    OpaqueService alone = new OpaqueService(options, seed, 0);
    OpaqueService shared = new OpaqueService(options, seed, 0);
    long hour = 60 * MINUTE;
    for (long now = 0; now <= hour; now += SECOND / 20) {
      if (shared.arrive(now).admitted()) {
        shared.finish(now);
      }
      if (now % MINUTE == 0) {
        long unused = alone.left(now);
      }
    }
    long asked = alone.counters().neighbourAdmitted() + alone.counters().neighbourRefused();
    assertThat((double) asked).isBetween(0.3 * 36_000 - 700, 0.3 * 36_000 + 700); // 6.7 deviations
    assertThat(shared.counters().neighbourAdmitted() + shared.counters().neighbourRefused())
        .isEqualTo(asked);
    assertThat(shared.counters().admitted() + shared.counters().neighbourAdmitted())
        .isBetween(35_900L, 36_100L);
    assertThat(shared.counters().neighbourRefused()).isPositive();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_neighbour_holds_slots_only_while_its_requests_run(long seed) {
    ServiceOptions options =
        OpaqueServiceTest.limited("concurrent:10")
            .withLatency(Duration.ofSeconds(1), 0)
            .withNeighbour(0.5);
    OpaqueService service = new OpaqueService(options, seed, 0);
    long sum = 0;
    for (int i = 0; i < 10_000; i++) {
      sum += 10 - service.left(i * SECOND);
      assertThat(service.inFlight()).isBetween(0, 10);
    }
    assertThat(sum / 10_000.0).isBetween(4.5, 5.1); // 5 wanted, some refused
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void suspension_agrees_with_a_recount_of_the_last_minute(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ServiceOptions options =
        OpaqueServiceTest.limited("sliding:%d/10s".formatted(random.nextInt(5, 40)))
            .withSuspension(new Suspension(0.2, Duration.ofMinutes(1), random.nextInt(1, 40)));
    OpaqueService service = new OpaqueService(options, seed, 0);
    List<Long> all = new ArrayList<>();
    List<Long> throttled = new ArrayList<>();
    long now = 0;
    boolean suspended = false;
    for (int i = 0; i < 5_000 && !suspended; i++) {
      now += random.nextLong(random.nextInt(100) == 0 ? MINUTE : SECOND);
      boolean admitted = service.arrive(now).admitted();
      all.add(now);
      if (!admitted) {
        throttled.add(now);
      }
      long recent = ofTheLastMinute(throttled, now);
      suspended =
          recent >= options.suspension().least() && recent > 0.2 * ofTheLastMinute(all, now);
      assertThat(service.suspended()).as("request %d", i).isEqualTo(suspended);
    }
  }

  private static long ofTheLastMinute(List<Long> times, long now) {
    return times.stream().filter(at -> now - at < MINUTE).count();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void equal_seeds_give_equal_verdicts(long seed) {
    ServiceOptions options =
        OpaqueServiceTest.limited("sliding:50/10s,concurrent:5")
            .withNeighbour(0.4)
            .withLatency(Duration.ofMillis(100), 0.5);
    assertThat(verdicts(options, seed)).isEqualTo(verdicts(options, seed));
    assertThat(verdicts(options, seed)).isNotEqualTo(verdicts(options, seed + 1));
  }

  private static List<Verdict> verdicts(ServiceOptions options, long seed) {
    OpaqueService service = new OpaqueService(options, seed, 0);
    List<Verdict> verdicts = new ArrayList<>();
    for (long now = 0; now < MINUTE; now += SECOND / 10) {
      Verdict verdict = service.arrive(now);
      verdicts.add(verdict);
      if (verdict.admitted()) {
        service.finish(now);
      }
    }
    return verdicts;
  }
}
