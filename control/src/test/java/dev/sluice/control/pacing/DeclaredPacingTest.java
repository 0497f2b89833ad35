package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneRun;
import dev.sluice.control.lane.LaneRun.Reply;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code pacing:} in a connector makes of ordinary providers, in given time. */
class DeclaredPacingTest {
  private static final long SECOND = SECONDS.toNanos(1);
  private static final long MILLI = MILLISECONDS.toNanos(1);

  /** {@code pacing: {start: 10/s, ceiling: …}}, as a connector builds it. */
  private static LaneOptions declared(double ceiling) {
    return LaneOptions.paced(
        PacerOptions.builder().coldStart(10).ceiling(ceiling).maxInFlight(4).build());
  }

  private static LaneRun.Provider healthy(long latency) {
    return (item, now) -> new Reply(Signal.success(), latency);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 50, 150})
  void a_declared_ceiling_is_reached_quickly_and_a_bucket_with_that_limit_refuses_nothing(
      long latency) {
    LaneRun run =
        new LaneRun(declared(20), new Bucket(20, 10, latency * MILLI, Optional.empty()))
            .requests(2_000);
    assertThat(run.now / 1e9).isLessThan(1.25 * 100);
    assertThat(run.refused).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 50, 150})
  void a_limiter_that_delays_what_is_too_fast_is_used_to_four_fifths(long latency) {
    LaneRun run = new LaneRun(declared(20), new Leaky(20, 10, latency * MILLI)).requests(2_000);
    assertThat(run.now / 1e9).isLessThan(1.25 * 100);
    assertThat(run.refused).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1,true", "50,true", "150,true", "1,false", "50,false", "150,false"})
  void a_limit_below_the_ceiling_is_found_with_less_than_one_percent_refused(
      long latency, boolean told) {
    Optional<Duration> wait = told ? Optional.of(Duration.ofSeconds(1)) : Optional.empty();
    LaneRun run =
        new LaneRun(declared(1_000), new Bucket(20, 10, latency * MILLI, wait)).requests(2_000);
    assertThat(run.now / 1e9).isLessThan(1.25 * 100);
    assertThat(run.refused).isLessThan(20);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void short_latencies_that_vary_are_no_slow_down(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Bucket bucket = new Bucket(20, 10, 0, Optional.empty());
    LaneRun run =
        new LaneRun(
                declared(20),
                (item, now) ->
                    new Reply(
                        bucket.reply(item, now).signal(),
                        (long) (MILLI * Math.exp(random.nextGaussian()))))
            .requests(2_000);
    assertThat(run.now / 1e9).isLessThan(1.25 * 100);
    assertThat(run.refused).isZero();
  }

  @Test
  void random_errors_and_bad_objects_leave_the_pace_alone() {
    SplittableRandom random = new SplittableRandom(5);
    Signal[] errors = {
      Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR),
      Signal.transientFailure(Signal.Transient.Kind.TRANSPORT),
      Signal.transientFailure(Signal.Transient.Kind.REQUEST_TIMEOUT),
      Signal.CANCELLED
    };
    LaneRun run =
        new LaneRun(
                declared(20),
                (item, now) ->
                    new Reply(
                        random.nextInt(100) < 5 ? errors[random.nextInt(4)] : Signal.success(),
                        50 * MILLI))
            .requests(2_000);
    assertThat(run.now / 1e9).isLessThan(1.15 * 100);
    assertThat(run.lane().rate()).isEqualTo(20);
  }

  @Test
  void a_latency_that_triples_for_good_costs_at_most_half_and_becomes_normal_within_5_minutes() {
    LaneRun run =
        new LaneRun(
            declared(20),
            (item, now) -> new Reply(Signal.success(), (now < 120 * SECOND ? 50 : 150) * MILLI));
    run.until(120 * SECOND);
    assertThat(run.lane().rate()).isEqualTo(20);
    boolean slowed = false;
    for (long end = 121; end <= 420; end++) {
      run.until(end * SECOND);
      assertThat(run.lane().rate()).isGreaterThanOrEqualTo(10);
      slowed |= run.lane().rate() == 10;
    }
    assertThat(slowed).as("it was noticed").isTrue();
    int before = run.done;
    run.until(480 * SECOND);
    assertThat((run.done - before) / 60.0).as("within 5 minutes").isGreaterThan(19.5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noise_in_the_latency_is_no_slow_down(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LaneRun run =
        new LaneRun(
                LaneOptions.paced(
                    PacerOptions.builder().coldStart(10).ceiling(100).maxInFlight(16).build()),
                (item, now) ->
                    new Reply(
                        Signal.success(),
                        (long) (50 * MILLI * Math.exp(0.6 * random.nextGaussian()))))
            .requests(6_000);
    assertThat(run.now / 1e9).isLessThan(1.3 * 60);
  }

  @ParameterizedTest
  @CsvSource({"15,20000", "30,2000", "700,20000"})
  void one_late_answer_costs_nothing_but_its_delay(int late, long millis) {
    LaneRun run =
        new LaneRun(
                declared(20),
                (item, now) -> new Reply(Signal.success(), (item == late ? millis : 50) * MILLI))
            .requests(1_500);
    LaneRun without = new LaneRun(declared(20), healthy(50 * MILLI)).requests(1_500);
    assertThat(run.now - without.now).isLessThan(3 * SECOND);
  }

  @Test
  void a_process_that_stood_still_for_30_seconds_with_all_its_requests_loses_30_seconds() {
    LaneOptions sixteen =
        LaneOptions.paced(PacerOptions.builder().coldStart(10).ceiling(20).build());
    LaneRun.Provider slow = healthy(700 * MILLI); // 14 in flight
    LaneRun run = new LaneRun(sixteen, slow).standStill(30 * SECOND, 30 * SECOND).requests(1_500);
    LaneRun without = new LaneRun(sixteen, slow).requests(1_500);
    assertThat(run.now - without.now).isLessThan(31 * SECOND);
  }

  // ---- what one run hands to the next

  @Test
  void what_was_proven_counts_less_from_day_to_day_and_there_is_no_cliff() {
    PacerOptions options = PacerOptions.builder().coldStart(1).build();
    double before = 15;
    for (int hours = 0; hours <= 200; hours++) {
      WarmStart proven = new WarmStart(15, -HOURS.toNanos(hours));
      double rate = new AdaptivePacer(options, proven, 0).rate();
      assertThat(rate).as("after %d h", hours).isBetween(before - 0.1, before);
      before = rate;
    }
    assertThat(before).as("after a week it is forgotten").isEqualTo(1);
    assertThat(new AdaptivePacer(options, new WarmStart(15, -HOURS.toNanos(24)), 0).rate())
        .as("yesterday's")
        .isEqualTo(13);
  }

  @Test
  void what_was_proven_below_the_declared_start_comes_back_to_it_with_time() {
    PacerOptions options = PacerOptions.builder().coldStart(10).build();
    assertThat(new AdaptivePacer(options, new WarmStart(3, 0), 0).rate()).isEqualTo(3);
    assertThat(new AdaptivePacer(options, new WarmStart(3, -HOURS.toNanos(84)), 0).rate())
        .isEqualTo(6.5);
  }

  @Test
  void a_bad_run_does_not_poison_the_next() {
    PacerOptions options = PacerOptions.builder().coldStart(10).ceiling(20).maxInFlight(4).build();
    PacedPolicy[] made = new PacedPolicy[1];
    LaneRun run =
        new LaneRun(
            LaneOptions.of(now -> made[0] = new PacedPolicy(options, now)),
            (item, now) -> {
              long second = now / SECOND;
              return second < 60
                  ? new Reply(Signal.success(), 50 * MILLI)
                  : second < 120 // slow
                      ? new Reply(Signal.success(), 200 * MILLI)
                      : new Reply( // unwell
                          second % 10 < 9
                              ? Signal.success()
                              : Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE),
                          50 * MILLI);
            });
    run.until(180 * SECOND);
    assertThat(made[0].pacer().rate()).as("frightened").isLessThan(15);
    assertThat(made[0].pacer().proven().orElseThrow().rate()).isGreaterThan(18);
  }

  /** A token bucket: what does not find a token is refused. */
  private static final class Bucket implements LaneRun.Provider {
    private final double perSecond;
    private final double size;
    private final long latency;
    private final Signal refusal;
    private double tokens;
    private long at;

    Bucket(double perSecond, double size, long latency, Optional<Duration> retryAfter) {
      this.perSecond = perSecond;
      this.size = size;
      this.latency = latency;
      this.refusal = retryAfter.map(Signal::throttled).orElseGet(Signal::throttled);
      this.tokens = size;
    }

    @Override
    public Reply reply(int item, long now) {
      tokens = Math.min(size, tokens + (now - at) / 1e9 * perSecond);
      at = now;
      if (tokens < 1) {
        return new Reply(refusal, latency);
      }
      tokens--;
      return new Reply(Signal.success(), latency);
    }
  }

  /** nginx {@code limit_req} without {@code nodelay}, which counts in whole milliseconds. */
  private static final class Leaky implements LaneRun.Provider {
    private final double perSecond;
    private final double burst;
    private final long latency;
    private double excess;
    private long at;

    Leaky(double perSecond, double burst, long latency) {
      this.perSecond = perSecond;
      this.burst = burst;
      this.latency = latency;
    }

    @Override
    public Reply reply(int item, long now) {
      long millis = now / MILLI;
      double next = Math.max(0, excess - (millis - at) / 1e3 * perSecond + 1);
      if (at == 0 && excess == 0) {
        next = 0;
      }
      if (next > burst) {
        return new Reply(Signal.throttled(), latency);
      }
      excess = next;
      at = millis;
      return new Reply(Signal.success(), latency + (long) (excess / perSecond * SECOND));
    }
  }
}
