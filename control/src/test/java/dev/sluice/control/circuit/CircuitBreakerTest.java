package dev.sluice.control.circuit;

import static dev.sluice.control.circuit.CircuitState.CLOSED;
import static dev.sluice.control.circuit.CircuitState.HALF_OPEN;
import static dev.sluice.control.circuit.CircuitState.OPEN;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitTransition.Reason;
import dev.sluice.control.circuit.CircuitTransition.Trigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  // The origin of monotonic time is arbitrary: here it wraps within the first second of each test.
  private static final long START = Long.MAX_VALUE - 500_000_000L;
  private static final long OPEN_FOR = SECONDS.toNanos(60);

  private static final CircuitOptions FIVE_OF_TEN =
      CircuitOptions.DEFAULTS.withRing(10, 5).withFailuresInRow(0);

  private final CircuitBreaker circuit = new CircuitBreaker(FIVE_OF_TEN, START);

  @Test
  void a_cold_start_cannot_open_the_circuit() {
    for (int i = 0; i < 4; i++) {
      assertThat(fail(circuit, START)).isNull();
    }
    assertThat(circuit.state(START)).isEqualTo(CLOSED);
    assertThat(circuit.admits(START)).isTrue();
  }

  @Test
  void a_circuit_that_has_seen_no_request_stays_closed_however_long_it_is_idle() {
    assertThat(circuit.state(START + HOURS.toNanos(1_000))).isEqualTo(CLOSED);
    assertThat(circuit.admits(START + HOURS.toNanos(1_000))).isTrue();
    assertThat(circuit.lastTransition()).isNull();
  }

  @Test
  void the_fifth_failure_in_a_row_opens_it() {
    long end = START + SECONDS.toNanos(7);
    failTimes(circuit, 4, START);

    CircuitTransition fact = fail(circuit, end);

    assertThat(fact)
        .isEqualTo(
            new CircuitTransition(
                CLOSED,
                OPEN,
                Trigger.FAILURE_RATE,
                Reason.TRANSIENT_FAILURES,
                Duration.ofSeconds(7),
                5,
                OptionalDouble.empty()));
    assertThat(circuit.lastTransition()).isEqualTo(fact);
    assertThat(circuit.state(end)).isEqualTo(OPEN);
  }

  @Test
  void exactly_half_of_the_last_ten_opens_it_and_one_less_does_not() {
    succeedTimes(circuit, 6, START);
    failTimes(circuit, 4, START); // 4 of 10
    assertThat(circuit.state(START)).isEqualTo(CLOSED);

    assertThat(fail(circuit, START)).isNotNull(); // the oldest success made room: 5 of 10
    assertThat(circuit.state(START)).isEqualTo(OPEN);
  }

  @Test
  void failures_older_than_the_last_ten_are_forgotten() {
    succeedTimes(circuit, 5, START);
    failTimes(circuit, 4, START); // 4 of 9
    succeedTimes(circuit, 10, START); // 0 of 10
    failTimes(circuit, 4, START);
    assertThat(circuit.state(START)).isEqualTo(CLOSED);
  }

  @Test
  void even_a_success_opens_it_when_it_completes_the_minimum() {
    failTimes(circuit, 4, START);
    assertThat(succeed(circuit, START)).isNotNull(); // 4 of 5
    assertThat(circuit.state(START)).isEqualTo(OPEN);
  }

  @Test
  void an_open_circuit_refuses_at_once_and_says_when_it_reopens() {
    openAt(circuit, START);

    assertThat(circuit.admits(START)).isFalse();
    assertThat(circuit.triedAgainAt(START)).isEqualTo(START + OPEN_FOR);
    assertThat(circuit.admits(START + OPEN_FOR - 1)).isFalse();
    assertThat(circuit.state(START + OPEN_FOR - 1)).isEqualTo(OPEN);
    assertThatThrownBy(() -> circuit.start(START + OPEN_FOR - 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("open")
        .hasMessageContaining("admits(now)");
  }

  @Test
  void asking_an_open_circuit_changes_nothing() {
    openAt(circuit, START);
    int generation = circuit.generation();
    CircuitTransition last = circuit.lastTransition();

    for (long at = START; at - (START + 2 * OPEN_FOR) < 0; at += SECONDS.toNanos(1)) {
      boolean admitted = circuit.admits(at);
      assertThat(circuit.state(at)).isEqualTo(admitted ? HALF_OPEN : OPEN);
    }

    assertThat(circuit.generation()).isEqualTo(generation);
    assertThat(circuit.lastTransition()).isSameAs(last);
    assertThat(circuit.admits(START)).isFalse();
  }

  @Test
  void an_open_circuit_whose_time_has_come_counts_as_half_open_and_the_first_start_makes_it_so() {
    openAt(circuit, START);
    long due = START + OPEN_FOR;

    assertThat(circuit.state(due)).isEqualTo(HALF_OPEN);
    assertThat(circuit.triedAgainAt(due)).isEqualTo(due);

    assertThat(circuit.start(due))
        .isEqualTo(
            new CircuitTransition(
                OPEN,
                HALF_OPEN,
                Trigger.OPEN_TIME_OVER,
                Reason.TRANSIENT_FAILURES,
                Duration.ofSeconds(60),
                5,
                OptionalDouble.empty()));
    assertThat(circuit.state(due)).isEqualTo(HALF_OPEN);
  }

  @Test
  void a_circuit_that_is_not_open_reopens_now() {
    assertThat(circuit.triedAgainAt(START + 5)).isEqualTo(START + 5);
  }

  @Test
  void half_open_admits_exactly_the_permitted_probes() {
    CircuitBreaker three = new CircuitBreaker(FIVE_OF_TEN.withProbes(3), START);
    openAt(three, START);
    long due = START + OPEN_FOR;

    int admitted = 0;
    while (three.admits(due)) {
      CircuitTransition unused = three.start(due);
      admitted++;
    }

    assertThat(admitted).isEqualTo(3);
    assertThat(three.admits(due + HOURS.toNanos(9))).isFalse();
    assertThatThrownBy(() -> three.start(due)).isInstanceOf(IllegalStateException.class);
    assertThat(three.healthy(null, three.generation(), due)).isNull();
    assertThat(three.admits(due)).as("an answered probe is not replaced").isFalse();
  }

  @Test
  void the_probes_success_closes_it_and_clears_the_past() {
    int probe = probeOf(circuit);
    long answered = START + OPEN_FOR + SECONDS.toNanos(2);

    assertThat(circuit.healthy(null, probe, answered))
        .isEqualTo(
            new CircuitTransition(
                HALF_OPEN,
                CLOSED,
                Trigger.PROBE_SUCCEEDED,
                Reason.RECOVERED,
                Duration.ofSeconds(2),
                6,
                OptionalDouble.empty()));

    failTimes(circuit, 4, answered);
    assertThat(circuit.state(answered)).as("four failures of four").isEqualTo(CLOSED);
  }

  @Test
  void the_probes_failure_opens_it_again_for_the_whole_time() {
    int probe = probeOf(circuit);
    long answered = START + OPEN_FOR + SECONDS.toNanos(2);

    CircuitTransition fact = circuit.failure(FailureKind.THROTTLED, null, probe, answered);

    assertThat(fact)
        .isEqualTo(
            new CircuitTransition(
                HALF_OPEN,
                OPEN,
                Trigger.PROBE_FAILED,
                Reason.THROTTLES,
                Duration.ofSeconds(2),
                6,
                OptionalDouble.empty()));
    assertThat(circuit.triedAgainAt(answered)).isEqualTo(answered + OPEN_FOR);
    assertThat(circuit.admits(answered + OPEN_FOR - 1)).isFalse();
    assertThat(circuit.admits(answered + OPEN_FOR)).isTrue();
  }

  @Test
  void several_probes_are_judged_together_when_the_last_is_answered() {
    CircuitBreaker three = new CircuitBreaker(FIVE_OF_TEN.withProbes(3), START);
    long due = START + OPEN_FOR;
    int probe = probeOf(three);
    startTimes(three, 2, due);

    assertThat(three.failure(FailureKind.TRANSIENT, null, probe, due)).isNull();
    assertThat(three.healthy(null, probe, due)).isNull();
    assertThat(three.healthy(null, probe, due)).isNotNull(); // 1 of 3 failed: less than half

    assertThat(three.state(due)).isEqualTo(CLOSED);
  }

  @Test
  void a_probe_that_was_abandoned_is_handed_back_and_was_no_request() {
    int probe = probeOf(circuit);
    long due = START + OPEN_FOR;
    assertThat(circuit.admits(due)).isFalse();

    circuit.abandoned(probe);

    assertThat(circuit.state(due)).isEqualTo(HALF_OPEN);
    assertThat(circuit.admits(due)).isTrue();
    assertThat(circuit.start(due)).as("it is half-open already").isNull();
    assertThat(circuit.admits(due)).isFalse();
    CircuitTransition closed = requireNonNull(circuit.healthy(null, circuit.generation(), due));
    assertThat(closed.requests()).isEqualTo(6);
  }

  @Test
  void a_probe_whose_answer_does_not_count_is_handed_back_but_was_a_request() {
    int probe = probeOf(circuit);
    long due = START + OPEN_FOR;

    circuit.uncounted(probe);

    assertThat(circuit.admits(due)).isTrue();
    startTimes(circuit, 1, due);
    CircuitTransition closed = requireNonNull(circuit.healthy(null, circuit.generation(), due));
    assertThat(closed.requests()).isEqualTo(7);
  }

  @Test
  void a_late_answer_from_before_the_opening_neither_closes_nor_reopens_a_half_open_circuit() {
    startTimes(circuit, 3, START);
    int early = circuit.generation();
    int probe = probeOf(circuit);
    long due = START + OPEN_FOR;

    assertThat(circuit.healthy(null, early, due)).isNull();
    assertThat(circuit.failure(FailureKind.TRANSIENT, null, early, due)).isNull();
    circuit.uncounted(early);

    assertThat(circuit.state(due)).isEqualTo(HALF_OPEN);
    assertThat(circuit.admits(due)).as("the probe is still out").isFalse();
    assertThat(circuit.healthy(null, probe, due)).isNotNull();
  }

  @Test
  void late_failures_from_before_the_opening_do_not_count_in_the_closed_circuit_after_it() {
    startTimes(circuit, 10, START);
    int early = circuit.generation();
    int probe = probeOf(circuit);
    long due = START + OPEN_FOR;
    assertThat(circuit.healthy(null, probe, due)).isNotNull();

    for (int i = 0; i < 10; i++) {
      assertThat(circuit.failure(FailureKind.TRANSIENT, null, early, due)).isNull();
    }
    assertThat(circuit.state(due)).isEqualTo(CLOSED);
  }

  @Test
  void late_failures_do_not_lengthen_the_time_that_it_is_open() {
    startTimes(circuit, 10, START);
    int early = circuit.generation();
    openAt(circuit, START);

    assertThat(circuit.failure(FailureKind.TRANSIENT, null, early, START + OPEN_FOR / 2)).isNull();

    assertThat(circuit.triedAgainAt(START + OPEN_FOR / 2)).isEqualTo(START + OPEN_FOR);
  }

  @Test
  void the_kind_of_most_failures_is_the_reason_and_a_draw_is_transient() {
    assertThat(reasonOfOpening(FailureKind.THROTTLED, 3)).isEqualTo(Reason.THROTTLES);
    assertThat(reasonOfOpening(FailureKind.THROTTLED, 2)).isEqualTo(Reason.TRANSIENT_FAILURES);
    assertThat(reasonOfOpening(FailureKind.TRANSIENT, 3)).isEqualTo(Reason.TRANSIENT_FAILURES);
    assertThat(reasonOfOpening(FailureKind.UNSETTLED, 3)).isEqualTo(Reason.UNSETTLED_PERMITS);
    assertThat(reasonOfOpening(FailureKind.UNSETTLED, 1)).isEqualTo(Reason.THROTTLES);
  }

  @Test
  void throttles_that_left_the_ring_are_no_reason() {
    CircuitOptions options = CircuitOptions.DEFAULTS.withRing(4, 4).withFailureRate(0.75);
    CircuitBreaker small = new CircuitBreaker(options, START);
    for (int i = 0; i < 2; i++) {
      startTimes(small, 1, START);
      assertThat(small.failure(FailureKind.THROTTLED, null, small.generation(), START)).isNull();
    }
    succeedTimes(small, 4, START);
    failTimes(small, 2, START);
    CircuitTransition fact = requireNonNull(fail(small, START));
    assertThat(fact.reason()).isEqualTo(Reason.TRANSIENT_FAILURES);
  }

  @Test
  void a_person_closes_an_open_circuit() {
    openAt(circuit, START);

    assertThat(circuit.reset(START + SECONDS.toNanos(3)))
        .isEqualTo(
            new CircuitTransition(
                OPEN,
                CLOSED,
                Trigger.OPERATOR,
                Reason.OPERATOR,
                Duration.ofSeconds(3),
                5,
                OptionalDouble.empty()));
    assertThat(circuit.admits(START + SECONDS.toNanos(3))).isTrue();
  }

  @Test
  void resetting_a_closed_circuit_forgets_the_past_and_is_no_transition() {
    startTimes(circuit, 1, START);
    int early = circuit.generation();
    failTimes(circuit, 4, START);

    assertThat(circuit.reset(START)).isNull();

    assertThat(circuit.failure(FailureKind.TRANSIENT, null, early, START)).isNull();
    failTimes(circuit, 4, START);
    assertThat(circuit.state(START)).isEqualTo(CLOSED);
    assertThat(circuit.lastTransition()).isNull();
  }

  @Test
  void a_circuit_that_is_off_never_opens() {
    CircuitBreaker off = new CircuitBreaker(CircuitOptions.off(), START);
    failTimes(off, 1_000, START);
    assertThat(off.state(START)).isEqualTo(CLOSED);
    assertThat(off.admits(START)).isTrue();
    assertThat(off.lastTransition()).isNull();
  }

  @Test
  void all_attempts_of_a_call_hold_one_place_so_one_bad_record_cannot_open_it() {
    Object bad = new Object();
    for (int i = 0; i < 100; i++) {
      assertThat(fail(circuit, bad, START)).as("attempt %s", i).isNull();
    }
    assertThat(circuit.state(START)).isEqualTo(CLOSED);
    failTimes(circuit, 3, START);
    assertThat(circuit.state(START)).as("4 calls have failed").isEqualTo(CLOSED);
    assertThat(fail(circuit, START)).as("the fifth").isNotNull();
  }

  @Test
  void a_later_success_of_a_call_turns_its_place_good_and_a_later_failure_leaves_it_bad() {
    List<Object> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Object call = new Object();
      calls.add(call);
      assertThat(fail(circuit, call, START)).isNull();
      assertThat(fail(circuit, call, START)).isNull();
    }
    assertThat(succeed(circuit, calls.get(0), START)).as("3 of 4").isNull();
    assertThat(succeed(circuit, calls.get(1), START)).as("2 of 4").isNull();
    assertThat(succeed(circuit, START)).as("2 of 5").isNull();
    assertThat(fail(circuit, START)).as("3 of 6").isNotNull();
  }

  @Test
  void a_call_whose_last_attempt_failed_counts_as_failed_whatever_came_before() {
    CircuitBreaker two = new CircuitBreaker(FIVE_OF_TEN.withRing(2, 2), START);
    Object call = new Object();
    assertThat(succeed(two, call, START)).isNull();
    assertThat(succeed(two, START)).isNull();
    assertThat(fail(two, call, START)).as("1 of 2").isNotNull();
  }

  @Test
  void eight_calls_that_fail_with_no_success_between_open_it_long_before_the_ring_is_full() {
    CircuitBreaker fresh = new CircuitBreaker(CircuitOptions.DEFAULTS, START);
    failTimes(fresh, 7, START);
    assertThat(succeed(fresh, START)).isNull();
    failTimes(fresh, 7, START);
    assertThat(fresh.state(START)).as("7 in a row, twice").isEqualTo(CLOSED);

    CircuitTransition fact = requireNonNull(fail(fresh, START));

    assertThat(fact.trigger()).isEqualTo(Trigger.FAILURES_IN_ROW);
    assertThat(fact.reason()).isEqualTo(Reason.TRANSIENT_FAILURES);
  }

  @Test
  void retries_of_few_calls_are_no_row_of_failures_and_a_late_success_of_one_ends_the_row() {
    CircuitBreaker fresh = new CircuitBreaker(CircuitOptions.DEFAULTS, START);
    List<Object> calls = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      calls.add(new Object());
    }
    for (int attempt = 0; attempt < 4; attempt++) {
      for (Object call : calls) {
        assertThat(fail(fresh, call, START)).isNull();
      }
    }
    assertThat(succeed(fresh, calls.get(0), START)).isNull();
    failTimes(fresh, 7, START);
    assertThat(fresh.state(START)).isEqualTo(CLOSED);
    assertThat(fail(fresh, START)).isNotNull();
  }

  @Test
  void half_of_the_last_twenty_calls_open_it_and_one_less_does_not() {
    CircuitBreaker fresh = new CircuitBreaker(CircuitOptions.DEFAULTS, START);
    for (int i = 0; i < 9; i++) {
      assertThat(fail(fresh, START)).isNull();
      assertThat(succeed(fresh, START)).isNull();
    }
    assertThat(succeed(fresh, START)).isNull();
    assertThat(succeed(fresh, START)).as("9 of 20").isNull();
    assertThat(fail(fresh, START)).as("the oldest, a failure, made room: 9 of 20").isNull();
    assertThat(requireNonNull(fail(fresh, START)).trigger()).isEqualTo(Trigger.FAILURE_RATE);
  }

  @Test
  void it_knows_which_calls_failed_even_after_it_has_closed_again() {
    Object bad = new Object();
    Object good = new Object();
    Object healed = new Object();
    assertThat(fail(circuit, bad, START)).isNull();
    assertThat(fail(circuit, healed, START)).isNull();
    assertThat(succeed(circuit, healed, START)).isNull();
    failTimes(circuit, 3, START);
    assertThat(circuit.state(START)).isEqualTo(OPEN);
    long due = START + OPEN_FOR;
    startTimes(circuit, 1, due);

    assertThat(circuit.hasFailed(bad)).isTrue();
    assertThat(circuit.hasFailed(healed)).isFalse();
    assertThat(circuit.hasFailed(good)).isFalse();

    assertThat(circuit.failure(FailureKind.TRANSIENT, good, circuit.generation(), due)).isNotNull();
    assertThat(circuit.hasFailed(good)).as("the probe that failed").isTrue();

    startTimes(circuit, 1, due + OPEN_FOR);
    assertThat(circuit.healthy(null, circuit.generation(), due + OPEN_FOR)).isNotNull();
    assertThat(circuit.hasFailed(bad)).isTrue();
    assertThat(circuit.hasFailed(good)).isTrue();
  }

  @Test
  void the_retry_of_a_call_that_has_lost_its_place_says_nothing_new() {
    CircuitBreaker usual = new CircuitBreaker(CircuitOptions.DEFAULTS, START);
    Object[] bad = new Object[8];
    for (int i = 0; i < bad.length; i++) {
      bad[i] = new Object();
      assertThat(fail(usual, bad[i], START)).isNull();
      assertThat(succeed(usual, new Object(), START)).isNull();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(succeed(usual, new Object(), START)).isNull();
    }
    for (Object call : bad) {
      assertThat(fail(usual, call, START)).isNull();
    }
    assertThat(usual.state(START)).isEqualTo(CLOSED);
  }

  private static Reason reasonOfOpening(FailureKind kind, int times) {
    CircuitOptions options = CircuitOptions.DEFAULTS.withRing(4, 4);
    CircuitBreaker circuit = new CircuitBreaker(options, START);
    FailureKind other =
        kind == FailureKind.THROTTLED ? FailureKind.TRANSIENT : FailureKind.THROTTLED;
    CircuitTransition fact = null;
    for (int i = 0; i < 4; i++) {
      startTimes(circuit, 1, START);
      fact = circuit.failure(i < times ? kind : other, null, circuit.generation(), START);
    }
    return requireNonNull(fact).reason();
  }

  /** Opens a circuit at {@link #START} and takes its first probe as soon as that is possible. */
  private static int probeOf(CircuitBreaker circuit) {
    openAt(circuit, START);
    startTimes(circuit, 1, START + OPEN_FOR);
    return circuit.generation();
  }

  private static void openAt(CircuitBreaker circuit, long now) {
    failTimes(circuit, 5, now);
    assertThat(circuit.state(now)).isEqualTo(OPEN);
  }

  private static void startTimes(CircuitBreaker circuit, int times, long now) {
    for (int i = 0; i < times; i++) {
      CircuitTransition unused = circuit.start(now);
    }
  }

  private static void failTimes(CircuitBreaker circuit, int times, long now) {
    for (int i = 0; i < times; i++) {
      CircuitTransition unused = fail(circuit, now);
    }
  }

  private static void succeedTimes(CircuitBreaker circuit, int times, long now) {
    for (int i = 0; i < times; i++) {
      assertThat(succeed(circuit, now)).isNull();
    }
  }

  private static @Nullable CircuitTransition fail(CircuitBreaker circuit, long now) {
    return fail(circuit, null, now);
  }

  private static @Nullable CircuitTransition fail(
      CircuitBreaker circuit, @Nullable Object call, long now) {
    startTimes(circuit, 1, now);
    return circuit.failure(FailureKind.TRANSIENT, call, circuit.generation(), now);
  }

  private static @Nullable CircuitTransition succeed(CircuitBreaker circuit, long now) {
    return succeed(circuit, null, now);
  }

  private static @Nullable CircuitTransition succeed(
      CircuitBreaker circuit, @Nullable Object call, long now) {
    startTimes(circuit, 1, now);
    return circuit.healthy(call, circuit.generation(), now);
  }
}
