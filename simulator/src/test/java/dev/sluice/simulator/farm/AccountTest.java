package dev.sluice.simulator.farm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What service protection counts for one user on one server, and when it refuses. */
class AccountTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long WINDOW = 10 * SECOND;
  private static final ProtectionOptions OPTIONS =
      ProtectionOptions.UNLIMITED
          .withWindow(Duration.ofSeconds(10))
          .withWaits(Duration.ofSeconds(1), Duration.ofSeconds(60))
          .withPress(Duration.ofSeconds(2));

  private static Account account(ProtectionOptions options) {
    return new Account(options, 0);
  }

  private static void runs(Account account, long from, long to) {
    assertThat(account.admit(from)).isNull();
    account.finish(to - from, to);
  }

  private static Throttle refused(@Nullable Throttle throttle) {
    assertThat(throttle).isNotNull();
    return Objects.requireNonNull(throttle);
  }

  @Test
  void the_request_after_the_last_that_fits_is_refused_until_the_first_has_left_the_window() {
    Account account = account(OPTIONS.withRequests(3));
    runs(account, 0, 0);
    runs(account, SECOND, SECOND);
    runs(account, SECOND, SECOND);
    assertThat(account.requestsLeft(SECOND)).isZero();
    Throttle throttle = refused(account.admit(2 * SECOND));
    assertThat(throttle).isEqualTo(new Throttle(Facet.REQUESTS, Duration.ofSeconds(8)));
    assertThat(account.requestsLeft(WINDOW - 1)).isZero();
    assertThat(account.requestsLeft(WINDOW)).isEqualTo(1);
    assertThat(account.admit(WINDOW)).isNull();
    assertThat(refused(account.admit(WINDOW)).retryAfter()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void execution_time_counts_when_a_request_ends_and_may_overshoot() {
    Account account = account(OPTIONS.withExecutionTime(Duration.ofSeconds(4)));
    assertThat(account.admit(0)).isNull();
    assertThat(account.admit(0)).isNull();
    account.finish(3 * SECOND, 3 * SECOND);
    assertThat(account.executionTimeLeft(3 * SECOND)).isEqualTo(Duration.ofSeconds(1));
    assertThat(account.admit(3 * SECOND)).isNull();
    account.finish(5 * SECOND, 5 * SECOND);
    assertThat(account.executionTimeLeft(5 * SECOND)).isEqualTo(Duration.ZERO);
    Throttle throttle = refused(account.admit(5 * SECOND));
    assertThat(throttle.facet()).isEqualTo(Facet.EXECUTION_TIME);
    // 3 s leave at 13, which leaves 5: too many still; all has left at 15.
    assertThat(throttle.retryAfter()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void execution_time_that_accrues_counts_while_the_request_runs() {
    Account account =
        account(
            OPTIONS.withExecutionTime(Duration.ofSeconds(4)).withCharging(Charging.AS_IT_ACCRUES));
    assertThat(account.admit(0)).isNull();
    assertThat(account.admit(0)).isNull();
    assertThat(account.executionTimeLeft(SECOND)).isEqualTo(Duration.ofSeconds(2));
    assertThat(account.admit(2 * SECOND - 1)).isNull();
    Throttle throttle = refused(account.admit(2 * SECOND));
    assertThat(throttle.facet()).isEqualTo(Facet.EXECUTION_TIME);
    account.finish(2 * SECOND, 2 * SECOND);
    account.finish(2 * SECOND, 2 * SECOND);
    account.finish(1, 2 * SECOND);
    assertThat(account.admit(2 * SECOND + throttle.retryAfter().toNanos())).isNull();
  }

  @Test
  void as_many_as_allowed_run_at_once_and_one_more_is_let_in_as_soon_as_there_is_room() {
    Account account = account(OPTIONS.withConcurrent(2));
    assertThat(account.admit(0)).isNull();
    assertThat(account.admit(0)).isNull();
    assertThat(refused(account.admit(0)))
        .isEqualTo(new Throttle(Facet.CONCURRENCY, Duration.ofSeconds(1)));
    assertThat(account.inFlight()).isEqualTo(2);
    account.finish(0, 1);
    assertThat(account.admit(1)).isNull();
  }

  @Test
  void with_a_lock_room_does_not_help_before_the_wait_is_over() {
    Account account = account(OPTIONS.withConcurrent(1).withConcurrencyLocks(true));
    assertThat(account.admit(0)).isNull();
    Throttle throttle = refused(account.admit(0));
    account.finish(0, 1);
    assertThat(refused(account.admit(1)).facet()).isEqualTo(Facet.CONCURRENCY);
    assertThat(account.admit(throttle.retryAfter().toNanos())).isNull();
  }

  @Test
  void what_was_refused_does_not_count() {
    Account account = account(OPTIONS.withRequests(1));
    runs(account, 0, 0);
    for (int i = 0; i < 5; i++) {
      refused(account.admit(0));
    }
    assertThat(account.admit(WINDOW)).isNull();
    assertThat(account.tally().accepted()).isEqualTo(2);
    assertThat(account.tally().refused(Facet.REQUESTS)).isEqualTo(5);
    assertThat(account.tally().refused()).isEqualTo(5);
  }

  @Test
  void pressing_while_told_to_wait_lengthens_the_wait_but_not_before_one_could_know() {
    Account account = account(OPTIONS.withRequests(1));
    runs(account, 0, 0);
    assertThat(refused(account.admit(0)).retryAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(refused(account.admit(SECOND)).retryAfter()).isEqualTo(Duration.ofSeconds(9));
    assertThat(account.tally().pressed()).isZero();
    assertThat(refused(account.admit(3 * SECOND)).retryAfter()).isEqualTo(Duration.ofSeconds(9));
    assertThat(refused(account.admit(11 * SECOND)).retryAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(account.tally().pressed()).isEqualTo(2);
    assertThat(account.admit(14 * SECOND)).isNull();
  }

  @Test
  void no_wait_is_longer_than_the_longest_however_one_presses() {
    Account account = account(OPTIONS.withRequests(1));
    runs(account, 0, 0);
    refused(account.admit(0));
    for (int i = 0; i < 100; i++) {
      assertThat(refused(account.admit(2 * SECOND)).retryAfter())
          .isLessThanOrEqualTo(Duration.ofSeconds(60));
    }
    assertThat(account.toldUntil()).isEqualTo(62 * SECOND);
  }

  @ParameterizedTest
  @EnumSource
  void a_limit_of_zero_refuses_everything_and_tells_the_longest_wait(Facet facet) {
    ProtectionOptions options =
        switch (facet) {
          case REQUESTS -> OPTIONS.withRequests(0);
          case EXECUTION_TIME -> OPTIONS.withExecutionTime(Duration.ZERO);
          case CONCURRENCY -> OPTIONS.withConcurrent(0);
        };
    Duration expected = Duration.ofSeconds(facet == Facet.CONCURRENCY ? 1 : 60);
    for (long origin : new long[] {0, -5 * SECOND, Long.MAX_VALUE / 2}) {
      Account account = new Account(options, origin);
      assertThat(account.admit(origin)).isEqualTo(new Throttle(facet, expected));
      assertThat(refused(account.admit(origin + 300 * SECOND)).facet()).isEqualTo(facet);
    }
  }

  @Test
  void new_limits_hold_from_the_next_request_on_and_forget_nothing() {
    Account account = account(OPTIONS.withRequests(10));
    runs(account, 0, 0);
    runs(account, 0, 0);
    account.change(OPTIONS.withRequests(2));
    assertThat(refused(account.admit(0)).retryAfter()).isEqualTo(Duration.ofSeconds(10));
    account.change(OPTIONS.withRequests(10));
    assertThat(refused(account.admit(SECOND)).facet()).isEqualTo(Facet.REQUESTS); // still told
    assertThat(account.admit(WINDOW)).isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -7_000_000_000L, 123_456_789L, Long.MAX_VALUE / 2})
  void only_differences_of_times_matter(long origin) {
    Account account =
        new Account(
            OPTIONS.withExecutionTime(Duration.ofSeconds(2)).withCharging(Charging.AS_IT_ACCRUES),
            origin);
    assertThat(account.admit(origin)).isNull();
    account.finish(2 * SECOND, origin + 2 * SECOND);
    Throttle throttle = refused(account.admit(origin + 2 * SECOND));
    assertThat(throttle.retryAfter()).isEqualTo(Duration.ofSeconds(9));
    assertThat(account.admit(origin + 11 * SECOND)).isNull();
  }
}
