package dev.sluice.control.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryBudgetTest {

  @ParameterizedTest
  @CsvSource({"1,1", "9,9", "10,10", "11,10", "1000,10", "1000000000,10"})
  void starts_with_ten_tokens_or_its_capacity(int capacity, long tokens) {
    assertThat(new RetryBudget(capacity, 0.2).tokens()).isEqualTo(tokens);
  }

  @Test
  void five_successes_earn_one_retry_exactly_however_often() {
    RetryBudget budget = new RetryBudget(100, 0.2);
    drain(budget);
    for (int i = 0; i < 100_000; i++) {
      for (int success = 0; success < 4; success++) {
        budget.deposit();
      }
      assertThat(budget.tokens()).isZero();
      budget.deposit();
      assertThat(budget.tryWithdraw()).isTrue();
      assertThat(budget.tokens()).isZero();
    }
    assertThat(budget.tryWithdraw()).isFalse();
  }

  @Test
  void an_empty_budget_pays_for_nothing_and_stays_empty() {
    RetryBudget budget = new RetryBudget(3, 0.2);
    assertThat(drain(budget)).isEqualTo(3);
    assertThat(budget.tryWithdraw()).isFalse();
    assertThat(budget.tryWithdraw()).isFalse();
    assertThat(budget.tokens()).isZero();
  }

  @Test
  void saves_up_no_more_than_its_capacity() {
    RetryBudget budget = new RetryBudget(12, 0.7);
    for (int i = 0; i < 1_000; i++) {
      budget.deposit();
    }
    assertThat(budget.tokens()).isEqualTo(12);
    assertThat(drain(budget)).isEqualTo(12);
  }

  @Test
  void a_retry_that_was_not_made_gives_its_token_back_within_the_capacity() {
    RetryBudget budget = new RetryBudget(3, 0.2);
    assertThat(budget.tryWithdraw()).isTrue();
    budget.giveBack();
    assertThat(budget.tokens()).isEqualTo(3);
    budget.giveBack();
    assertThat(budget.tokens()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "1,1",
    "5,1",
    "6,2",
    "10,2",
    "11,3",
    "1000,200",
    "5000000001,1000000000",
    "9223372036854775807,1000000000"
  })
  void holds_a_fifth_of_the_request_cap_rounded_up(long cap, int capacity) {
    RetryBudget budget = RetryBudget.forRequestCap(OptionalLong.of(cap));
    assertThat(budget.capacity()).isEqualTo(capacity);
    assertThat(budget.tokens()).isEqualTo(Math.min(10, capacity));
    drain(budget);
    for (int i = 0; i < 5; i++) {
      budget.deposit();
    }
    assertThat(budget.tokens()).isEqualTo(1);
  }

  @Test
  void holds_a_hundred_without_a_request_cap() {
    RetryBudget budget = RetryBudget.forRequestCap(OptionalLong.empty());
    assertThat(budget.capacity()).isEqualTo(100);
    for (int i = 0; i < 1_000; i++) {
      budget.deposit();
    }
    assertThat(budget.tokens()).isEqualTo(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void retries_never_exceed_the_first_tokens_and_a_fifth_of_the_successes(long seed) {
    Random random = new Random(seed);
    RetryBudget budget = new RetryBudget(random.nextInt(1, 200), 0.2);
    long successes = 0;
    long retries = 0;
    for (int i = 0; i < 10_000; i++) {
      if (random.nextInt(3) > 0) {
        budget.deposit();
        successes++;
      } else if (budget.tryWithdraw()) {
        retries++;
      }
      assertThat(retries).as("seed %d", seed).isLessThanOrEqualTo(10 + successes / 5);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 1_000_000_001})
  void a_capacity_out_of_range_is_refused(int capacity) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryBudget(capacity, 0.2))
        .withMessageStartingWith("retryBudget.capacity is " + capacity + ", but must ");
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
  void a_refill_out_of_range_is_refused(double refill) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryBudget(1, refill))
        .withMessageStartingWith("retryBudget.refill is " + refill + ", but must ");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void a_request_cap_out_of_range_is_refused(long cap) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetryBudget.forRequestCap(OptionalLong.of(cap)))
        .withMessageContaining("requestCap is " + cap);
  }

  private static int drain(RetryBudget budget) {
    int withdrawn = 0;
    while (budget.tryWithdraw()) {
      withdrawn++;
    }
    return withdrawn;
  }
}
