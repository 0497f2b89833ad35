package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The adaptive rate document's example: its values and steps, at times that follow its rules. */
class AdaptiveRateExampleTest {
  private final Rig rig = new Rig();

  @Test
  void point_05_the_example_minute_by_minute() {
    at("0:00");
    assertThat(rig.level()).as("half of 52").isEqualTo(26);
    rig.successes(3);
    assertThat(rig.level()).as("three successes, but no time has passed").isEqualTo(26);

    // Three batches every 5 s.
    threeSucceedAndLeave("0:05", 28);
    threeSucceedAndLeave("0:10", 30);
    threeSucceedAndLeave("0:15", 32);
    threeSucceedAndLeave("0:20", 34);
    threeSucceedAndLeave("0:25", 36);
    threeSucceedAndLeave("0:30", 38);
    threeSucceedAndLeave("0:35", 40);
    threeSucceedAndLeave("0:40", 42);
    threeSucceedAndLeave("0:45", 44);

    rig.throttle(Duration.ofSeconds(5));
    assertThat(rig.level()).isEqualTo(22);
    assertThat(rig.statistics().lastKnownGoodParallelism()).isEqualTo(42);
    assertThat(rig.statistics().successesSinceThrottle()).isZero();

    at("0:50");
    rig.successes(1);
    assertThat(rig.level()).isEqualTo(22);
    assertThat(rig.statistics().successesSinceThrottle()).isEqualTo(1);

    // Fast recovery, first step 15 s after the throttle.
    threeSucceedAndLeave("1:00", 26);
    threeSucceedAndLeave("1:05", 30);
    threeSucceedAndLeave("1:10", 34);
    threeSucceedAndLeave("1:15", 38);
    threeSucceedAndLeave("1:20", 42);

    // Last known good is reached: probing.
    threeSucceedAndLeave("1:25", 44);
    threeSucceedAndLeave("1:30", 46);

    at("6:30");
    assertThat(rig.statistics().currentParallelism()).isEqualTo(46);
    rig.time.pass(Duration.ofNanos(1));
    assertThat(rig.level()).as("idle for more than 5 minutes").isEqualTo(26);
    assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(1);
  }

  private void threeSucceedAndLeave(String time, int expected) {
    at(time);
    rig.successes(3);
    assertThat(rig.level()).as(time).isEqualTo(expected);
  }

  private void at(String time) {
    String[] parts = time.split(":", 2);
    rig.time.at(Duration.ofMinutes(Long.parseLong(parts[0])).plusSeconds(Long.parseLong(parts[1])));
  }
}
