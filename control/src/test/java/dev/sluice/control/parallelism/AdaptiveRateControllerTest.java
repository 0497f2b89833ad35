package dev.sluice.control.parallelism;

import static dev.sluice.control.parallelism.Rig.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The nine groups of the adaptive rate document's unit tests, and what it leaves open. */
class AdaptiveRateControllerTest {
  private static final Duration NANO = Duration.ofNanos(1);

  @Nested
  class Initialization {

    @ParameterizedTest
    @CsvSource({"52, 0.5, 26", "51, 0.5, 25", "52, 1.0, 52", "100, 0.29, 29", "10, 0.1, 1"})
    void starts_at_the_factor_of_max_rounded_down(int max, double factor, int expected) {
      Rig rig = new Rig(AdaptiveRateOptions.builder().initialParallelismFactor(factor).build());
      assertThat(rig.level(max)).isEqualTo(expected);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(expected);
    }

    @Test
    void is_the_recommended_parallelism_when_switched_off() {
      Rig rig = new Rig(AdaptiveRateOptions.builder().enabled(false).build());
      assertThat(rig.level()).isEqualTo(52);
      rig.throttle();
      assertThat(rig.level()).isEqualTo(52);
      assertThat(rig.level(20)).isEqualTo(20);
      assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(1);
    }
  }

  @Nested
  class IncreaseLogic {

    @Test
    void needs_the_stabilization_batches_even_if_the_interval_has_passed() {
      Rig rig = new Rig();
      rig.level();
      rig.time.passSeconds(60);
      rig.successes(2);
      assertThat(rig.level()).isEqualTo(26);
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(28);
    }

    @Test
    void needs_the_interval_even_if_there_are_successes_enough() {
      Rig rig = new Rig();
      rig.level();
      rig.time.pass(Duration.ofSeconds(5).minus(NANO));
      rig.successes(100);
      assertThat(rig.level()).isEqualTo(26);
      rig.time.pass(NANO);
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(28);
    }

    @Test
    void counts_and_waits_anew_after_each_increase() {
      Rig rig = new Rig();
      rig.level();
      assertThat(rig.step()).isEqualTo(28);
      rig.successes(50);
      assertThat(rig.level()).as("no time has passed").isEqualTo(28);
      rig.time.pass(Duration.ofSeconds(5).minus(NANO));
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(28);
      rig.time.pass(NANO);
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(30);
      rig.time.passSeconds(5);
      rig.successes(2);
      assertThat(rig.level()).as("two of three").isEqualTo(30);
    }

    @Test
    void follows_its_options() {
      Rig rig =
          new Rig(
              AdaptiveRateOptions.builder()
                  .increaseRate(5)
                  .stabilizationBatches(1)
                  .minIncreaseInterval(Duration.ZERO)
                  .build());
      rig.level();
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(31);
      rig.successes(2);
      assertThat(rig.level()).isEqualTo(41);
    }
  }

  @Nested
  class DecreaseLogic {

    @Test
    void a_throttle_keeps_the_decrease_factor_of_the_level() {
      Rig rig = new Rig();
      rig.level();
      rig.throttle();
      assertThat(rig.level()).isEqualTo(13);
      rig.throttle();
      assertThat(rig.level()).as("rounded down").isEqualTo(6);
    }

    @Test
    void a_throttle_remembers_the_level_one_step_below() {
      Rig rig = new Rig();
      rig.level();
      rig.throttle();
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(24);
    }

    @Test
    void a_throttle_starts_the_count_of_successes_again() {
      Rig rig = new Rig();
      rig.level();
      rig.time.passSeconds(10);
      rig.successes(2);
      rig.throttle();
      rig.successes(2);
      assertThat(rig.level()).isEqualTo(13);
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(17);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 5", "0.29, 15", "0.9, 46"})
    void follows_its_option(double factor, int expected) {
      Rig rig =
          new Rig(
              AdaptiveRateOptions.builder()
                  .initialParallelismFactor(1)
                  .decreaseFactor(factor)
                  .build());
      rig.level();
      rig.throttle();
      assertThat(rig.level()).isEqualTo(expected);
    }
  }

  @Nested
  class FastRecovery {

    @Test
    void doubles_the_increase_below_last_known_good() {
      Rig rig = new Rig();
      rig.level();
      rig.throttle();
      assertThat(rig.level()).isEqualTo(13);
      assertThat(rig.step()).isEqualTo(17);
      assertThat(rig.step()).isEqualTo(21);
      assertThat(rig.step()).as("21 is still below 24").isEqualTo(25);
      assertThat(rig.step()).as("25 is not").isEqualTo(27);
    }

    @Test
    void is_over_exactly_at_last_known_good() {
      Rig rig = new Rig(AdaptiveRateOptions.builder().initialParallelismFactor(1).build());
      assertThat(rig.level(20)).isEqualTo(20);
      rig.throttle();
      assertThat(rig.level(20)).isEqualTo(10);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(18);
      for (int expected : new int[] {14, 18, 20}) {
        rig.time.passSeconds(5);
        rig.successes(3);
        assertThat(rig.level(20)).isEqualTo(expected);
      }
    }
  }

  @Nested
  class Probing {

    @Test
    void adds_the_plain_increase_at_last_known_good_and_above() {
      Rig rig = new Rig();
      rig.level();
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(26);
      assertThat(rig.step()).isEqualTo(28);
      assertThat(rig.step()).isEqualTo(30);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(26);
    }
  }

  @Nested
  class TtlExpiry {

    @Test
    void a_stale_last_known_good_no_longer_makes_recovery_fast() {
      Rig rig = new Rig();
      rig.level();
      rig.throttle();
      rig.time.pass(Duration.ofMinutes(5).plus(NANO));
      rig.successes(3);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(13);
      assertThat(rig.statistics().currentParallelism()).isEqualTo(15);
    }

    @Test
    void at_exactly_its_time_to_live_it_is_still_believed() {
      Rig rig = new Rig();
      rig.level();
      rig.throttle();
      rig.time.pass(Duration.ofMinutes(5));
      rig.successes(3);
      assertThat(rig.statistics().currentParallelism()).isEqualTo(17);
    }

    @Test
    void follows_its_option() {
      Rig rig =
          new Rig(AdaptiveRateOptions.builder().lastKnownGoodTtl(Duration.ofSeconds(7)).build());
      rig.level();
      rig.throttle();
      assertThat(rig.step()).as("5 s old").isEqualTo(17);
      assertThat(rig.step()).as("10 s old").isEqualTo(19);
    }
  }

  @Nested
  class IdleReset {

    @Test
    void starts_afresh_after_the_idle_period() {
      Rig rig = new Rig();
      rig.level();
      rig.step();
      rig.throttle();
      assertThat(rig.level()).isEqualTo(14);
      rig.time.pass(Duration.ofMinutes(5).plus(NANO));
      assertThat(rig.level()).isEqualTo(26);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(26);
      assertThat(rig.statistics().successesSinceThrottle()).isZero();
      assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(1);
    }

    @Test
    void at_exactly_the_idle_period_it_goes_on() {
      Rig rig = new Rig();
      rig.level();
      rig.step();
      rig.time.pass(Duration.ofMinutes(5));
      assertThat(rig.level()).isEqualTo(28);
    }

    @Test
    void counts_the_interval_to_the_first_increase_from_the_reset() {
      Rig rig = new Rig();
      rig.level();
      rig.time.pass(Duration.ofMinutes(6));
      rig.level();
      rig.successes(3);
      assertThat(rig.level()).isEqualTo(26);
      assertThat(rig.step()).isEqualTo(28);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask", "success", "throttle"})
    void anything_that_happens_puts_it_off(String what) {
      Rig rig = new Rig(AdaptiveRateOptions.builder().initialParallelismFactor(1).build());
      rig.level();
      rig.throttle();
      rig.time.pass(Duration.ofMinutes(4));
      switch (what) {
        case "ask" -> rig.level();
        case "success" -> rig.successes(1);
        default -> rig.throttle();
      }
      rig.time.pass(Duration.ofMinutes(4));
      assertThat(rig.level()).isLessThan(52);
    }

    @Test
    void follows_its_option() {
      Rig rig =
          new Rig(AdaptiveRateOptions.builder().idleResetPeriod(Duration.ofSeconds(20)).build());
      rig.level();
      rig.throttle();
      rig.time.passSeconds(20);
      assertThat(rig.level()).isEqualTo(13);
      rig.time.passSeconds(21);
      assertThat(rig.level()).isEqualTo(26);
    }
  }

  /** Single interleavings are checked in {@link AdaptiveRateControllerLincheckTest}. */
  @Nested
  class ThreadSafety {
    private static final int THREADS = 8;
    private static final int EACH = 20_000;

    @Test
    void nothing_told_by_many_threads_at_once_is_lost() throws Exception {
      Rig rig = new Rig(AdaptiveRateOptions.builder().stabilizationBatches(1_000_000).build());
      rig.level();
      together(
          () -> {
            for (int i = 0; i < EACH; i++) {
              rig.controller.recordThrottle(APP, Duration.ZERO);
            }
          });
      together(
          () -> {
            for (int i = 0; i < EACH; i++) {
              rig.controller.recordSuccess(APP, Duration.ofSeconds(1));
            }
          });
      assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(THREADS * EACH);
      assertThat(rig.statistics().successesSinceThrottle()).isEqualTo(THREADS * EACH);
      assertThat(rig.level()).isEqualTo(1);
    }

    private void together(Runnable work) throws Exception {
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        CyclicBarrier allReady = new CyclicBarrier(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          running.add(
              threads.submit(
                  () -> {
                    allReady.await();
                    work.run();
                    return null;
                  }));
        }
        for (Future<?> one : running) {
          one.get();
        }
      }
    }
  }

  @Nested
  class Bounds {

    @Test
    void never_above_max() {
      Rig rig = new Rig();
      rig.level();
      for (int i = 0; i < 30; i++) {
        assertThat(rig.step()).isLessThanOrEqualTo(52);
      }
      assertThat(rig.level()).isEqualTo(52);
    }

    @Test
    void never_below_the_minimum() {
      Rig rig = new Rig(AdaptiveRateOptions.builder().minParallelism(4).build());
      rig.level();
      for (int i = 0; i < 30; i++) {
        rig.throttle();
        assertThat(rig.level()).isGreaterThanOrEqualTo(4);
      }
      assertThat(rig.level()).isEqualTo(4);
      assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(4);
    }

    @Test
    void a_max_below_the_minimum_is_obeyed() {
      Rig rig = new Rig(AdaptiveRateOptions.builder().minParallelism(4).build());
      assertThat(rig.level(3)).isEqualTo(3);
      rig.throttle();
      assertThat(rig.level(3)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void a_max_that_lets_nothing_through_is_refused_by_name(int max) {
      Rig rig = new Rig();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rig.level(max))
          .withMessageStartingWith("max is " + max + ", but must be 1 or more (");
      assertThat(rig.controller.statistics(APP)).isEmpty();
    }

    @Test
    void the_largest_numbers_do_not_overflow() {
      Rig rig =
          new Rig(
              AdaptiveRateOptions.builder()
                  .increaseRate(Integer.MAX_VALUE)
                  .recoveryMultiplier(100)
                  .lastKnownGoodTtl(Duration.ofSeconds(Long.MAX_VALUE))
                  .idleResetPeriod(Duration.ofSeconds(Long.MAX_VALUE))
                  .build());
      assertThat(rig.level(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE / 2);
      rig.time.passSeconds(5);
      rig.successes(3, Duration.ofSeconds(Long.MAX_VALUE));
      assertThat(rig.level(Integer.MAX_VALUE)).as("very slow").isEqualTo(1);
      rig.throttle(Duration.ofSeconds(Long.MAX_VALUE));
      assertThat(rig.level(Integer.MAX_VALUE)).isEqualTo(1);
      rig.time.passSeconds(3_600);
      assertThat(rig.level(Integer.MAX_VALUE)).isEqualTo(1);
      rig.controller.reset(APP);
      rig.time.passSeconds(5);
      rig.successes(3);
      assertThat(rig.level(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    }
  }

  @Nested
  class UnknownNames {

    @Test
    void a_name_never_asked_about_has_no_statistics_and_ignores_what_is_recorded() {
      Rig rig = new Rig();
      rig.successes(3);
      rig.successes(1, Duration.ofSeconds(1));
      rig.throttle(Duration.ofSeconds(30));
      rig.controller.reset(APP);
      assertThat(rig.controller.statistics(APP)).isEmpty();
      assertThat(rig.level()).isEqualTo(26);
      assertThat(rig.statistics().totalThrottleEvents()).isZero();
    }
  }

  @Nested
  class BadInput {

    @Test
    void a_negative_duration_is_refused() {
      Rig rig = new Rig();
      rig.level();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rig.successes(1, Duration.ofSeconds(-1)))
          .withMessage("duration is PT-1S, but must be zero or more (from send to answer)");
      assertThat(rig.statistics().successesSinceThrottle()).isZero();
      rig.successes(1, Duration.ZERO);
      assertThat(rig.statistics().successesSinceThrottle()).isEqualTo(1);
    }

    @Test
    void a_negative_retry_after_counts_as_none() {
      Rig rig = new Rig();
      rig.level();
      rig.throttle(Duration.ofSeconds(Long.MIN_VALUE));
      assertThat(rig.level()).isEqualTo(13);
      rig.time.pass(Duration.ofMinutes(5).plus(NANO));
      assertThat(rig.level()).as("idle since the throttle").isEqualTo(26);
    }
  }

  @Nested
  class ClockThatJumpsBack {

    @Test
    void never_increases_early() {
      Rig rig = new Rig();
      rig.time.at(Duration.ofMinutes(10));
      rig.level();
      assertThat(rig.step()).isEqualTo(28);
      rig.time.at(Duration.ZERO);
      rig.successes(10);
      rig.time.passSeconds(5);
      rig.successes(10);
      rig.time.at(Duration.ofMinutes(10).plusSeconds(9));
      rig.successes(10);
      assertThat(rig.level()).isEqualTo(28);
      rig.time.at(Duration.ofMinutes(10).plusSeconds(10));
      rig.successes(1);
      assertThat(rig.level()).isEqualTo(30);
    }

    @Test
    void is_no_idleness_and_makes_nothing_stale() {
      Rig rig = new Rig();
      rig.time.at(Duration.ofMinutes(10));
      rig.level();
      rig.throttle();
      rig.time.at(Duration.ZERO);
      assertThat(rig.level()).isEqualTo(13);
      assertThat(rig.statistics().isLastKnownGoodStale()).isFalse();
      rig.throttle();
      assertThat(rig.level()).isEqualTo(6);
      rig.time.at(Duration.ofMinutes(10).plusSeconds(1));
      assertThat(rig.level()).isEqualTo(6);
    }

    @Test
    void a_reset_does_not_hasten_the_next_increase() {
      Rig rig = new Rig();
      rig.time.at(Duration.ofMinutes(10));
      rig.level();
      rig.time.at(Duration.ZERO);
      rig.controller.reset(APP);
      rig.time.passSeconds(5);
      rig.successes(3);
      assertThat(rig.level()).isEqualTo(26);
    }
  }
}
