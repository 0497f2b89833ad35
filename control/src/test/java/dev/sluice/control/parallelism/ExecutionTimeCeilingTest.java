package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExecutionTimeCeilingTest {
  private static final long NOW = -7;
  private static final int HARD = 1_000;

  @Nested
  class Average {

    @Test
    void the_first_duration_is_the_average() {
      assertThat(ceilingAfter(1_300, 10_000)).isEqualTo(130);
    }

    @Test
    void each_further_one_weighs_three_tenths() {
      assertThat(ceilingAfter(1_300, 10_000, 20_000)).as("average 13 s").isEqualTo(100);
      assertThat(ceilingAfter(1_300, 10_000, 20_000, 3_000)).as("average 10 s").isEqualTo(130);
    }

    @Test
    void a_duration_of_zero_counts() {
      assertThat(ceilingAfter(70, 10_000, 0)).as("average 7 s").isEqualTo(10);
      assertThat(ceilingAfter(70, 0)).as("no time at all").isEqualTo(HARD);
      assertThat(ceilingAfter(70, 0, 10_000)).as("average 3 s").isEqualTo(23);
    }

    private int ceilingAfter(int factor, int... millis) {
      ExecutionTimeCeiling ceiling = new ExecutionTimeCeiling(factor, 0);
      for (int each : millis) {
        ceiling.record(Duration.ofMillis(each).toNanos());
      }
      return ceiling.effective(1, HARD, NOW);
    }
  }

  @Nested
  class Ceiling {

    @ParameterizedTest
    @CsvSource({"10000, 20", "12000, 16", "15000, 13", "8000, 25", "200000, 1"})
    void is_the_factor_over_the_average_seconds_rounded_down(int millis, int expected) {
      assertThat(balancedAfter(millis).effective(1, 52, NOW)).isEqualTo(expected);
    }

    @Test
    void is_at_least_the_minimum_and_at_most_hard() {
      assertThat(balancedAfter(400_000).effective(1, 52, NOW)).isEqualTo(1);
      assertThat(balancedAfter(400_000).effective(6, 52, NOW)).isEqualTo(6);
      assertThat(balancedAfter(10_000).effective(1, 14, NOW)).isEqualTo(14);
    }

    @Test
    void does_not_exist_before_a_duration_is_known() {
      assertThat(new ExecutionTimeCeiling(1, 0).effective(1, 52, NOW)).isEqualTo(52);
    }
  }

  @Nested
  class Threshold {

    @Test
    void an_average_of_exactly_the_threshold_is_slow() {
      ExecutionTimeCeiling ceiling = balancedAfter(8_000);
      assertThat(ceiling.effective(1, 52, NOW)).isEqualTo(25);
    }

    @Test
    void an_average_just_below_it_is_not() {
      ExecutionTimeCeiling ceiling = balanced();
      ceiling.record(Duration.ofSeconds(8).toNanos() - 1);
      assertThat(ceiling.effective(1, 52, NOW)).isEqualTo(52);
    }

    @ParameterizedTest
    @EnumSource
    void batches_of_exactly_the_threshold_stay_slow_however_many_there_are(Preset preset) {
      ExecutionTimeCeiling ceiling =
          new ExecutionTimeCeiling(
              preset.executionTimeCeilingFactor(), preset.slowBatchThresholdMs());
      for (int i = 0; i < 10_000; i++) {
        ceiling.record(Duration.ofMillis(preset.slowBatchThresholdMs()).toNanos());
        assertThat(ceiling.effective(1, 52, NOW)).isLessThan(52);
      }
    }
  }

  @Nested
  class Throttle {

    @ParameterizedTest(name = "level 40, retry after {0} s -> {1}")
    @CsvSource({"0, 40", "30, 38", "60, 36", "150, 30", "300, 20", "301, 20", "3600, 20"})
    void is_the_level_at_the_throttle_less_what_the_wait_says(long seconds, int expected) {
      ExecutionTimeCeiling ceiling = slowButRoomy();
      ceiling.throttled(40, Duration.ofSeconds(seconds).toNanos(), NOW);
      assertThat(ceiling.effective(1, HARD, NOW)).isEqualTo(expected);
    }

    @Test
    void is_at_least_the_minimum() {
      ExecutionTimeCeiling ceiling = slowButRoomy();
      ceiling.throttled(5, Duration.ofMinutes(10).toNanos(), NOW);
      assertThat(ceiling.effective(1, HARD, NOW)).as("floor(2.5)").isEqualTo(2);
      assertThat(ceiling.effective(4, HARD, NOW)).isEqualTo(4);
    }

    @Test
    void the_smaller_of_the_two_ceilings_counts() {
      ExecutionTimeCeiling ceiling = balancedAfter(10_000);
      ceiling.throttled(40, 0, NOW);
      assertThat(ceiling.effective(1, 52, NOW)).as("execution time").isEqualTo(20);
      ceiling.throttled(15, 0, NOW);
      assertThat(ceiling.effective(1, 52, NOW)).as("throttle").isEqualTo(15);
    }

    @Test
    void is_forgotten_five_minutes_after_the_wait() {
      ExecutionTimeCeiling ceiling = slowButRoomy();
      long wait = Duration.ofMinutes(1).toNanos();
      ceiling.throttled(40, wait, NOW);
      long forgotten = NOW + wait + Duration.ofMinutes(5).toNanos();
      assertThat(ceiling.effective(1, HARD, forgotten - 1)).isEqualTo(36);
      assertThat(ceiling.effective(1, HARD, forgotten)).isEqualTo(HARD);
    }

    @Test
    void the_last_one_counts() {
      ExecutionTimeCeiling ceiling = slowButRoomy();
      ceiling.throttled(20, 0, NOW);
      ceiling.throttled(30, 0, NOW + 1);
      assertThat(ceiling.effective(1, HARD, NOW + 1)).isEqualTo(30);
    }

    @Test
    void does_not_hold_down_fast_operations() {
      ExecutionTimeCeiling ceiling = balancedAfter(7_999);
      ceiling.throttled(10, 0, NOW);
      assertThat(ceiling.effective(1, 52, NOW)).isEqualTo(52);
    }

    /** Slow enough for the ceilings to apply, with an execution-time ceiling far above. */
    private ExecutionTimeCeiling slowButRoomy() {
      ExecutionTimeCeiling ceiling = new ExecutionTimeCeiling(1_000_000, 1_000);
      ceiling.record(Duration.ofSeconds(1).toNanos());
      return ceiling;
    }
  }

  @Test
  void clearing_forgets_average_and_throttle() {
    ExecutionTimeCeiling ceiling = balancedAfter(20_000);
    ceiling.throttled(5, 0, NOW);
    ceiling.clear();
    assertThat(ceiling.effective(1, 52, NOW)).isEqualTo(52);
    ceiling.record(Duration.ofSeconds(10).toNanos());
    assertThat(ceiling.effective(1, 52, NOW)).as("the new average alone").isEqualTo(20);
  }

  private static ExecutionTimeCeiling balanced() {
    return new ExecutionTimeCeiling(200, 8_000);
  }

  private static ExecutionTimeCeiling balancedAfter(int millis) {
    ExecutionTimeCeiling ceiling = balanced();
    ceiling.record(Duration.ofMillis(millis).toNanos());
    return ceiling;
  }

  /** The ceilings as a caller of the controller meets them. */
  @Nested
  class InTheController {
    private final Rig rig =
        new Rig(AdaptiveRateOptions.builder().initialParallelismFactor(1).build());

    @Test
    void applies_at_the_next_read_not_only_when_increasing() {
      assertThat(rig.level()).isEqualTo(52);
      rig.successes(1, Duration.ofSeconds(10));
      assertThat(rig.level()).isEqualTo(20);
      assertThat(rig.statistics().currentParallelism()).isEqualTo(20);
      assertThat(rig.statistics().maxParallelism()).isEqualTo(52);
    }

    @Test
    void fast_operations_run_uncapped() {
      rig.level();
      rig.successes(10, Duration.ofMillis(7_500));
      assertThat(rig.level()).isEqualTo(52);
    }

    @Test
    void lifts_when_operations_become_fast_again() {
      rig.level();
      rig.successes(1, Duration.ofSeconds(10));
      rig.successes(1, Duration.ofSeconds(2));
      assertThat(rig.level()).as("average 7.6 s").isEqualTo(52);
    }

    @Test
    void an_unknown_duration_leaves_the_average_alone() {
      rig.level();
      rig.successes(1, Duration.ofSeconds(10));
      rig.successes(2);
      assertThat(rig.level()).isEqualTo(20);
    }

    @Test
    void a_step_never_climbs_above_the_ceiling_in_force() {
      Rig fresh = new Rig();
      fresh.level();
      fresh.successes(1, Duration.ofSeconds(7).plusMillis(500));
      assertThat(fresh.level()).isEqualTo(26);
      for (int i = 0; i < 5; i++) {
        fresh.time.passSeconds(5);
        fresh.successes(3, Duration.ofSeconds(10));
        assertThat(fresh.level()).isLessThanOrEqualTo(26);
      }
      assertThat(fresh.level()).as("near 10 s each").isEqualTo(20);
      fresh.successes(20, Duration.ofSeconds(1));
      assertThat(fresh.level()).as("what was reached before, no more").isEqualTo(26);
    }

    @Test
    void a_throttle_caps_slow_operations_until_it_is_forgotten() {
      rig.level();
      rig.successes(1, Duration.ofSeconds(10));
      rig.throttle(Duration.ofMinutes(5));
      assertThat(rig.level()).as("half of 20").isEqualTo(10);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(18);
      rig.time.pass(Duration.ofMinutes(5));
      for (int i = 0; i < 4; i++) {
        rig.time.passSeconds(5);
        rig.successes(3, Duration.ofSeconds(10));
        assertThat(rig.level()).as("20 x (1 - 5/10)").isEqualTo(10);
      }
      rig.time.pass(Duration.ofMinutes(4).plusSeconds(40));
      rig.successes(3, Duration.ofSeconds(10));
      assertThat(rig.level()).as("forgotten").isEqualTo(12);
    }

    @Test
    void reset_clears_average_and_ceilings() {
      rig.level();
      rig.successes(1, Duration.ofSeconds(10));
      rig.throttle(Duration.ofMinutes(5));
      rig.controller.reset(Rig.APP);
      assertThat(rig.level()).isEqualTo(52);
      assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(1);
      rig.successes(1, Duration.ofSeconds(10));
      assertThat(rig.level()).as("no throttle ceiling left").isEqualTo(20);
    }
  }
}
