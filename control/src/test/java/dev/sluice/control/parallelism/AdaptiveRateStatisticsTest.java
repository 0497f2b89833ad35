package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdaptiveRateStatisticsTest {

  @Test
  void the_log_line_is_that_of_the_document() {
    Rig rig = new Rig();
    rig.level();
    while (rig.level() < 52) {
      rig.step();
    }
    rig.throttle();
    rig.successes(3);
    assertThat(rig.statistics().logLine())
        .isEqualTo("Adaptive rate: 26/52 parallelism, 3 since throttle, 1 total throttles");
  }

  @Test
  void before_anything_happened_no_throttle_and_no_increase_have_a_time() {
    Rig rig = new Rig();
    rig.level();
    assertThat(rig.statistics())
        .hasToString(
            "AdaptiveRateStatistics[connectionName=app1, currentParallelism=26,"
                + " maxParallelism=52, lastKnownGoodParallelism=26, isLastKnownGoodStale=false,"
                + " successesSinceThrottle=0, totalThrottleEvents=0,"
                + " lastThrottleTime=Optional.empty, lastIncreaseTime=Optional.empty,"
                + " lastActivityTime=2026-03-01T00:00:00Z]");
  }

  @Test
  void every_field_tells_what_happened_and_when_the_wall_clock_said_so() {
    Rig rig = new Rig();
    rig.level();
    rig.time.passSeconds(5);
    rig.successes(3);
    rig.time.passSeconds(2);
    rig.throttle();
    rig.time.passSeconds(3);
    rig.successes(2);
    rig.time.passSeconds(60);
    assertThat(rig.statistics())
        .hasToString(
            "AdaptiveRateStatistics[connectionName=app1, currentParallelism=14,"
                + " maxParallelism=52, lastKnownGoodParallelism=26, isLastKnownGoodStale=false,"
                + " successesSinceThrottle=2, totalThrottleEvents=1,"
                + " lastThrottleTime=Optional[2026-03-01T00:00:07Z],"
                + " lastIncreaseTime=Optional[2026-03-01T00:00:05Z],"
                + " lastActivityTime=2026-03-01T00:00:10Z]");
  }

  @Test
  void an_increase_that_led_nowhere_is_none() {
    Rig rig = new Rig();
    assertThat(rig.level(2)).isEqualTo(1);
    rig.time.passSeconds(5);
    rig.successes(3);
    assertThat(rig.level(2)).isEqualTo(2);
    rig.time.passSeconds(5);
    rig.successes(3);
    assertThat(rig.level(2)).isEqualTo(2);
    assertThat(rig.statistics().lastIncreaseTime()).contains(SettableTicker.START.plusSeconds(5));
  }

  @Test
  void a_reset_clears_no_total_and_no_time() {
    Rig rig = new Rig();
    rig.level();
    rig.step();
    rig.throttle();
    AdaptiveRateStatistics before = rig.statistics();
    rig.time.passSeconds(1);
    rig.controller.reset(Rig.APP);
    AdaptiveRateStatistics after = rig.statistics();
    assertThat(after.totalThrottleEvents()).isEqualTo(1);
    assertThat(after.lastThrottleTime()).isEqualTo(before.lastThrottleTime());
    assertThat(after.lastIncreaseTime()).isEqualTo(before.lastIncreaseTime());
    assertThat(after.successesSinceThrottle()).isZero();
    assertThat(after.currentParallelism()).isEqualTo(26);
    assertThat(after.lastKnownGoodParallelism()).isEqualTo(26);
  }

  @Test
  void last_known_good_is_stale_when_older_than_its_time_to_live_and_not_before() {
    Rig rig = new Rig();
    rig.level();
    rig.time.pass(Duration.ofMinutes(5));
    assertThat(rig.statistics().isLastKnownGoodStale()).isFalse();
    rig.time.pass(Duration.ofNanos(1));
    assertThat(rig.statistics().isLastKnownGoodStale()).isTrue();
  }

  @Test
  void reading_is_no_activity() {
    Rig rig = new Rig();
    rig.level();
    rig.step();
    rig.time.pass(Duration.ofMinutes(3));
    assertThat(rig.statistics().lastActivityTime()).isEqualTo(SettableTicker.START.plusSeconds(5));
    rig.time.pass(Duration.ofMinutes(2).plusNanos(1));
    assertThat(rig.level()).as("idle all the same").isEqualTo(26);
  }
}
