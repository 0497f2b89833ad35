package dev.sluice.simulator.limit;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.sluice.simulator.limit.FixedWindow.Opening;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimiterTest {
  private static final long MINUTE = MINUTES.toNanos(1);

  @Test
  void an_hour_of_idling_earns_a_bucket_no_more_than_it_holds() {
    Limiter bucket = new TokenBucket(10, 100, MINUTE, 0);
    assertThat(admittedAt(bucket, 0)).isEqualTo(10);
    assertThat(admittedAt(bucket, HOURS.toNanos(1))).isEqualTo(10);
  }

  @Test
  void a_bucket_without_inflow_is_empty_for_ever() {
    Limiter bucket = new TokenBucket(2, 0, MINUTE, 0);
    assertThat(admittedAt(bucket, 0)).isEqualTo(2);
    assertThat(bucket.admit(HOURS.toNanos(1))).isEqualTo(Limiter.NEVER);
    assertThat(bucket.untilReset(HOURS.toNanos(1))).isEqualTo(Limiter.NEVER);
  }

  @Test
  void a_bucket_too_large_to_count_exactly_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TokenBucket(Long.MAX_VALUE, 7, MINUTE, 0))
        .withMessageContaining("capacity is 9223372036854775807")
        .withMessageContaining("too much to count exactly");
  }

  @Test
  void a_bucket_survives_a_pause_of_two_hundred_years() {
    Limiter bucket = new TokenBucket(1_000_000_000, 999_999_999, 1, Long.MIN_VALUE / 2);
    assertThat(bucket.admit(Long.MIN_VALUE / 2)).isZero();
    assertThat(bucket.left(Long.MAX_VALUE / 4)).isEqualTo(1_000_000_000);
  }

  @Test
  void twice_the_limit_passes_around_the_boundary_of_a_fixed_window() {
    Limiter window = new FixedWindow(10, MINUTE, Opening.ON_THE_CLOCK, 0, 0);
    assertThat(admittedAt(window, MINUTE - 1)).isEqualTo(10);
    assertThat(window.untilFree(MINUTE - 1)).isEqualTo(1);
    assertThat(admittedAt(window, MINUTE)).isEqualTo(10);
  }

  @Test
  void a_window_on_the_clock_follows_the_boundary_it_was_given() {
    // The wall clock stood at 12:00:45 when the monotonic one stood at 0.
    Limiter window = new FixedWindow(1, MINUTE, Opening.ON_THE_CLOCK, SECONDS.toNanos(15), 0);
    assertThat(window.admit(0)).isZero();
    assertThat(window.admit(SECONDS.toNanos(5))).isEqualTo(SECONDS.toNanos(10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/1m", "first:0/1m", "sliding:0/1m", "bucket:0:100/1m", "concurrent:0"})
  void a_limit_of_zero_admits_nothing_ever(String limit) {
    Limiter limiter = LimitOptions.parse(limit).open(0, 0);
    assertThat(limiter.admit(0)).isEqualTo(Limiter.NEVER);
    assertThat(limiter.admit(HOURS.toNanos(1))).isEqualTo(Limiter.NEVER);
    assertThat(limiter.left(HOURS.toNanos(1))).isZero();
    assertThat(LimitOptions.parse(limit).rate()).isZero();
  }

  @Test
  void a_cap_admits_the_next_when_one_has_ended() {
    Limiter cap = new ConcurrencyCap(2);
    assertThat(admittedAt(cap, 0)).isEqualTo(2);
    assertThat(cap.admit(1)).isEqualTo(Limiter.NEVER);
    cap.finish(2);
    assertThat(admittedAt(cap, 2)).isEqualTo(1);
  }

  @Test
  void an_end_without_a_beginning_is_refused() {
    assertThatIllegalStateException().isThrownBy(() -> new ConcurrencyCap(2).finish(0));
  }

  @Test
  void what_one_of_several_refuses_is_spent_at_none() {
    SlidingWindow wide = new SlidingWindow(5, MINUTE);
    Several both = new Several(List.of(wide, new ConcurrencyCap(1)));
    assertThat(both.admit(0)).isZero();
    assertThat(both.admit(1)).isEqualTo(Limiter.NEVER);
    assertThat(both.admit(2)).isEqualTo(Limiter.NEVER);
    assertThat(wide.left(2)).isEqualTo(4);
    both.finish(3);
    assertThat(both.admit(3)).isZero();
  }

  @Test
  void several_speak_for_the_one_nearest_to_refusing() {
    Several both =
        new Several(List.of(new SlidingWindow(100, 10 * MINUTE), new SlidingWindow(3, MINUTE)));
    assertThat(both.admit(0)).isZero();
    assertThat(both.left(0)).isEqualTo(2);
    assertThat(both.tightest(0).window()).isEqualTo(MINUTE);
    assertThat(both.untilReset(0)).isEqualTo(MINUTE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/1m", "first:10/1m", "sliding:10/1m", "bucket:10/1m", "concurrent:10"})
  void halved_it_admits_half_and_doubled_twice_as_many(String limit) {
    Limiter limiter = LimitOptions.parse(limit).open(0, 0);
    limiter.scale(0.5, 0);
    assertThat(limiter.limit()).isEqualTo(5);
    assertThat(admittedAt(limiter, 0)).isEqualTo(5);
    limiter.scale(2, 0);
    assertThat(limiter.limit()).isEqualTo(20);
    long later = 10 * MINUTE;
    for (int i = 0; i < 5; i++) {
      limiter.finish(later);
    }
    assertThat(admittedAt(limiter, later)).isEqualTo(20);
  }

  @Test
  void a_window_that_shrinks_below_what_it_admitted_opens_when_enough_has_left_it() {
    Limiter window = new SlidingWindow(4, 100);
    for (long at = 0; at < 4; at++) {
      assertThat(window.admit(at * 10)).isZero();
    }
    window.scale(0.5, 40);
    assertThat(window.admit(40)).isEqualTo(80); // at 120, when the third of the four leaves
    assertThat(window.admit(120)).isZero();
    assertThat(window.admit(120)).isEqualTo(10);
  }

  @Test
  void a_bucket_that_halves_keeps_what_it_holds_up_to_its_new_size_and_fills_half_as_fast() {
    Limiter bucket = new TokenBucket(10, 10, MINUTE, 0);
    for (int i = 0; i < 8; i++) {
      assertThat(bucket.admit(0)).isZero();
    }
    bucket.scale(0.5, 0);
    assertThat(bucket.left(0)).isEqualTo(2);
    assertThat(bucket.left(MINUTE / 5 - 1)).isEqualTo(2);
    assertThat(bucket.left(MINUTE / 5)).isEqualTo(3);
    assertThat(bucket.left(HOURS.toNanos(1))).isEqualTo(5);
  }

  @Test
  void a_small_limit_scaled_down_is_one_and_not_nothing() {
    Limiter window = new SlidingWindow(1, MINUTE);
    window.scale(0.25, 0);
    assertThat(window.limit()).isEqualTo(1);
    window.scale(0, 0);
    assertThat(window.limit()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void a_factor_that_is_none_is_refused(double factor) {
    for (String limit : List.of("10/1m", "sliding:10/1m", "bucket:10/1m", "concurrent:10")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> LimitOptions.parse(limit).open(0, 0).scale(factor, 0))
          .withMessageContaining("factor is");
    }
  }

  @Test
  void admitting_and_refusing_allocate_nothing() {
    Limiter limiter =
        LimitOptions.parse("100/1ms,first:500/10ms,sliding:90/1ms,bucket:50:100/1ms,concurrent:60")
            .open(0, 0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long fewest = Long.MAX_VALUE;
    long now = 0;
    // The first rounds may pay for compiling, for rings that grow, and for the measurement.
    for (int round = 0; round < 200 && fewest >= 1_000; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long admitted = 0;
      for (int i = 0; i < 100_000; i++) {
        now += 3_000;
        if (limiter.admit(now) == 0) {
          admitted++;
          limiter.finish(now);
        }
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
      assertThat(admitted).isBetween(1L, 99_999L);
    }
    assertThat(fewest).isLessThan(1_000);
  }

  static int admittedAt(Limiter limiter, long now) {
    int admitted = 0;
    while (limiter.admit(now) == 0) {
      admitted++;
    }
    return admitted;
  }
}
