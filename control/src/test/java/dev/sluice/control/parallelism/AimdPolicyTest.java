package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AimdPolicyTest {
  private static final Instant WALL = Instant.parse("2026-03-01T00:00:00Z");
  private final PolicyRig rig = new PolicyRig(AdaptiveRateOptions.DEFAULTS);

  @Test
  void starts_at_the_factor_of_max() {
    assertThat(rig.level()).isEqualTo(26);
  }

  @Test
  void does_not_pace() {
    assertThat(rig.policy.notBefore(-17)).isEqualTo(-17);
    assertThat(rig.policy.rate()).isInfinite();
  }

  @Test
  void a_max_that_lets_nothing_through_is_refused_by_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AimdPolicy(AdaptiveRateOptions.DEFAULTS, 0, 0))
        .withMessageStartingWith("max is 0, but must be 1 or more (");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.policy.max(-3))
        .withMessageStartingWith("max is -3, but must be 1 or more (");
  }

  @Test
  void rises_by_the_increase_rate_when_successful_and_used() {
    rig.roundTrip(26, Signal.success());
    assertThat(rig.level()).isEqualTo(28);
    rig.roundTrip(28, Signal.success());
    assertThat(rig.level()).isEqualTo(30);
  }

  @Nested
  class Episodes {

    @Test
    void point_06_fifty_throttles_of_one_episode_decrease_once_and_all_count() {
      PolicyRig full = new PolicyRig(fromMax());
      List<Request> sent = full.start(50);
      full.passSeconds(5);
      for (Request each : sent) {
        full.settle(each, Signal.throttled(Duration.ofSeconds(30)));
        full.pass(Duration.ofMillis(1));
      }
      assertThat(full.level()).isEqualTo(26);
      assertThat(full.statistics().totalThrottleEvents()).isEqualTo(50);
      assertThat(full.statistics().lastKnownGoodParallelism()).isEqualTo(50);
    }

    @Test
    void point_06_a_throttle_of_a_request_sent_after_the_decrease_decreases_again() {
      PolicyRig full = new PolicyRig(fromMax());
      full.settle(full.start(), Signal.throttled());
      assertThat(full.level()).isEqualTo(26);
      full.pass(Duration.ofNanos(1));
      Request later = full.start();
      full.settle(later, Signal.throttled());
      assertThat(full.level()).isEqualTo(13);
    }

    @Test
    void point_06_a_throttle_of_a_request_sent_at_the_moment_of_the_decrease_does_not() {
      PolicyRig full = new PolicyRig(fromMax());
      full.settle(full.start(), Signal.throttled());
      Request sameMoment = full.start();
      full.passSeconds(1);
      full.settle(sameMoment, Signal.throttled());
      assertThat(full.level()).isEqualTo(26);
    }

    @Test
    void point_06_a_late_echo_neither_restarts_recovery_nor_lowers_the_ceiling() {
      PolicyRig full = new PolicyRig(fromMax());
      Request first = full.start();
      Request echo = full.start();
      full.passSeconds(10);
      full.settle(full.start(), Signal.success(Duration.ofSeconds(10)));
      assertThat(full.level()).isEqualTo(20);
      full.settle(first, Signal.throttled());
      full.passSeconds(1);
      full.useAtLeast(10);
      full.settleOne(Signal.success(Duration.ofSeconds(10)));
      full.settleOne(Signal.success(Duration.ofSeconds(10)));
      long counted = full.statistics().successesSinceThrottle();
      full.settle(echo, Signal.throttled(Duration.ofMinutes(10)));
      assertThat(full.statistics().successesSinceThrottle()).isEqualTo(counted).isEqualTo(2);
      assertThat(full.level()).isEqualTo(10);
      full.passSeconds(5);
      full.settleOne(Signal.success(Duration.ofSeconds(10)));
      assertThat(full.level()).as("a step to 14, well below 20").isEqualTo(14);
    }

    @Test
    void point_07_successes_of_requests_sent_before_the_throttle_are_no_recovery() {
      List<Request> sent = rig.start(20);
      rig.passSeconds(10);
      rig.settle(sent.getFirst(), Signal.throttled());
      assertThat(rig.level()).isEqualTo(13);
      rig.passSeconds(10);
      for (Request each : sent.subList(1, 20)) {
        rig.settle(each, Signal.success(Duration.ofSeconds(1)));
      }
      assertThat(rig.level()).isEqualTo(13);
      assertThat(rig.statistics().successesSinceThrottle()).isZero();
    }

    @Test
    void point_07_but_their_durations_still_tell_how_slow_the_service_is() {
      PolicyRig full = new PolicyRig(fromMax());
      List<Request> sent = full.start(2);
      full.passSeconds(1);
      full.settle(sent.getFirst(), Signal.throttled());
      assertThat(full.level()).isEqualTo(26);
      full.passSeconds(39);
      full.settle(sent.getLast(), Signal.success());
      assertThat(full.level()).as("200 / 40 s").isEqualTo(5);
    }

    @Test
    void point_07_successes_of_requests_sent_after_it_are() {
      rig.settle(rig.start(), Signal.throttled());
      rig.passSeconds(5);
      rig.roundTrip(13, Signal.success());
      assertThat(rig.level()).isEqualTo(17);
    }
  }

  @Nested
  class Use {

    @ParameterizedTest
    @ValueSource(ints = {1, 12})
    void point_11_no_step_while_less_than_half_of_the_level_was_in_use(int inFlight) {
      for (int i = 0; i < 10; i++) {
        rig.roundTrip(inFlight, Signal.success());
      }
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void point_11_half_of_the_level_in_use_is_enough() {
      for (int i = 0; i < 5; i++) {
        rig.roundTrip(13, Signal.success());
      }
      assertThat(rig.level()).isEqualTo(28);
    }

    @Test
    void point_11_half_of_an_odd_level_is_rounded_up() {
      PolicyRig odd = new PolicyRig(fromMax(), 7);
      odd.policy.max(52);
      odd.roundTrip(3, Signal.success());
      assertThat(odd.level()).as("3 of 7 are less than half").isEqualTo(7);
      odd.roundTrip(4, Signal.success());
      assertThat(odd.level()).isEqualTo(9);
    }

    @Test
    void point_11_use_is_counted_anew_after_each_step() {
      rig.roundTrip(26, Signal.success());
      assertThat(rig.level()).isEqualTo(28);
      rig.roundTrip(20, Signal.success());
      assertThat(rig.level()).isEqualTo(30);
      for (int i = 0; i < 10; i++) {
        rig.roundTrip(1, Signal.success());
      }
      assertThat(rig.level()).as("19 in flight at the step were use enough, once").isEqualTo(32);
    }

    @Test
    void abandoned_requests_were_no_use() {
      List<Request> never = rig.start(26);
      for (Request each : never) {
        rig.policy.abandoned(each, rig.now);
      }
      for (int i = 0; i < 5; i++) {
        rig.roundTrip(1, Signal.success());
      }
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void one_abandoned_request_does_not_make_half_of_the_level() {
      PolicyRig four = new PolicyRig(fromMax(), 4);
      four.policy.max(52);
      Request sent = four.start();
      four.policy.abandoned(four.start(), four.now);
      four.passSeconds(5);
      four.settle(sent, Signal.success());
      four.settle(four.start(), Signal.success());
      four.settle(four.start(), Signal.success());
      assertThat(four.level()).as("one of four was in use").isEqualTo(4);
      four.roundTrip(2, Signal.success());
      assertThat(four.level()).as("two of four were").isEqualTo(6);
    }

    @Test
    void an_abandoned_request_takes_no_earlier_use_away() {
      List<Request> busy = rig.start(20);
      for (Request each : busy.subList(0, 18)) {
        rig.settle(each, Signal.answered(Signal.Answered.Kind.DEADLOCK));
      }
      rig.policy.abandoned(rig.start(), rig.now);
      rig.passSeconds(5);
      rig.settle(busy.get(18), Signal.success());
      rig.settle(busy.get(19), Signal.success());
      rig.settle(rig.start(), Signal.success());
      assertThat(rig.level()).isEqualTo(28);
    }

    @Test
    void a_reset_counts_use_anew() {
      rig.roundTrip(26, Signal.answered(Signal.Answered.Kind.DEADLOCK));
      rig.policy.reset(rig.now);
      for (int i = 0; i < 5; i++) {
        rig.roundTrip(1, Signal.success());
      }
      assertThat(rig.level()).isEqualTo(26);
    }
  }

  @Nested
  class Idleness {

    @Test
    void point_01_starts_afresh_after_the_idle_period() {
      rig.settle(rig.start(), Signal.throttled());
      rig.pass(Duration.ofMinutes(5));
      assertThat(rig.level()).isEqualTo(13);
      rig.pass(Duration.ofNanos(1));
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void point_01_asking_is_no_activity() {
      rig.settle(rig.start(), Signal.throttled());
      for (int i = 0; i < 5; i++) {
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.level()).isEqualTo(13);
      }
      rig.pass(Duration.ofNanos(1));
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void point_01_a_start_without_asking_is_checked_too() {
      rig.settle(rig.start(), Signal.throttled());
      rig.pass(Duration.ofMinutes(6));
      rig.start();
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void point_01_time_with_a_request_in_flight_is_not_idle() {
      rig.settle(rig.start(), Signal.throttled());
      rig.passSeconds(1);
      Request slow = rig.start();
      rig.pass(Duration.ofMinutes(20));
      assertThat(rig.level()).isEqualTo(13);
      rig.settle(slow, Signal.rejected(Signal.Rejected.Kind.INVALID));
      rig.pass(Duration.ofMinutes(5));
      assertThat(rig.level()).isEqualTo(13);
    }

    @Test
    void point_01_nor_is_it_with_one_that_is_abandoned_in_the_end() {
      rig.settle(rig.start(), Signal.throttled());
      Request never = rig.start();
      rig.pass(Duration.ofMinutes(20));
      rig.policy.abandoned(never, rig.now);
      rig.pass(Duration.ofMinutes(5));
      assertThat(rig.level()).isEqualTo(13);
      rig.pass(Duration.ofNanos(1));
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void point_01_time_held_back_is_not_idle() {
      rig.settle(rig.start(), Signal.throttled());
      rig.policy.held(rig.now + Duration.ofMinutes(8).toNanos());
      rig.policy.held(rig.now + Duration.ofMinutes(1).toNanos());
      rig.pass(Duration.ofMinutes(13));
      assertThat(rig.level()).isEqualTo(13);
      rig.pass(Duration.ofNanos(1));
      assertThat(rig.level()).isEqualTo(26);
    }

    @Test
    void point_01_a_retry_after_holds_back_by_itself() {
      List<Request> sent = rig.start(2);
      rig.settle(sent.getFirst(), Signal.throttled(Duration.ofMinutes(2)));
      rig.settle(sent.getLast(), Signal.throttled(Duration.ofMinutes(4)));
      rig.pass(Duration.ofMinutes(9));
      assertThat(rig.level()).isEqualTo(13);
      rig.pass(Duration.ofNanos(1));
      assertThat(rig.level()).isEqualTo(26);
    }
  }

  @Nested
  class OtherAnswers {

    static Stream<Signal> neitherSuccessNorThrottle() {
      return Stream.of(
          Signal.answered(Signal.Answered.Kind.SQL_TIMEOUT),
          Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR),
          Signal.stopped(Signal.Stopped.Reason.SUSPENDED),
          Signal.rejected(Signal.Rejected.Kind.FORBIDDEN));
    }

    @ParameterizedTest
    @MethodSource("neitherSuccessNorThrottle")
    void leave_the_level_and_the_counts_as_they_are(Signal signal) {
      rig.passSeconds(5);
      rig.start(26);
      rig.settleOne(Signal.success());
      rig.settleOne(Signal.success());
      for (int i = 0; i < 20; i++) {
        rig.settleOne(signal);
      }
      assertThat(rig.level()).isEqualTo(26);
      assertThat(rig.statistics().successesSinceThrottle()).isEqualTo(2);
      assertThat(rig.statistics().totalThrottleEvents()).isZero();
    }
  }

  @Nested
  class Durations {

    @Test
    void a_success_that_does_not_say_how_long_it_took_is_measured() {
      PolicyRig full = new PolicyRig(fromMax());
      Request request = full.start();
      full.passSeconds(10);
      full.settle(request, Signal.success());
      assertThat(full.level()).isEqualTo(20);
    }

    @Test
    void one_that_says_so_is_believed() {
      PolicyRig full = new PolicyRig(fromMax());
      Request request = full.start();
      full.passSeconds(10);
      full.settle(request, Signal.success(Duration.ofSeconds(20)));
      assertThat(full.level()).isEqualTo(10);
    }

    @Test
    void a_request_from_the_future_took_no_time() {
      PolicyRig full = new PolicyRig(fromMax());
      full.settle(full.start(), Signal.success(Duration.ofSeconds(11)));
      assertThat(full.level()).isEqualTo(18);
      Request skewed = new Request(full.now + Duration.ofHours(1).toNanos());
      full.policy.started(skewed, full.now);
      full.settle(skewed, Signal.success());
      assertThat(full.level()).as("average 7.7 s").isEqualTo(52);
    }
  }

  @Test
  void max_may_change_at_any_time() {
    rig.policy.max(10);
    assertThat(rig.level()).isEqualTo(10);
    assertThat(rig.statistics().maxParallelism()).isEqualTo(10);
    rig.policy.max(52);
    assertThat(rig.level()).isEqualTo(10);
  }

  @Test
  void reset_starts_afresh_and_keeps_totals() {
    rig.settle(rig.start(), Signal.throttled());
    rig.policy.reset(rig.now);
    assertThat(rig.level()).isEqualTo(26);
    assertThat(rig.statistics().totalThrottleEvents()).isEqualTo(1);
  }

  @Test
  void statistics_are_those_of_the_controller() {
    rig.passSeconds(2);
    rig.settle(rig.start(), Signal.throttled());
    rig.passSeconds(3);
    AdaptiveRateStatistics statistics = rig.policy.statistics("app7", rig.now, WALL);
    assertThat(statistics.connectionName()).isEqualTo("app7");
    assertThat(statistics.lastThrottleTime()).contains(WALL.minusSeconds(3));
    assertThat(statistics.logLine())
        .isEqualTo("Adaptive rate: 13/52 parallelism, 0 since throttle, 1 total throttles");
  }

  @Test
  void starts_settlements_and_abandonments_are_activity() {
    rig.passSeconds(1);
    List<Request> sent = rig.start(2);
    assertThat(rig.statistics().lastActivityTime()).isEqualTo(Instant.EPOCH);
    rig.passSeconds(1);
    assertThat(rig.statistics().lastActivityTime()).isEqualTo(Instant.EPOCH.minusSeconds(1));
    rig.settle(sent.getFirst(), Signal.rejected(Signal.Rejected.Kind.INVALID));
    assertThat(rig.statistics().lastActivityTime()).isEqualTo(Instant.EPOCH);
    rig.passSeconds(1);
    rig.policy.abandoned(sent.getLast(), rig.now);
    assertThat(rig.statistics().lastActivityTime()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void switched_off_it_stays_at_max() {
    PolicyRig off = new PolicyRig(AdaptiveRateOptions.builder().enabled(false).build());
    off.settle(off.start(), Signal.throttled());
    assertThat(off.level()).isEqualTo(52);
  }

  private static AdaptiveRateOptions fromMax() {
    return AdaptiveRateOptions.builder().initialParallelismFactor(1).build();
  }
}
