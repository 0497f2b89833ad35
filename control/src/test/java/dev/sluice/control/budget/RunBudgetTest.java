package dev.sluice.control.budget;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunBudgetTest {
  private static final long SECOND = SECONDS.toNanos(1);

  @Test
  void without_an_envelope_a_run_is_unbounded() {
    for (RunBudget budget :
        List.of(RunBudget.unbounded(), RunBudget.of(OptionalLong.empty(), Optional.empty()))) {
      for (long now : new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE}) {
        assertThat(budget.tryReserve(now)).isEqualTo(Verdict.GRANTED);
        assertThat(budget.deadline(now)).isEqualTo(RunBudget.NEVER);
        assertThat(budget.remaining(now)).isEqualTo(RunBudget.NEVER);
      }
      assertThat(budget.used()).isEqualTo(3);
      assertThat(budget.requestCap()).isEmpty();
      assertThat(budget.wallClock()).isEmpty();
    }
  }

  @Test
  void unbounded_runs_do_not_share_their_count() {
    assertThat(RunBudget.unbounded().tryReserve(0)).isEqualTo(Verdict.GRANTED);
    assertThat(RunBudget.unbounded().used()).isZero();
  }

  @Test
  void every_attempt_counts_up_to_the_request_cap() {
    RunBudget budget = RunBudget.ofRequests(3);
    assertThat(budget.requestCap()).hasValue(3);
    for (int i = 1; i <= 3; i++) {
      assertThat(budget.ask(0)).isEqualTo(Verdict.GRANTED);
      assertThat(budget.tryReserve(0)).isEqualTo(Verdict.GRANTED);
      assertThat(budget.used()).isEqualTo(i);
    }
    assertThat(budget.ask(0)).isEqualTo(Verdict.REQUEST_CAP);
    assertThat(budget.tryReserve(0)).isEqualTo(Verdict.REQUEST_CAP);
    assertThat(budget.used()).isEqualTo(3);
  }

  @Test
  void an_attempt_that_was_not_made_is_given_back() {
    RunBudget budget = RunBudget.ofRequests(1);
    assertThat(budget.tryReserve(0)).isEqualTo(Verdict.GRANTED);
    budget.giveBack();
    assertThat(budget.used()).isZero();
    assertThat(budget.tryReserve(0)).isEqualTo(Verdict.GRANTED);
    assertThat(budget.tryReserve(0)).isEqualTo(Verdict.REQUEST_CAP);
  }

  @Test
  void what_was_never_reserved_cannot_be_given_back() {
    RunBudget budget = RunBudget.ofRequests(1);
    assertThatIllegalStateException().isThrownBy(budget::giveBack);
    assertThat(budget.used()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -90_000_000_000L, Long.MAX_VALUE, Long.MIN_VALUE})
  void the_clock_starts_at_the_first_question_and_its_end_is_outside(long first) {
    RunBudget budget = RunBudget.ofTime(Duration.ofSeconds(60));
    assertThat(budget.wallClock()).contains(Duration.ofSeconds(60));
    assertThat(budget.tryReserve(first)).isEqualTo(Verdict.GRANTED);
    assertThat(budget.deadline(first + 5)).isEqualTo(first + 60 * SECOND);
    assertThat(budget.remaining(first + 59 * SECOND)).isEqualTo(SECOND);
    assertThat(budget.tryReserve(first + 60 * SECOND - 1)).isEqualTo(Verdict.GRANTED);
    assertThat(budget.tryReserve(first + 60 * SECOND)).isEqualTo(Verdict.WALL_CLOCK);
    assertThat(budget.ask(first + 61 * SECOND)).isEqualTo(Verdict.WALL_CLOCK);
    assertThat(budget.remaining(first + 61 * SECOND)).isZero();
    assertThat(budget.used()).isEqualTo(2);
  }

  @Test
  void any_question_starts_the_clock() {
    RunBudget asked = RunBudget.ofTime(Duration.ofSeconds(1));
    assertThat(asked.ask(7)).isEqualTo(Verdict.GRANTED);
    RunBudget measured = RunBudget.ofTime(Duration.ofSeconds(1));
    assertThat(measured.remaining(7)).isEqualTo(SECOND);
    for (RunBudget budget : List.of(asked, measured)) {
      assertThat(budget.deadline(100)).isEqualTo(7 + SECOND);
    }
  }

  @Test
  void the_cap_is_named_before_the_clock_if_both_are_spent() {
    RunBudget budget = RunBudget.of(OptionalLong.of(1), Optional.of(Duration.ofSeconds(1)));
    assertThat(budget.tryReserve(0)).isEqualTo(Verdict.GRANTED);
    assertThat(budget.tryReserve(2 * SECOND)).isEqualTo(Verdict.REQUEST_CAP);
    budget.giveBack();
    assertThat(budget.tryReserve(2 * SECOND)).isEqualTo(Verdict.WALL_CLOCK);
  }

  @Test
  void a_deadline_is_never_taken_for_no_deadline() {
    RunBudget budget = RunBudget.ofTime(Duration.ofNanos(10));
    assertThat(budget.deadline(Long.MAX_VALUE - 10)).isEqualTo(Long.MAX_VALUE - 1);
  }

  @Test
  void a_clock_too_long_to_matter_is_none() {
    RunBudget budget = RunBudget.ofTime(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(budget.tryReserve(0)).isEqualTo(Verdict.GRANTED);
    assertThat(budget.deadline(0)).isEqualTo(RunBudget.NEVER);
    RunBudget longest = RunBudget.ofTime(Duration.ofNanos(Long.MAX_VALUE / 2));
    assertThat(longest.deadline(-5)).isEqualTo(Long.MAX_VALUE / 2 - 5);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void a_cap_or_a_clock_that_leaves_nothing_is_refused(long value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunBudget.ofRequests(value))
        .withMessageContaining("requestCap is " + value + ", but must");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunBudget.ofTime(Duration.ofNanos(value)))
        .withMessageContaining("wallClock is ");
  }

  @Test
  void verdicts_have_stable_wire_names() {
    assertThat(Verdict.values())
        .extracting(Verdict::wireName)
        .containsExactly("granted", "request_cap", "wall_clock");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void never_overshoots_and_never_forgets(long seed) {
    Random random = new Random(seed);
    long cap = random.nextLong(1, 50);
    RunBudget budget = RunBudget.of(OptionalLong.of(cap), Optional.of(Duration.ofNanos(1_000)));
    long now = random.nextLong();
    long end = now + 1_000;
    long held = 0;
    for (int i = 0; i < 500; i++) {
      if (held > 0 && random.nextInt(3) == 0) {
        budget.giveBack();
        held--;
      } else {
        Verdict verdict = budget.tryReserve(now);
        Verdict expected =
            held == cap
                ? Verdict.REQUEST_CAP
                : now - end >= 0 ? Verdict.WALL_CLOCK : Verdict.GRANTED;
        assertThat(verdict).as("seed %d, step %d", seed, i).isEqualTo(expected);
        held += verdict == Verdict.GRANTED ? 1 : 0;
      }
      assertThat(budget.used()).as("seed %d", seed).isEqualTo(held).isLessThanOrEqualTo(cap);
      now += random.nextInt(5);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 30 * Integer.getInteger("sluice.seeds", 1));
  }

  @Test
  void many_threads_together_reserve_exactly_the_cap() throws InterruptedException {
    RunBudget budget = RunBudget.ofRequests(10_000);
    AtomicLong granted = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (budget.tryReserve(0) == Verdict.GRANTED) {
                      granted.incrementAndGet();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(granted).hasValue(10_000);
    assertThat(budget.used()).isEqualTo(10_000);
  }

  @Test
  void asking_allocates_nothing() {
    RunBudget budget = RunBudget.of(OptionalLong.of(50_000), Optional.of(Duration.ofSeconds(1)));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long fewest = Long.MAX_VALUE;
    for (int round = 0; round < 200 && fewest >= 1_000; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 20_000; i++) {
        budget.tryReserve(i);
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(fewest).isLessThan(1_000);
  }
}
