package dev.sluice.control.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThrottleTrackerTest {
  private final SettableTicker ticker = new SettableTicker();
  private final ThrottleTracker tracker = ThrottleTracker.create(ticker);

  @Test
  void nothing_is_throttled_at_first() {
    assertThat(tracker.isThrottled("app1")).isFalse();
    assertThat(tracker.throttleExpiry("app1")).isEmpty();
    assertThat(tracker.throttledConnections()).isEmpty();
    assertThat(tracker.throttledConnectionCount()).isZero();
    assertThat(tracker.shortestExpiry()).isZero();
    assertThat(tracker.totalThrottleEvents()).isZero();
  }

  @Test
  void the_right_connection_and_retry_after_are_recorded() {
    tracker.recordThrottle("app1", Duration.ofSeconds(37));

    assertThat(tracker.isThrottled("app1")).isTrue();
    assertThat(tracker.isThrottled("app2")).isFalse();
    assertThat(tracker.throttleState("app1"))
        .contains(
            new ThrottleState(
                "app1",
                SettableTicker.NOON,
                SettableTicker.NOON.plusSeconds(38),
                Duration.ofSeconds(37)));
    assertThat(tracker.throttleExpiry("app1")).contains(SettableTicker.NOON.plusSeconds(38));
  }

  @Test
  void the_hold_ends_when_the_wait_and_one_buffer_have_passed_and_not_before() {
    tracker.recordThrottle("app1", Duration.ofSeconds(10));

    ticker.pass(Duration.ofSeconds(11).minusNanos(1));
    assertThat(tracker.isThrottled("app1")).isTrue();
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofNanos(1));

    ticker.pass(Duration.ofNanos(1));
    assertThat(tracker.isThrottled("app1")).isFalse();
    assertThat(tracker.throttleExpiry("app1")).isEmpty();
    assertThat(tracker.throttledConnections()).isEmpty();
    assertThat(tracker.throttledConnectionCount()).isZero();
    assertThat(tracker.shortestExpiry()).isZero();
  }

  @Test
  void repeated_throttles_add_the_buffer_once_not_each_time() {
    tracker.recordThrottle("app1", Duration.ofSeconds(10));
    tracker.recordThrottle("app1", Duration.ofSeconds(10));
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(11));
  }

  @Test
  void the_buffer_can_be_chosen() {
    ThrottleTracker exact = ThrottleTracker.create(ticker, Duration.ZERO);
    exact.recordThrottle("app1", Duration.ofSeconds(10));
    assertThat(exact.shortestExpiry()).isEqualTo(Duration.ofSeconds(10));
    assertThatThrownBy(() -> ThrottleTracker.create(ticker, Duration.ofSeconds(61)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("throttleBuffer is PT1M1S");
  }

  @Test
  void a_shorter_retry_after_never_shortens_a_longer_hold() {
    tracker.recordThrottle("app1", Duration.ofSeconds(60));
    ticker.pass(Duration.ofSeconds(5));

    tracker.recordThrottle("app1", Duration.ofSeconds(10));

    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(56));
    assertThat(tracker.throttleExpiry("app1")).contains(SettableTicker.NOON.plusSeconds(61));
  }

  @Test
  void a_retry_after_that_ends_later_lengthens_the_hold() {
    tracker.recordThrottle("app1", Duration.ofSeconds(60));
    ticker.pass(Duration.ofSeconds(55));

    tracker.recordThrottle("app1", Duration.ofSeconds(10));

    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(11));
    assertThat(tracker.throttleExpiry("app1")).contains(SettableTicker.NOON.plusSeconds(66));
  }

  @Test
  void a_hold_that_has_ended_takes_nothing_away_from_the_next_one() {
    tracker.recordThrottle("app1", Duration.ofSeconds(60));
    ticker.pass(Duration.ofSeconds(61));
    tracker.recordThrottle("app1", Duration.ofSeconds(2));
    assertThat(tracker.throttledConnections()).containsExactly("app1");
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void the_count_of_throttled_connections_is_accurate_at_every_moment() {
    tracker.recordThrottle("app1", Duration.ofSeconds(9));
    tracker.recordThrottle("app2", Duration.ofSeconds(19));
    tracker.recordThrottle("app3", Duration.ofSeconds(29));
    tracker.recordThrottle("app2", Duration.ofSeconds(19));
    assertThat(tracker.throttledConnectionCount()).isEqualTo(3);
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(10));

    ticker.pass(Duration.ofSeconds(10));
    assertThat(tracker.throttledConnectionCount()).isEqualTo(2);
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(10));

    ticker.pass(Duration.ofSeconds(10));
    assertThat(tracker.throttledConnectionCount()).isEqualTo(1);
    assertThat(tracker.throttledConnections()).containsExactly("app3");

    ticker.pass(Duration.ofSeconds(10));
    assertThat(tracker.throttledConnectionCount()).isZero();
  }

  @Test
  void the_shortest_expiry_is_the_smallest_in_whatever_order_they_came() {
    tracker.recordThrottle("app1", Duration.ofSeconds(50));
    tracker.recordThrottle("app2", Duration.ofSeconds(20));
    tracker.recordThrottle("app3", Duration.ofSeconds(30));
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(21));
  }

  @Test
  void a_hold_that_has_ended_has_no_part_in_the_shortest_expiry() {
    tracker.recordThrottle("app1", Duration.ofSeconds(9));
    tracker.recordThrottle("app2", Duration.ofSeconds(29));
    ticker.pass(Duration.ofSeconds(12));
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(18));
  }

  @Test
  void throttled_connections_are_listed_in_the_order_in_which_their_holds_began() {
    tracker.recordThrottle("zeta", Duration.ofSeconds(30));
    tracker.recordThrottle("alpha", Duration.ofSeconds(10));
    tracker.recordThrottle("mid", Duration.ofSeconds(20));
    tracker.recordThrottle("zeta", Duration.ofSeconds(40));
    assertThat(tracker.throttledConnections()).containsExactly("zeta", "alpha", "mid");
  }

  @Test
  void the_set_is_a_copy_that_neither_changes_nor_can_be_changed() {
    tracker.recordThrottle("app1", Duration.ofSeconds(30));
    Set<String> before = tracker.throttledConnections();
    tracker.recordThrottle("app2", Duration.ofSeconds(30));
    assertThat(before).containsExactly("app1");
    assertThatThrownBy(() -> before.remove("app1"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void every_throttle_counts_in_the_total_and_the_total_never_falls() {
    tracker.recordThrottle("app1", Duration.ofSeconds(30));
    tracker.recordThrottle("app1", Duration.ofSeconds(1));
    tracker.recordThrottle("app2", Duration.ofSeconds(30));
    assertThat(tracker.totalThrottleEvents()).isEqualTo(3);
    ticker.pass(Duration.ofHours(1));
    assertThat(tracker.totalThrottleEvents()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void a_wait_of_zero_or_less_counts_as_an_event_but_holds_nothing(long seconds) {
    tracker.recordThrottle("app1", Duration.ofSeconds(seconds));
    assertThat(tracker.totalThrottleEvents()).isEqualTo(1);
    assertThat(tracker.isThrottled("app1")).isFalse();
  }

  @Test
  void an_unusable_wait_leaves_a_standing_hold_alone() {
    tracker.recordThrottle("app1", Duration.ofSeconds(30));
    tracker.recordThrottle("app1", Duration.ZERO);
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofSeconds(31));
  }

  @Test
  void a_long_but_plausible_wait_is_kept_to_the_second() {
    tracker.recordThrottle("app1", Duration.ofDays(31));
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofDays(31).plusSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {31 * 86_400 + 1, Integer.MAX_VALUE, Long.MAX_VALUE})
  void an_absurd_wait_is_cut_to_31_days(long seconds) {
    tracker.recordThrottle("app1", Duration.ofSeconds(seconds));
    assertThat(tracker.shortestExpiry()).isEqualTo(Duration.ofDays(31).plusSeconds(1));
    assertThat(tracker.throttleExpiry("app1"))
        .contains(SettableTicker.NOON.plus(Duration.ofDays(31)).plusSeconds(1));
  }

  @Test
  void a_jump_of_the_wall_clock_neither_ends_nor_lengthens_a_hold() {
    tracker.recordThrottle("app1", Duration.ofSeconds(30));
    ticker.jumpWallClock(Duration.ofDays(400));
    assertThat(tracker.isThrottled("app1")).isTrue();
    ticker.jumpWallClock(Duration.ofDays(-800));
    ticker.pass(Duration.ofSeconds(31));
    assertThat(tracker.isThrottled("app1")).isFalse();
  }

  @Test
  void memory_is_bounded_by_what_is_throttled_now_even_if_nobody_asks() {
    LockedThrottleTracker kept = new LockedThrottleTracker(ticker, Duration.ZERO);
    for (int i = 0; i < 10_000; i++) {
      kept.recordThrottle("connection-" + i, Duration.ofSeconds(1));
      ticker.pass(Duration.ofMillis(100));
    }
    assertThat(kept.kept()).isEqualTo(10);
  }

  @Test
  @SuppressWarnings("NullAway") // callers without a checker exist
  void a_connection_without_a_name_and_a_wait_that_is_none_are_refused() {
    assertThatThrownBy(() -> tracker.recordThrottle(null, Duration.ofSeconds(1)))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("connection");
    assertThatThrownBy(() -> tracker.recordThrottle("app1", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("retryAfter");
    assertThatThrownBy(() -> tracker.isThrottled(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> tracker.throttleExpiry(null)).isInstanceOf(NullPointerException.class);
    assertThat(tracker.totalThrottleEvents()).isZero();
  }

  @Test
  void a_throttle_state_without_a_positive_wait_cannot_be_built() {
    assertThatThrownBy(
            () ->
                new ThrottleState("app1", SettableTicker.NOON, SettableTicker.NOON, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retryAfter is PT0S");
  }
}
