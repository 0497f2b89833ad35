package dev.sluice.control.lane;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.AimdPolicy;
import dev.sluice.control.parallelism.FixedPolicy;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.parallelism.Preset;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.routing.ThrottleState;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The table of signals, row by row, and what a lane answers. */
class LaneTest {
  private static final LaneOptions FRAGILE =
      LaneOptions.fixed(4)
          .withCircuit(new CircuitOptions(true, 1.0, 2, 2, 0, Duration.ofSeconds(60), 1));

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private Lane lane = lane(FRAGILE);
  private long now;

  private static Lane lane(LaneOptions options) {
    return new Lane("app1", options, new SplittableRandom(1), 0);
  }

  private record Sent(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }
  }

  /** Sends at the present time and settles a second later. */
  private void exchange(Signal signal) {
    Sent sent = new Sent(now);
    int ticket = lane.start(sent, 1, now);
    now += SECONDS.toNanos(1);
    lane.settle(sent, ticket, signal, now);
  }

  private double heldFor() {
    return Math.max(0, lane.heldUntil() - now) / 1e9;
  }

  private CircuitState circuit() {
    return lane.statistics(now).circuit();
  }

  private static final CircuitTransition OPENED =
      new CircuitTransition(
          CircuitState.CLOSED,
          CircuitState.OPEN,
          CircuitTransition.Trigger.FAILURE_RATE,
          CircuitTransition.Reason.THROTTLES,
          Duration.ZERO,
          5,
          OptionalDouble.empty());

  @Test
  void a_circuit_is_taken_up_where_an_earlier_process_left_off() {
    lane.restoreCircuit(OPENED, Duration.ofSeconds(25), now);
    assertThat(circuit()).isEqualTo(CircuitState.OPEN);
    assertThat(lane.triedAgainAt(now)).isEqualTo(SECONDS.toNanos(35));
  }

  @Test
  void a_lane_that_was_used_knows_better_than_an_earlier_process() {
    exchange(Signal.success());
    lane.restoreCircuit(OPENED, Duration.ofSeconds(25), now);
    assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
  }

  @Nested
  class TheTableOfSignals {

    @Test
    void a_success_sets_no_hold_and_keeps_the_circuit_closed() {
      exchange(Signal.success());
      assertThat(lane.admits(now)).isTrue();
      assertThat(heldFor()).isZero();
      assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void a_throttle_with_a_usable_wait_holds_until_then_and_is_not_counted_by_the_circuit() {
      for (int i = 0; i < 5; i++) {
        exchange(Signal.throttled(Duration.ofSeconds(30)));
        assertThat(heldFor()).isEqualTo(30);
        assertThat(lane.admits(now)).isFalse();
        assertThat(lane.readyAt(now)).isEqualTo(lane.heldUntil());
        now = lane.heldUntil();
        assertThat(lane.admits(now)).isTrue();
      }
      assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
      assertThat(lane.throttleEvents()).isEqualTo(5);
    }

    @Test
    void the_buffer_for_clock_skew_is_added_once() {
      lane = lane(FRAGILE.withSkewBuffer(Duration.ofSeconds(1)));
      exchange(Signal.throttled(Duration.ofSeconds(30)));
      assertThat(heldFor()).isEqualTo(31);
    }

    @Test
    void a_shorter_wait_never_shortens_a_longer_hold() {
      Sent first = new Sent(now);
      Sent second = new Sent(now);
      int ticket = lane.start(first, 1, now);
      lane.start(second, 2, now);
      lane.settle(first, ticket, Signal.throttled(Duration.ofSeconds(30)), now);
      lane.settle(second, ticket, Signal.throttled(Duration.ofSeconds(5)), now);
      assertThat(heldFor()).isEqualTo(30);
    }

    @Test
    void a_bare_throttle_at_a_provider_is_probed_by_single_requests_that_come_ever_more_rarely() {
      exchange(Signal.success(Duration.ofMillis(100)));
      List<Double> waits = new ArrayList<>();
      long closedAt = now + SECONDS.toNanos(1);
      while (now - closedAt < Duration.ofHours(1).toNanos()) {
        exchange(Signal.throttled());
        waits.add(heldFor());
        now = lane.heldUntil();
        assertThat(lane.admits(now)).isTrue();
        int ticket = lane.start(new Sent(now), 9, now);
        assertThat(lane.admits(now)).as("one probe at a time").isFalse();
        assertThat(lane.wakeAt(now)).isEqualTo(Long.MAX_VALUE);
        lane.abandon(new Sent(now), ticket, now);
        now += SECONDS.toNanos(1); // past the spacing after a hold
        assertThat(lane.admits(now)).as("handed back").isTrue();
      }
      assertThat(waits.subList(0, 8)).containsExactly(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0);
      assertThat(waits.getLast()).as("a tenth of the time closed").isBetween(280.0, 360.0);
      assertThat(circuit()).as("one episode is one failure").isEqualTo(CircuitState.CLOSED);

      exchange(Signal.success());
      assertThat(lane.admits(now)).isTrue();
      lane.start(new Sent(now), 9, now);
      now += SECONDS.toNanos(1); // past the spacing after a hold
      assertThat(lane.admits(now)).as("no probes any more").isTrue();
    }

    @Test
    void an_answer_that_refuses_a_record_ends_the_probing_of_a_bare_throttle() {
      exchange(Signal.success(Duration.ofMillis(100)));
      exchange(Signal.throttled());
      now = lane.heldUntil();
      exchange(Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
      now += SECONDS.toNanos(1); // past the spacing after a hold
      lane.start(new Sent(now), 9, now);
      now += SECONDS.toNanos(1);
      assertThat(lane.admits(now)).as("no probes any more").isTrue();
    }

    @Test
    void the_first_probe_comes_after_two_round_trips_if_that_is_longer_than_a_second() {
      exchange(Signal.success(Duration.ofSeconds(3)));
      exchange(Signal.throttled());
      assertThat(heldFor()).isEqualTo(6);
    }

    @Test
    void throttles_of_requests_sent_before_the_lane_closed_do_not_put_the_probe_off() {
      Sent early = new Sent(now);
      Sent late = new Sent(now);
      int ticket = lane.start(early, 1, now);
      lane.start(late, 2, now);
      now += SECONDS.toNanos(1);
      lane.settle(early, ticket, Signal.throttled(), now);
      long probeAt = lane.heldUntil();
      lane.settle(late, ticket, Signal.throttled(), now + 5);
      assertThat(lane.heldUntil()).isEqualTo(probeAt);
    }

    @Test
    void a_told_wait_ends_probing_and_a_cancelled_probe_is_handed_back() {
      exchange(Signal.throttled());
      now = lane.heldUntil();
      exchange(Signal.CANCELLED);
      assertThat(lane.admits(now)).isTrue();
      exchange(Signal.throttled(Duration.ofSeconds(7)));
      assertThat(heldFor()).isEqualTo(7);
      now = lane.heldUntil();
      exchange(Signal.CANCELLED);
      lane.start(new Sent(now), 9, now);
      now += SECONDS.toNanos(10); // past the spacing after a hold
      assertThat(lane.admits(now)).as("more than one at a time").isTrue();
    }

    @Test
    void a_lane_leaves_probing_to_a_policy_that_does_it() {
      lane =
          lane(
              LaneOptions.of(
                  start ->
                      new DelegatingPolicy(new FixedPolicy(4)) {
                        @Override
                        public boolean probes() {
                          return true;
                        }
                      }));
      exchange(Signal.throttled());
      assertThat(heldFor()).isZero();
      assertThat(lane.admits(now)).isTrue();
    }

    @Test
    void a_declared_hold_after_a_bare_throttle_doubles_until_a_success() {
      Duration floor = Duration.ofSeconds(5);
      lane =
          lane(
              FRAGILE
                  .withCircuit(CircuitOptions.off())
                  .withHintlessHold(new HintlessHold(floor, Duration.ofMinutes(15))));
      double longest = 0;
      for (int wave = 0; wave < 12; wave++) {
        exchange(Signal.throttled());
        double most = Math.min(900, 5 * Math.pow(2, wave));
        assertThat(heldFor()).as("wave %d", wave).isBetween(5.0, most);
        longest = Math.max(longest, heldFor());
        now = lane.heldUntil();
      }
      assertThat(longest).isGreaterThan(60);
      exchange(Signal.success());
      exchange(Signal.throttled());
      assertThat(heldFor()).isEqualTo(5);
    }

    @Test
    void a_cancelled_request_frees_its_slot_and_nothing_is_judged() {
      for (int i = 0; i < 5; i++) {
        exchange(Signal.CANCELLED);
      }
      assertThat(lane.inFlight()).isZero();
      assertThat(heldFor()).isZero();
      assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
      assertThat(lane.statistics(now).granted()).isEqualTo(5);
    }

    @Test
    void a_bare_throttle_at_dataverse_holds_for_the_fallback() {
      lane = lane(FRAGILE.withHintlessHold(HintlessHold.fixed(Duration.ofSeconds(30))));
      exchange(Signal.throttled());
      assertThat(heldFor()).isEqualTo(30);
    }

    @Test
    void a_bare_throttle_counts_one_failure_per_episode() {
      Sent[] sent = new Sent[4];
      int ticket = 0;
      for (int i = 0; i < sent.length; i++) {
        sent[i] = new Sent(now);
        ticket = lane.start(sent[i], i, now);
      }
      now += SECONDS.toNanos(1);
      for (Sent each : sent) {
        lane.settle(each, ticket, Signal.throttled(), now);
      }
      assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
      now = lane.heldUntil();
      exchange(Signal.throttled());
      assertThat(circuit()).as("the same episode").isEqualTo(CircuitState.CLOSED);
      exchange(Signal.transientFailure(Signal.Transient.Kind.TRANSPORT));
      assertThat(circuit()).as("the second failure").isEqualTo(CircuitState.OPEN);
    }

    @Test
    void an_episode_ends_with_the_first_success_of_a_request_sent_after_it_began() {
      lane = lane(FRAGILE.withCircuit(new CircuitOptions(true, 0.6, 3, 3, 0, MINUTE, 1)));
      Sent before = new Sent(now);
      int ticket = lane.start(before, 1, now);
      exchange(Signal.throttled());
      lane.settle(before, ticket, Signal.success(), now); // sent before: ends nothing
      now = lane.heldUntil();
      exchange(Signal.throttled());
      now = lane.heldUntil();
      exchange(Signal.success());
      assertThat(circuit()).as("1 of 3").isEqualTo(CircuitState.CLOSED);
      exchange(Signal.throttled());
      now = lane.heldUntil();
      exchange(Signal.success());
      exchange(Signal.throttled());
      assertThat(circuit()).as("2 of the last 3, each an episode").isEqualTo(CircuitState.OPEN);
    }

    @Test
    void an_answer_about_the_data_changes_nothing_and_is_no_failure() {
      for (Signal.Answered.Kind kind : Signal.Answered.Kind.values()) {
        exchange(Signal.answered(kind));
      }
      assertThat(heldFor()).isZero();
      assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
      assertThat(lane.level(now)).isEqualTo(4);
    }

    @Test
    void a_transient_failure_sets_no_hold_and_counts_as_a_failure() {
      exchange(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
      assertThat(heldFor()).isZero();
      exchange(Signal.transientFailure(Signal.Transient.Kind.TRANSPORT));
      assertThat(circuit()).isEqualTo(CircuitState.OPEN);
      assertThat(lane.isShut(now)).isTrue();
      assertThat(lane.wakeAt(now)).isEqualTo(lane.triedAgainAt(now));
    }

    @Test
    void a_terminal_answer_closes_the_lane_until_a_person_acts() {
      for (Signal.Stopped.Reason reason : Signal.Stopped.Reason.values()) {
        exchange(Signal.stopped(reason));
        assertThat(lane.stopped()).isEqualTo(reason);
        assertThat(lane.admits(now + SECONDS.toNanos(1_000_000))).isFalse();
        assertThat(lane.isShut(now)).isTrue();
        assertThat(lane.wakeAt(now)).isEqualTo(Long.MAX_VALUE);
        lane.reopen(now);
        assertThat(lane.admits(now)).isTrue();
      }
    }

    @Test
    void a_rejection_is_contact_closes_a_half_open_circuit_and_is_no_failure() {
      exchange(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
      exchange(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
      now = lane.triedAgainAt(now);
      exchange(Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
      assertThat(circuit()).isEqualTo(CircuitState.CLOSED);
    }

    @Test
    void a_throttled_probe_with_a_usable_wait_is_handed_back() {
      exchange(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
      exchange(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
      now = lane.triedAgainAt(now);
      exchange(Signal.throttled(Duration.ofSeconds(30)));
      assertThat(circuit()).isEqualTo(CircuitState.HALF_OPEN);
      now = lane.heldUntil();
      assertThat(lane.admits(now)).isTrue();
    }
  }

  @Nested
  class QuotaHints {
    private static final QuotaHint.Scope SCOPE =
        new QuotaHint.Scope(QuotaHint.Reach.CREDENTIAL, "", QuotaHint.Unit.REQUESTS, "x-ratelimit");

    private static Signal success(QuotaHint... hints) {
      return new Signal.Success(Signal.Success.MEASURED, List.of(hints));
    }

    private static QuotaHint notBefore(Duration wait, QuotaHint.Scope scope) {
      return new QuotaHint(
          OptionalLong.empty(),
          OptionalLong.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(wait),
          scope);
    }

    private static QuotaHint remaining(long count, Duration reset) {
      return new QuotaHint(
          OptionalLong.of(100),
          OptionalLong.of(count),
          Optional.of(reset),
          Optional.empty(),
          Optional.empty(),
          SCOPE);
    }

    @Test
    void a_not_before_told_on_a_success_holds_the_lane() {
      exchange(success(notBefore(Duration.ofSeconds(40), SCOPE)));
      assertThat(heldFor()).isEqualTo(40);
    }

    @Test
    void a_hint_never_cancels_or_shortens_a_standing_hold() {
      Sent late = new Sent(now);
      int ticket = lane.start(late, 1, now);
      exchange(Signal.throttled(Duration.ofSeconds(30)));
      lane.settle(
          late,
          ticket,
          success(remaining(99, Duration.ofSeconds(1)), notBefore(Duration.ofSeconds(2), SCOPE)),
          now);
      assertThat(heldFor()).isEqualTo(30);
    }

    @Test
    void a_hint_about_one_object_or_about_concurrency_does_not_hold_the_lane() {
      exchange(
          success(
              notBefore(
                  Duration.ofSeconds(9),
                  new QuotaHint.Scope(
                      QuotaHint.Reach.OBJECT, "", QuotaHint.Unit.REQUESTS, "issue")),
              notBefore(
                  Duration.ofSeconds(9),
                  new QuotaHint.Scope(
                      QuotaHint.Reach.ACCOUNT, "", QuotaHint.Unit.CONCURRENT, "gauge"))));
      assertThat(heldFor()).isZero();
    }

    @Test
    void of_several_limits_the_scarcest_decides_how_much_is_left() {
      exchange(success(remaining(5, Duration.ofSeconds(40)), remaining(90, Duration.ofHours(20))));
      assertThat(lane.headroom(now)).isEqualTo(0.05);
    }

    @Test
    void a_hold_that_a_hint_set_says_since_when_and_for_how_long() {
      now = SECONDS.toNanos(500);
      exchange(success(notBefore(Duration.ofSeconds(40), SCOPE)));
      Instant wall = Instant.parse("2026-01-15T12:00:00Z");
      assertThat(lane.throttleState(now, wall))
          .contains(new ThrottleState("app1", wall, wall.plusSeconds(40), Duration.ofSeconds(40)));
      assertThat(lane.throttleState(now + SECONDS.toNanos(40), wall)).isEmpty();
    }

    @Test
    void the_share_of_the_quota_left_is_known_until_the_reset() {
      assertThat(lane.headroom(now)).isEqualTo(1);
      exchange(success(remaining(25, Duration.ofSeconds(40))));
      assertThat(lane.headroom(now)).isEqualTo(0.25);
      now += SECONDS.toNanos(40);
      assertThat(lane.headroom(now)).isEqualTo(1);
    }
  }

  @Nested
  class SlotsAndPace {

    @Test
    void no_more_start_than_the_level_and_a_settlement_frees_a_slot() {
      Sent sent = new Sent(now);
      int ticket = 0;
      for (int i = 0; i < 4; i++) {
        assertThat(lane.admits(now)).isTrue();
        ticket = lane.start(sent, i, now);
      }
      assertThat(lane.admits(now)).isFalse();
      assertThat(lane.wakeAt(now)).isEqualTo(Long.MAX_VALUE);
      lane.settle(sent, ticket, Signal.success(), now);
      assertThat(lane.admits(now)).isTrue();
      lane.start(sent, 5, now);
      lane.abandon(sent, ticket, now);
      assertThat(lane.inFlight()).isEqualTo(3);
    }

    @Test
    void hold_and_pace_combine_by_maximum() {
      lane = lane(LaneOptions.of(t -> new FixedRatePolicy(0.1, 1, 10, t)));
      exchange(Signal.throttled(Duration.ofSeconds(3)));
      assertThat(lane.readyAt(now)).isEqualTo(SECONDS.toNanos(10));
      assertThat(lane.wakeAt(now)).isEqualTo(SECONDS.toNanos(10));
      exchangeAt(SECONDS.toNanos(10), Signal.throttled(Duration.ofSeconds(60)));
      assertThat(lane.readyAt(now)).isEqualTo(SECONDS.toNanos(71));
    }

    private void exchangeAt(long time, Signal signal) {
      now = time;
      exchange(signal);
    }

    @Test
    void an_absurd_wait_neither_overflows_nor_holds_beyond_31_days() {
      lane = lane(FRAGILE.withSkewBuffer(Duration.ofSeconds(1)));
      exchange(Signal.throttled(Duration.ofSeconds(Long.MAX_VALUE)));
      assertThat(heldFor()).isEqualTo((double) Duration.ofDays(31).toSeconds() + 1);
      assertThat(lane.inFlight()).isZero();
    }

    @Test
    void the_starts_after_a_hold_are_spaced_by_the_level_that_the_throttle_left() {
      lane = lane(LaneOptions.of(t -> new AimdPolicy(AdaptiveRateOptions.DEFAULTS, 8, t)));
      exchange(Signal.success(Duration.ofSeconds(4)));
      assertThat(lane.level(now)).isEqualTo(4);
      exchange(Signal.throttled(Duration.ofSeconds(10)));
      assertThat(lane.level(now)).isEqualTo(2);
      now = lane.heldUntil();
      lane.start(new Sent(now), 3, now);
      assertThat(lane.readyAt(now) - now).isEqualTo(SECONDS.toNanos(4) / 2);
    }
  }

  @Nested
  class Dataverse {
    private Lane user(AdaptiveRateOptions rate, int recommended) {
      return lane(
          LaneOptions.dataverse(
              rate, ResilienceOptions.DEFAULTS, ConnectionPoolOptions.DEFAULTS, recommended));
    }

    @Test
    void a_user_never_has_more_than_52_requests_in_flight_whatever_is_recommended() {
      AdaptiveRateOptions fixed = AdaptiveRateOptions.builder().enabled(false).build();
      assertThat(user(fixed, 200).level(now)).isEqualTo(52);
      assertThat(user(fixed, 20).level(now)).isEqualTo(20);
      assertThat(user(fixed, 0).level(now)).isEqualTo(1);
    }

    @Test
    void each_connection_resumes_at_its_own_policys_level_after_recovery() {
      lane = user(AdaptiveRateOptions.builder().preset(Preset.BALANCED).build(), 52);
      Lane other = user(AdaptiveRateOptions.builder().policy(PolicyName.AIMD).build(), 52);
      exchange(Signal.throttled(Duration.ofSeconds(10)));
      now = lane.heldUntil();
      assertThat(lane.level(now)).isEqualTo(13);
      assertThat(other.level(now)).isEqualTo(26);
    }

    @Test
    void the_documented_limits_are_spent_unless_another_policy_is_asked_for() {
      assertThat(user(AdaptiveRateOptions.DEFAULTS, 4).policy()).isInstanceOf(QuotaPolicy.class);
      assertThat(user(AdaptiveRateOptions.builder().minParallelism(2).build(), 4).policy())
          .isInstanceOf(AimdPolicy.class);
    }

    @Test
    void fallback_buffer_and_tracking_come_from_the_options() {
      lane = user(AdaptiveRateOptions.DEFAULTS, 52);
      exchange(Signal.throttled());
      assertThat(heldFor()).isEqualTo(30);
      now = lane.heldUntil();
      exchange(Signal.throttled(Duration.ofSeconds(10)));
      assertThat(heldFor()).isEqualTo(11);

      lane =
          lane(
              LaneOptions.dataverse(
                  AdaptiveRateOptions.DEFAULTS,
                  ResilienceOptions.DEFAULTS.withEnableThrottleTracking(false),
                  ConnectionPoolOptions.DEFAULTS,
                  52));
      exchange(Signal.throttled(Duration.ofSeconds(10)));
      lane.recordThrottle(Duration.ofSeconds(10), now);
      assertThat(heldFor()).isZero();
      assertThat(lane.throttleEvents()).isEqualTo(2);
    }
  }

  @Test
  void options_out_of_range_are_refused_by_name() {
    assertThatThrownBy(() -> new Lane(" ", FRAGILE, new SplittableRandom(1), 0))
        .hasMessageContaining("name");
    assertThatThrownBy(() -> FRAGILE.withSkewBuffer(Duration.ofSeconds(-1)))
        .hasMessageContaining("skewBuffer");
    assertThatThrownBy(() -> LaneOptions.fixed(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> HintlessHold.fixed(Duration.ZERO)).hasMessageContaining("floor");
    assertThatThrownBy(() -> new HintlessHold(Duration.ofSeconds(5), Duration.ofSeconds(4)))
        .hasMessageContaining("cap");
  }
}
