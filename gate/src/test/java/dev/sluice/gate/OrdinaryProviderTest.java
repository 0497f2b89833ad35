package dev.sluice.gate;

import static dev.sluice.gate.OrdinaryProvider.SECOND;
import static dev.sluice.gate.OrdinaryProvider.bucket;
import static dev.sluice.gate.OrdinaryProvider.fixed;
import static dev.sluice.gate.OrdinaryProvider.fixedFromFirst;
import static dev.sluice.gate.OrdinaryProvider.none;
import static dev.sluice.gate.OrdinaryProvider.sliding;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.OrdinaryProvider.Limit;
import dev.sluice.gate.OrdinaryProvider.Refusal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lane that knows nothing ({@link LaneOptions#learning()}) before the providers that people meet:
 * what is done in how long, and how much of it is refused.
 */
class OrdinaryProviderTest {
  private static final long MILLISECOND = 1_000_000L;
  private static final long ALL = Long.MAX_VALUE;

  private static LongUnaryOperator always(long latency) {
    return request -> latency;
  }

  /** What was played: the provider's books, and how many seconds it took. */
  private record Played(OrdinaryProvider provider, double seconds) {}

  /**
   * Callers in threads of their own ask until so many requests are done or the time is over. A call
   * that gives up is made again.
   */
  private static Played play(
      int threads, long requests, Duration longest, Function<Time, OrdinaryProvider> maker) {
    return SimulatedTime.with(7)
        .call(
            time -> {
              OrdinaryProvider provider = maker.apply(time);
              try (Gate gate = gate(time)) {
                List<Time.Task> tasks = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                  tasks.add(time.start("caller" + i, () -> askUntilDone(gate, provider, requests)));
                }
                for (Time.Task task : tasks) {
                  if (!task.join(Time.after(0, longest))) {
                    task.interrupt();
                    task.join();
                  }
                }
              }
              return new Played(provider, Gates.seconds(time));
            });
  }

  private static Gate gate(Time time) {
    return Gates.on(time).lane("api", LaneOptions.learning()).build();
  }

  private static void askUntilDone(Gate gate, OrdinaryProvider provider, long requests) {
    try {
      while (provider.done.size() < requests) {
        ask(gate, permit -> provider.send());
      }
    } catch (InterruptedException e) {
      // The time is over.
    }
  }

  /** One call, which may give up. */
  private static void ask(Gate gate, Call<Boolean, RuntimeException> call)
      throws InterruptedException {
    try {
      boolean unused = gate.call(Run.unbounded(), CallOptions.DEFAULTS.repeatable(), call);
    } catch (RefusedException e) {
      gate.time().sleep(Duration.ofMillis(100)); // an open circuit refuses at once
    }
  }

  private static Played minute(long latency, Limit limit) {
    return play(
        20,
        ALL,
        Duration.ofMinutes(1),
        time -> new OrdinaryProvider(time, limit, Refusal.RETRY_AFTER, always(latency)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 200})
  void the_first_minute_at_a_bucket_of_10_per_second_brings_500_of_600(long milliseconds) {
    OrdinaryProvider provider = minute(milliseconds * MILLISECOND, bucket(10, 10)).provider;
    assertThat(provider.done(0, 60)).isGreaterThanOrEqualTo(500);
    assertThat(provider.refusedShare()).isLessThanOrEqualTo(0.02);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_provider_that_refuses_one_in_twenty_by_chance_never_silences_the_lane(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    OrdinaryProvider provider =
        play(
                20,
                ALL,
                Duration.ofMinutes(3),
                time ->
                    new OrdinaryProvider(
                        time,
                        now -> random.nextInt(20) == 0 ? SECOND : 0,
                        Refusal.RETRY_AFTER,
                        always(50 * MILLISECOND)))
            .provider;
    assertThat(provider.refused).isGreaterThan(9);
    assertThat(provider.longestSilence()).isLessThan(10);
    assertThat(provider.suspends).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 200})
  void the_first_minute_at_10_in_each_second_brings_420_of_600(long milliseconds) {
    OrdinaryProvider provider = minute(milliseconds * MILLISECOND, fixed(10, SECOND)).provider;
    assertThat(provider.done(0, 60)).isGreaterThanOrEqualTo(420);
    assertThat(provider.refusedShare()).isLessThanOrEqualTo(0.03);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 200})
  void the_first_minute_at_600_in_any_minute_brings_560(long milliseconds) {
    OrdinaryProvider provider =
        minute(milliseconds * MILLISECOND, sliding(600, 60 * SECOND)).provider;
    assertThat(provider.done(0, 60)).isGreaterThanOrEqualTo(560);
    assertThat(provider.refusedShare()).isLessThanOrEqualTo(0.03);
  }

  @Test
  void after_20_seconds_nine_tenths_of_the_limit_are_used_and_so_for_an_hour() {
    OrdinaryProvider provider =
        play(
                20,
                ALL,
                Duration.ofHours(1),
                time ->
                    new OrdinaryProvider(
                        time, bucket(10, 10), Refusal.RETRY_AFTER, always(50 * MILLISECOND)))
            .provider;
    assertThat(provider.done(20, 80)).isGreaterThanOrEqualTo(540);
    assertThat(provider.done.size()).isGreaterThanOrEqualTo(36_000 * 95 / 100);
    assertThat(provider.refusedShare()).isLessThanOrEqualTo(0.005);
  }

  /** 1,500 requests of 50 ms, of which one may be late. */
  private static Played oneLate(long which, long late) {
    return play(
        4,
        1_500,
        Duration.ofHours(1),
        time ->
            new OrdinaryProvider(
                time,
                bucket(60, 60),
                Refusal.RETRY_AFTER,
                request -> request == which - 1 ? late : 50 * MILLISECOND));
  }

  @Test
  void one_answer_that_comes_late_costs_nothing_but_that_delay() {
    double none = oneLate(0, 0).seconds;
    double by20 = oneLate(15, 20 * SECOND).seconds;
    double by2 = oneLate(30, 2 * SECOND).seconds;
    // One of the four callers waits meanwhile.
    assertThat(by20 - none).isLessThanOrEqualTo(20.0 / 4 + 1);
    assertThat(by2 - none).isLessThanOrEqualTo(2.0 / 4 + 0.5);
  }

  @Test
  void a_process_that_stands_still_for_30_seconds_loses_30_seconds() {
    double usual = standing(Long.MAX_VALUE / 2).seconds;
    double stopped = standing(10 * SECOND).seconds;
    assertThat(stopped - usual).isLessThanOrEqualTo(32);
  }

  /** Every answer that was due in the 30 s is noticed when they are over. */
  private static Played standing(long from) {
    return play(
        4,
        1_500,
        Duration.ofHours(1),
        time ->
            new OrdinaryProvider(
                time,
                bucket(60, 60),
                Refusal.RETRY_AFTER,
                request -> {
                  long due = time.nanos() + 50 * MILLISECOND;
                  boolean stands = due >= from && due < from + 30 * SECOND;
                  return (stands ? from + 30 * SECOND : due) - time.nanos();
                }));
  }

  @Test
  void a_url_that_always_answers_500_is_noticed_by_nobody_else() {
    Played without = besideOneBadUrl(false);
    Played with = besideOneBadUrl(true);
    assertThat(with.seconds).isLessThanOrEqualTo(1.1 * without.seconds);
    assertThat(with.provider.longestSilence()).as("a told wait of 1 s").isLessThan(1.1);
  }

  /**
   * 2,000 requests of five callers; a sixth asks for nothing but the bad URL, after 30 good ones.
   */
  private static Played besideOneBadUrl(boolean bad) {
    return SimulatedTime.with(7)
        .call(
            time -> {
              OrdinaryProvider provider =
                  new OrdinaryProvider(
                      time, bucket(60, 60), Refusal.RETRY_AFTER, always(50 * MILLISECOND));
              try (Gate gate = gate(time)) {
                List<Time.Task> tasks = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                  tasks.add(time.start("caller" + i, () -> askUntilDone(gate, provider, 2_000)));
                }
                if (bad) {
                  tasks.add(time.start("bad", () -> askForTheBadUrl(time, gate, provider)));
                }
                Gates.joinAll(tasks);
              }
              return new Played(provider, Gates.seconds(time));
            });
  }

  private static void askForTheBadUrl(Time time, Gate gate, OrdinaryProvider provider) {
    Signal failed = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
    try {
      while (provider.done.size() < 2_000) {
        if (provider.done.size() < 30) {
          time.sleep(Duration.ofMillis(50));
        } else {
          ask(
              gate,
              permit -> {
                time.sleep(Duration.ofMillis(50));
                return new Call.Reply<>(false, failed);
              });
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void latency_with_noise_is_no_slow_down(long seed) {
    Random random = new Random(seed);
    double calm = ofLatency(always((long) (50 * MILLISECOND * Math.exp(0.18)))).seconds; // the mean
    double noisy =
        ofLatency(request -> (long) (50 * MILLISECOND * Math.exp(0.6 * random.nextGaussian())))
            .seconds;
    assertThat(noisy).isLessThanOrEqualTo(1.3 * calm);
    assertThat(calm).isLessThanOrEqualTo(1.3 * 2_000 * 0.06 / 8);
  }

  private static Played ofLatency(LongUnaryOperator latency) {
    return play(
        8,
        2_000,
        Duration.ofHours(1),
        time -> new OrdinaryProvider(time, none(), Refusal.RETRY_AFTER, latency));
  }

  @Test
  void nine_tenths_of_1000_per_second_at_200_ms_are_reached_within_a_minute() {
    OrdinaryProvider provider =
        play(
                500,
                ALL,
                Duration.ofSeconds(70),
                time ->
                    new OrdinaryProvider(
                        time, bucket(1_000, 1_000), Refusal.RETRY_AFTER, always(200 * MILLISECOND)))
            .provider;
    assertThat(provider.done(60, 70)).isGreaterThanOrEqualTo(9_000);
    assertThat(provider.suspends).isFalse();
  }

  @Test
  void latency_that_triples_for_good_costs_half_at_most_and_nothing_after_5_minutes() {
    long before = 5 * 60 * 20; // requests
    OrdinaryProvider provider =
        play(
                20,
                ALL,
                Duration.ofMinutes(14),
                time ->
                    new OrdinaryProvider(
                        time,
                        bucket(20, 20),
                        Refusal.RETRY_AFTER,
                        request -> (request < before ? 50 : 150) * MILLISECOND))
            .provider;
    double changed = (double) provider.done.get((int) before) / SECOND;
    double proven = provider.done(changed - 60, changed) / 60.0;
    for (double from = changed; from + 60 < 14 * 60; from += 60) {
      double rate = provider.done(from, from + 60) / 60.0;
      assertThat(rate).as("from %s s", from).isGreaterThanOrEqualTo(0.49 * proven);
      if (from >= changed + 5 * 60) {
        assertThat(rate).as("from %s s", from).isGreaterThanOrEqualTo(0.9 * proven);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BARE_429", "BARE_503"})
  void a_limiter_that_tells_no_wait_is_probed_and_never_left_alone(Refusal refusal) {
    OrdinaryProvider provider =
        play(
                20,
                ALL,
                Duration.ofMinutes(10),
                time ->
                    new OrdinaryProvider(time, bucket(10, 10), refusal, always(50 * MILLISECOND)))
            .provider;
    assertThat(provider.longestSilence())
        .as("the first probe comes after a second")
        .isLessThan(1.2);
    assertThat(provider.done.size()).isGreaterThanOrEqualTo(6_000 * 9 / 10);
    assertThat(provider.refusedShare()).isLessThanOrEqualTo(0.01);
  }

  /** What express-rate-limit does without its headers: 100 per 10 s are 200 s for 2,020. */
  @ParameterizedTest
  @ValueSource(longs = {2, 20, 200})
  void two_thousand_requests_at_windows_that_begin_with_a_request_take_230_seconds(
      long milliseconds) {
    Played played =
        play(
            8,
            2_020,
            Duration.ofHours(1),
            time ->
                new OrdinaryProvider(
                    time,
                    fixedFromFirst(100, 10 * SECOND),
                    Refusal.BARE_429,
                    always(milliseconds * MILLISECOND)));
    assertThat(played.seconds).isLessThanOrEqualTo(230);
    assertThat(played.provider.refusedShare()).isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void a_provider_that_refuses_everything_for_an_hour_is_probed_and_found_open_again(
      Refusal refusal) {
    OrdinaryProvider provider = closed(Duration.ofHours(1), refusal);
    double open = 60 + 3_600;
    long probes = provider.sent(60, open);
    assertThat(probes)
        .as("told: 9 in a minute; bare: pauses that double, up to a tenth of the time closed")
        .isLessThanOrEqualTo(refusal == Refusal.RETRY_AFTER ? 9 * 60 + 9 : 45);
    assertThat(provider.done(open, open + 360 + 5)).isPositive();
    assertThat(provider.done(open + 420, open + 480)).isGreaterThanOrEqualTo(540);
    assertThat(provider.suspends).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void after_ten_minutes_of_refusals_it_is_back_within_two_minutes(Refusal refusal) {
    OrdinaryProvider provider = closed(Duration.ofMinutes(10), refusal);
    double open = 60 + 600;
    assertThat(provider.done(open, open + 65)).as("a probe each minute").isPositive();
    assertThat(provider.done(open + 120, open + 180)).isGreaterThanOrEqualTo(540);
    assertThat(provider.suspends).isFalse();
  }

  /** A minute of 10 per second, then nothing for so long, then 10 minutes of 10 per second. */
  private static OrdinaryProvider closed(Duration length, Refusal refusal) {
    long from = 60 * SECOND;
    long to = from + length.toNanos();
    Limit bucket = bucket(10, 10);
    return play(
            20,
            ALL,
            length.plusMinutes(11),
            time ->
                new OrdinaryProvider(
                    time,
                    now -> now >= from && now < to ? SECOND : bucket.ask(now),
                    refusal,
                    always(50 * MILLISECOND)))
        .provider;
  }

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void no_limiter_drawn_by_chance_would_suspend_it(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Refusal refusal =
        List.of(Refusal.RETRY_AFTER, Refusal.BARE_429, Refusal.BARE_503).get(random.nextInt(3));
    long latency = (long) (MILLISECOND * Math.pow(2_000, random.nextDouble()));
    double rate = 0.5 * Math.pow(60, random.nextDouble());
    long period = List.of(1, 10, 60, 300).get(random.nextInt(4)) * SECOND;
    int size = (int) Math.max(1, rate * period / SECOND);
    Limit limit =
        switch (random.nextInt(3)) {
          case 0 -> bucket(rate, Math.max(1, rate * random.nextInt(1, 60)));
          case 1 -> fixed(size, period);
          default -> sliding(size, period);
        };
    OrdinaryProvider provider =
        play(
                50,
                ALL,
                Duration.ofMinutes(20),
                time -> new OrdinaryProvider(time, limit, refusal, always(latency)))
            .provider;
    assertThat(provider.suspends).isFalse();
  }

  @Test
  void five_cancelled_calls_change_nothing() {
    SimulatedTime.run(
        7,
        time -> {
          try (Gate gate = gate(time)) {
            for (int i = 0; i < 5; i++) {
              gate.acquire().settle(Signal.success());
            }
            LaneStatistics before = gate.statistics().lanes().getFirst();
            for (int i = 0; i < 5; i++) {
              gate.acquire().settle(Signal.CANCELLED);
            }
            LaneStatistics after = gate.statistics().lanes().getFirst();
            assertThat(after.rate()).isEqualTo(before.rate());
            assertThat(after.parallelism()).isEqualTo(before.parallelism());
            assertThat(after.circuit()).isEqualTo(CircuitState.CLOSED);
            assertThat(gate.tryAcquire(Run.unbounded())).isNull(); // only its pace
            time.sleep(Duration.ofSeconds(1));
            assertThat(gate.tryAcquire(Run.unbounded())).isNotNull();
          }
        });
  }
}
