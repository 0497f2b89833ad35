package dev.sluice.control.retry;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.control.retry.Decision.AwaitLane;
import dev.sluice.control.retry.Decision.Done;
import dev.sluice.control.retry.Decision.GiveUp;
import dev.sluice.control.retry.Decision.Reason;
import dev.sluice.control.retry.Decision.Reroute;
import dev.sluice.control.retry.Decision.RetryAt;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Transient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RetriesTest {
  private static final long SECOND = SECONDS.toNanos(1);
  private static final Signal THROTTLED = Signal.throttled(Duration.ofSeconds(30));
  private static final Signal FAILED = Signal.transientFailure(Transient.Kind.SERVER_ERROR);

  // ---- answers that end it

  @ParameterizedTest
  @MethodSource("finalAnswers")
  void an_answer_ends_the_request_and_neither_spends_nor_earns(Signal signal) {
    RetryBudget budget = new RetryBudget(100, 1);
    Retries retries = retries(budget);
    assertThat(attempt(retries, "a", signal, Lanes.NOT_ASKED)).isEqualTo(new Done());
    assertThat(budget.tokens()).isEqualTo(10);
  }

  static Stream<Signal> finalAnswers() {
    return Stream.of(
            Stream.of(Signal.success()),
            Stream.of(Signal.Answered.Kind.values()).map(Signal::answered),
            Stream.of(Signal.Rejected.Kind.values()).map(Signal::rejected),
            Stream.of(Signal.Stopped.Reason.values()).map(Signal::stopped))
        .flatMap(signals -> signals);
  }

  // ---- throttles

  @Test
  void a_throttle_is_rerouted_while_a_lane_not_tried_is_free_and_counts_no_wait() {
    Retries retries = retries(null);
    for (int lane = 0; lane < 20; lane++) {
      assertThat(attempt(retries, "lane" + lane, THROTTLED, Lanes.FREE)).isEqualTo(new Reroute());
      assertThat(retries.isTried("lane" + lane)).isTrue();
    }
    assertThat(retries.isTried("lane20")).isFalse();
    assertThat(retries.throttleRetries()).isZero();
    assertThat(attempt(retries, "lane20", Signal.success(), Lanes.NOT_ASKED)).isEqualTo(new Done());
    assertThat(retries.attempts()).isEqualTo(21);
  }

  @Test
  void after_three_waits_a_fourth_throttle_gives_up() {
    Retries retries = retries(null);
    for (int wait = 1; wait <= 3; wait++) {
      assertThat(attempt(retries, "a", THROTTLED, Lanes.NONE_FREE)).isEqualTo(new AwaitLane());
      assertThat(retries.throttleRetries()).isEqualTo(wait);
    }
    assertThat(attempt(retries, "a", THROTTLED, Lanes.NONE_FREE))
        .isEqualTo(new GiveUp(Reason.THROTTLE_RETRIES));
    assertThat(retries.attempts()).isEqualTo(4);
  }

  @Test
  void a_throttle_without_a_usable_wait_is_treated_alike() {
    Retries retries = retries(null);
    assertThat(attempt(retries, "a", Signal.throttled(), Lanes.FREE)).isEqualTo(new Reroute());
    assertThat(attempt(retries, "b", Signal.throttled(), Lanes.NONE_FREE))
        .isEqualTo(new AwaitLane());
  }

  @Test
  void after_a_wait_every_lane_counts_as_not_tried() {
    Retries retries = retries(null);
    attempt(retries, "a", THROTTLED, Lanes.FREE);
    attempt(retries, "b", THROTTLED, Lanes.NONE_FREE);
    assertThat(retries.isTried("a")).isFalse();
    assertThat(retries.isTried("b")).isFalse();
    assertThat(attempt(retries, "a", THROTTLED, Lanes.FREE)).isEqualTo(new Reroute());
    assertThat(retries.throttleRetries()).isEqualTo(1);
  }

  @Test
  void a_reroute_that_is_granted_a_tried_lane_counts_as_a_wait() {
    Retries retries = retries(null);
    assertThat(attempt(retries, "a", THROTTLED, Lanes.FREE)).isEqualTo(new Reroute());
    assertThat(retries.granted("a")).isTrue();
    assertThat(retries.throttleRetries()).isEqualTo(1);
    assertThat(retries.isTried("a")).isFalse();
  }

  @Test
  void a_reroute_that_is_granted_a_tried_lane_without_a_wait_left_is_not_sent() {
    RetryBudget budget = new RetryBudget(10, 0);
    Retries retries = retries(budget);
    for (int wait = 1; wait <= 3; wait++) {
      attempt(retries, "a", THROTTLED, Lanes.NONE_FREE);
    }
    assertThat(attempt(retries, "a", THROTTLED, Lanes.FREE)).isEqualTo(new Reroute());
    assertThat(retries.granted("a")).isFalse();
    assertThat(budget.tokens()).isEqualTo(7);
    assertThatIllegalStateException().isThrownBy(() -> retries.granted("b"));
  }

  @Test
  void every_retry_costs_a_token_but_a_reroute_is_free_of_charge() {
    RetryBudget budget = new RetryBudget(3, 0);
    Retries retries = new Retries(RetryOptions.DEFAULTS.whenRepeatable(), backoff(), budget);
    attempt(retries, "a", THROTTLED, Lanes.FREE);
    assertThat(budget.tokens()).isEqualTo(3);
    attempt(retries, "b", THROTTLED, Lanes.NONE_FREE);
    assertThat(budget.tokens()).isEqualTo(2);
    attempt(retries, "b", FAILED, Lanes.NOT_ASKED);
    assertThat(budget.tokens()).isEqualTo(1);
  }

  @Test
  void a_reroute_that_is_granted_a_tried_lane_pays_for_the_wait_that_it_is() {
    RetryBudget budget = new RetryBudget(1, 0);
    Retries retries = retries(budget);
    attempt(retries, "a", THROTTLED, Lanes.FREE);
    attempt(retries, "a", THROTTLED, Lanes.FREE);
    assertThat(budget.tokens()).isZero();
    assertThat(retries.granted("a")).isFalse();
  }

  @Test
  void a_retry_that_was_not_sent_gets_its_token_back_and_ends_the_request() {
    RetryBudget budget = new RetryBudget(3, 0);
    Retries retries = retries(budget);
    attempt(retries, "a", THROTTLED, Lanes.NONE_FREE);
    retries.notSent();
    assertThat(budget.tokens()).isEqualTo(3);
    retries.notSent();
    assertThat(budget.tokens()).isEqualTo(3);
    assertThatIllegalStateException().isThrownBy(() -> retries.granted("a"));
  }

  @Test
  void without_a_token_a_told_throttle_gives_up_for_the_retry_budget_and_a_bare_one_for_pressure() {
    RetryBudget empty = new RetryBudget(1, 0);
    assertThat(empty.tryWithdraw()).isTrue();
    assertThat(attempt(retries(empty), "a", THROTTLED, Lanes.FREE)).isEqualTo(new Reroute());
    assertThat(attempt(retries(empty), "a", THROTTLED, Lanes.NONE_FREE))
        .isEqualTo(new GiveUp(Reason.RETRY_BUDGET));
    assertThat(attempt(retries(empty), "a", Signal.throttled(), Lanes.NONE_FREE))
        .isEqualTo(new GiveUp(Reason.THROTTLE_RETRIES));
  }

  @Test
  void with_neither_waits_nor_tokens_left_the_budget_is_named() {
    RetryBudget budget = new RetryBudget(3, 0);
    Retries retries = retries(budget);
    for (int wait = 1; wait <= 3; wait++) {
      attempt(retries, "a", THROTTLED, Lanes.NONE_FREE);
    }
    assertThat(attempt(retries, "a", THROTTLED, Lanes.NONE_FREE))
        .isEqualTo(new GiveUp(Reason.RETRY_BUDGET));
  }

  @Test
  void giving_up_for_want_of_waits_spends_no_token() {
    RetryBudget budget = new RetryBudget(10, 0);
    Retries retries = new Retries(new RetryOptions(0, 4, false), backoff(), budget);
    assertThat(attempt(retries, "a", THROTTLED, Lanes.NONE_FREE))
        .isEqualTo(new GiveUp(Reason.THROTTLE_RETRIES));
    assertThat(budget.tokens()).isEqualTo(10);
  }

  @Test
  void a_request_that_found_no_free_stream_waits_free_of_charge_and_not_for_ever() {
    RetryBudget budget = new RetryBudget(10, 0);
    Retries retries = retries(budget);
    Signal unsent = Signal.tooManyStreams(Duration.ofMillis(100));
    for (int wait = 0; wait < 3; wait++) {
      assertThat(attempt(retries, "a", unsent, Lanes.NONE_FREE)).isEqualTo(new AwaitLane());
    }
    assertThat(attempt(retries, "a", unsent, Lanes.NONE_FREE))
        .isEqualTo(new GiveUp(Reason.THROTTLE_RETRIES));
    assertThat(budget.tokens()).isEqualTo(10);
  }

  @Test
  void renewed_credentials_are_tried_at_once_and_cost_nothing() {
    RetryBudget budget = new RetryBudget(10, 0);
    Retries retries = retries(budget);
    assertThat(retries.granted("a")).isTrue();
    assertThat(retries.renewed()).isEqualTo(new Reroute());
    assertThat(attempt(retries, "a", Signal.success(), Lanes.NOT_ASKED)).isEqualTo(new Done());
    assertThat(retries.attempts()).isEqualTo(2);
    assertThat(budget.tokens()).isEqualTo(10);
  }

  // ---- transient failures

  @Test
  void a_transient_failure_is_tried_again_after_full_jitter_four_attempts_in_all() {
    Random same = new Random(7);
    Retries retries =
        new Retries(RetryOptions.DEFAULTS.whenRepeatable(), new Backoff(new Random(7)), null);
    Backoff expected = new Backoff(same);
    for (int failure = 0; failure < 3; failure++) {
      long now = -5 * SECOND + failure;
      assertThat(retries.granted("a")).isTrue();
      assertThat(retries.settled(FAILED, now, Lanes.NOT_ASKED))
          .isEqualTo(new RetryAt(now + expected.nanos(failure)));
    }
    assertThat(attempt(retries, "a", FAILED, Lanes.NOT_ASKED))
        .isEqualTo(new GiveUp(Reason.ATTEMPTS));
    assertThat(retries.attempts()).isEqualTo(4);
  }

  @Test
  void a_wait_that_a_failure_asks_of_its_request_is_kept_if_it_is_longer_than_the_back_off() {
    QuotaHint hint =
        new QuotaHint(
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Duration.ofSeconds(30)),
            new QuotaHint.Scope(QuotaHint.Reach.OBJECT, "", QuotaHint.Unit.REQUESTS, "test"));
    Retries retries = new Retries(RetryOptions.DEFAULTS.whenRepeatable(), backoff(), null);
    assertThat(retries.granted("a")).isTrue();
    assertThat(
            retries.settled(
                new Transient(Transient.Kind.SERVER_ERROR, List.of(hint)), 5, Lanes.NOT_ASKED))
        .isEqualTo(new RetryAt(5 + 30 * SECOND));
  }

  @Test
  void attempts_that_were_throttled_do_not_count_as_transient_ones() {
    Retries retries = new Retries(RetryOptions.DEFAULTS.whenRepeatable(), backoff(), null);
    for (int i = 0; i < 3; i++) {
      assertThat(attempt(retries, "a", THROTTLED, Lanes.NONE_FREE)).isEqualTo(new AwaitLane());
      assertThat(attempt(retries, "a", FAILED, Lanes.NOT_ASKED)).isInstanceOf(RetryAt.class);
    }
    assertThat(attempt(retries, "a", FAILED, Lanes.NOT_ASKED))
        .isEqualTo(new GiveUp(Reason.ATTEMPTS));
  }

  @Test
  void after_a_back_off_every_lane_counts_as_not_tried() {
    Retries retries = new Retries(RetryOptions.DEFAULTS.whenRepeatable(), backoff(), null);
    attempt(retries, "a", THROTTLED, Lanes.FREE);
    attempt(retries, "b", FAILED, Lanes.NOT_ASKED);
    assertThat(retries.isTried("a")).isFalse();
    assertThat(retries.granted("a")).isTrue();
    assertThat(retries.throttleRetries()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Transient.Kind.class)
  void after_an_unknown_outcome_only_a_repeatable_request_is_tried_again(Transient.Kind kind) {
    Signal failure = Signal.transientFailure(kind);
    Decision unrepeatable = attempt(retries(null), "a", failure, Lanes.NOT_ASKED);
    if (kind.outcomeUnknown()) {
      assertThat(unrepeatable).isEqualTo(new GiveUp(Reason.OUTCOME_UNKNOWN));
    } else {
      assertThat(unrepeatable).isInstanceOf(RetryAt.class);
    }
    Retries repeatable = new Retries(RetryOptions.DEFAULTS.whenRepeatable(), backoff(), null);
    assertThat(attempt(repeatable, "a", failure, Lanes.NOT_ASKED)).isInstanceOf(RetryAt.class);
  }

  @Test
  void without_a_token_a_transient_failure_gives_up_for_the_retry_budget() {
    RetryBudget budget = new RetryBudget(1, 0);
    Retries retries = new Retries(RetryOptions.DEFAULTS.whenRepeatable(), backoff(), budget);
    assertThat(attempt(retries, "a", FAILED, Lanes.NOT_ASKED)).isInstanceOf(RetryAt.class);
    assertThat(attempt(retries, "a", FAILED, Lanes.NOT_ASKED))
        .isEqualTo(new GiveUp(Reason.RETRY_BUDGET));
  }

  @Test
  void out_of_attempts_gives_up_and_spends_no_token() {
    RetryBudget budget = new RetryBudget(10, 0);
    Retries retries = new Retries(new RetryOptions(3, 1, true), backoff(), budget);
    assertThat(attempt(retries, "a", FAILED, Lanes.NOT_ASKED))
        .isEqualTo(new GiveUp(Reason.ATTEMPTS));
    assertThat(budget.tokens()).isEqualTo(10);
  }

  // ---- misuse

  @Test
  void an_answer_to_nothing_is_refused() {
    Retries retries = retries(null);
    assertThatIllegalStateException()
        .isThrownBy(() -> retries.settled(Signal.success(), 0, Lanes.NOT_ASKED));
    attempt(retries, "a", THROTTLED, Lanes.FREE);
    assertThatIllegalStateException()
        .isThrownBy(() -> retries.settled(Signal.success(), 0, Lanes.NOT_ASKED));
  }

  @Test
  void a_request_that_is_over_takes_nothing_more() {
    Retries done = retries(null);
    attempt(done, "a", Signal.success(), Lanes.NOT_ASKED);
    assertThatIllegalStateException().isThrownBy(() -> done.granted("a"));
    assertThatIllegalStateException()
        .isThrownBy(() -> done.settled(Signal.success(), 0, Lanes.NOT_ASKED));
    Retries givenUp = retries(null);
    attempt(givenUp, "a", FAILED, Lanes.NOT_ASKED);
    assertThatIllegalStateException().isThrownBy(() -> givenUp.granted("a"));
  }

  @Test
  void options_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryOptions(-1, 4, false))
        .withMessageContaining("maxThrottleRetries is -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryOptions(101, 4, false))
        .withMessageContaining("maxThrottleRetries is 101");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryOptions(3, 0, false))
        .withMessageContaining("maxAttempts is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryOptions(3, 1001, false))
        .withMessageContaining("maxAttempts is 1001");
    assertThat(new RetryOptions(100, 1000, true)).isNotNull();
    assertThat(RetryOptions.DEFAULTS).isEqualTo(new RetryOptions(3, 4, false));
  }

  @Test
  void reasons_have_stable_wire_names() {
    assertThat(Reason.values())
        .extracting(Reason::wireName)
        .containsExactly("throttle_retries", "attempts", "retry_budget", "outcome_unknown");
  }

  private static Retries retries(@Nullable RetryBudget budget) {
    return new Retries(RetryOptions.DEFAULTS, backoff(), budget);
  }

  private static Backoff backoff() {
    return new Backoff(new Random(1));
  }

  private static Decision attempt(
      Retries retries, String lane, Signal signal, Lanes untriedLaneFree) {
    assertThat(retries.granted(lane)).isTrue();
    return retries.settled(signal, 0, untriedLaneFree);
  }

  /** Whether some lane that was not tried is free. */
  private enum Lanes implements BooleanSupplier {
    FREE,
    NONE_FREE,
    NOT_ASKED;

    @Override
    public boolean getAsBoolean() {
      assertThat(this).as("asked although the answer does not matter").isNotEqualTo(NOT_ASKED);
      return this == FREE;
    }
  }
}
