package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Where the adaptive rate document is wrong or silent, and the design settles it. What only a
 * policy can know is tested in {@link AimdPolicyTest} (points 1, 6, 7 and 11), the example in
 * {@link AdaptiveRateExampleTest} (5), the choice of policy in {@link AdaptiveRateOptionsTest}
 * (13); point 8, the sliding window, is the gate's.
 */
class SettledPointsTest {
  private static final Duration NANO = Duration.ofNanos(1);

  @Test
  void point_01_idleness_is_checked_before_asking_counts_as_activity() {
    Rig rig = new Rig();
    rig.level();
    rig.throttle();
    rig.time.pass(Duration.ofMinutes(5).plus(NANO));
    assertThat(rig.level()).isEqualTo(26);
  }

  @Test
  void point_01_the_time_that_a_throttle_asked_to_stay_away_is_not_idle() {
    Rig rig = new Rig();
    rig.level();
    rig.throttle(Duration.ofMinutes(8));
    rig.time.pass(Duration.ofMinutes(13));
    assertThat(rig.controller.statistics(Rig.APP).orElseThrow().currentParallelism()).isEqualTo(13);
    assertThat(rig.level()).as("8 min of hold and 5 of idling").isEqualTo(13);
  }

  @Test
  void point_01_idling_after_the_hold_is() {
    Rig rig = new Rig();
    rig.level();
    rig.throttle(Duration.ofMinutes(8));
    rig.time.pass(Duration.ofMinutes(13).plus(NANO));
    assertThat(rig.level()).isEqualTo(26);
  }

  @Test
  void point_02_a_stale_last_known_good_is_replaced_with_its_time() {
    Rig rig = new Rig();
    rig.level();
    rig.throttle();
    rig.time.pass(Duration.ofMinutes(5).plus(NANO));
    rig.successes(1);
    assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(13);
    assertThat(rig.statistics().isLastKnownGoodStale()).as("its time is new too").isFalse();
    rig.successes(2);
    assertThat(rig.statistics().currentParallelism()).isEqualTo(15);
    assertThat(rig.statistics().lastKnownGoodParallelism())
        .as("not replaced again by every success")
        .isEqualTo(13);
  }

  @Test
  void point_03_a_maximum_of_one_starts_at_one() {
    Rig rig = new Rig();
    assertThat(rig.level(1)).isEqualTo(1);
  }

  @Test
  void point_03_start_and_reset_are_at_least_the_minimum() {
    Rig rig =
        new Rig(
            AdaptiveRateOptions.builder().initialParallelismFactor(0.1).minParallelism(8).build());
    assertThat(rig.level()).isEqualTo(8);
    rig.step();
    rig.controller.reset(Rig.APP);
    assertThat(rig.level()).isEqualTo(8);
    assertThat(rig.level(6)).as("and at most max").isEqualTo(6);
  }

  @Test
  void point_04_every_question_adopts_the_new_maximum_and_clamps() {
    Rig rig = new Rig();
    assertThat(rig.level(52)).isEqualTo(26);
    assertThat(rig.level(10)).isEqualTo(10);
    assertThat(rig.statistics().maxParallelism()).isEqualTo(10);
    assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(10);
    rig.time.passSeconds(5);
    rig.successes(3);
    assertThat(rig.level(10)).isEqualTo(10);
    assertThat(rig.level(40)).as("room again, but no level that was not earned").isEqualTo(10);
    assertThat(rig.statistics().maxParallelism()).isEqualTo(40);
    rig.time.passSeconds(5);
    rig.successes(3);
    assertThat(rig.level(40)).isEqualTo(12);
  }

  @Test
  void point_04_a_reset_starts_from_the_new_maximum() {
    Rig rig = new Rig();
    rig.level(52);
    rig.time.pass(Duration.ofMinutes(6));
    assertThat(rig.level(20)).isEqualTo(10);
  }

  @Test
  void point_04_a_level_below_the_minimum_rises_to_it_when_there_is_room() {
    Rig rig = new Rig(AdaptiveRateOptions.builder().minParallelism(5).build());
    assertThat(rig.level(2)).isEqualTo(2);
    assertThat(rig.level(52)).isEqualTo(5);
  }

  @Test
  void point_06_told_without_the_time_of_sending_every_throttle_decreases() {
    Rig rig = new Rig();
    rig.level();
    rig.throttle();
    rig.throttle();
    rig.throttle();
    assertThat(rig.level()).isEqualTo(3);
    assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(3);
  }

  @Test
  void point_09_each_connections_own_state_decides_for_it() {
    Rig rig = new Rig();
    rig.level();
    rig.controller.parallelism("app2", 52);
    rig.controller.recordThrottle("app2", Duration.ofSeconds(30));
    assertThat(rig.level()).isEqualTo(26);
    assertThat(rig.controller.parallelism("app2", 52)).isEqualTo(13);
    assertThat(rig.statistics().totalThrottleEvents()).isZero();
  }

  @Test
  void point_10_the_recovery_step_is_rounded_down() {
    Rig rig =
        new Rig(AdaptiveRateOptions.builder().increaseRate(3).recoveryMultiplier(1.5).build());
    rig.level();
    rig.throttle();
    assertThat(rig.step()).as("13 + floor(4.5)").isEqualTo(17);
  }

  @Test
  void point_10_the_recovery_step_is_at_least_one() {
    Rig rig =
        new Rig(AdaptiveRateOptions.builder().increaseRate(1).recoveryMultiplier(0.5).build());
    rig.level();
    rig.throttle();
    assertThat(rig.step()).isEqualTo(14);
  }

  @Test
  void point_10_the_recovery_step_may_pass_last_known_good() {
    Rig rig = new Rig(AdaptiveRateOptions.builder().recoveryMultiplier(10).build());
    rig.level();
    rig.throttle();
    assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(24);
    assertThat(rig.step()).as("13 + 20").isEqualTo(33);
  }

  @Test
  void point_11_the_decrease_starts_from_the_level_in_force() {
    Rig rig = new Rig(AdaptiveRateOptions.builder().initialParallelismFactor(1).build());
    rig.level();
    rig.successes(1, Duration.ofSeconds(10));
    assertThat(rig.level()).as("held down from 52 by the ceiling").isEqualTo(20);
    rig.throttle();
    assertThat(rig.level()).isEqualTo(10);
    assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(18);
  }

  @Test
  void point_12_after_a_hold_each_connection_resumes_at_its_own_level() {
    Rig rig = new Rig();
    for (String name : new String[] {"app1", "app2", "app3"}) {
      rig.controller.parallelism(name, 52);
    }
    rig.controller.recordThrottle("app1", Duration.ofSeconds(30));
    rig.controller.recordThrottle("app2", Duration.ofSeconds(30));
    rig.controller.recordThrottle("app2", Duration.ofSeconds(30));
    rig.time.passSeconds(31);
    assertThat(rig.controller.parallelism("app1", 52)).isEqualTo(13);
    assertThat(rig.controller.parallelism("app2", 52)).isEqualTo(6);
    assertThat(rig.controller.parallelism("app3", 52)).isEqualTo(26);
  }
}
