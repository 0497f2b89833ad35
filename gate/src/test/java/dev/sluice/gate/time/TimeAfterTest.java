package dev.sluice.gate.time;

import static dev.sluice.gate.time.Time.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeAfterTest {
  private static final long HORIZON = Long.MAX_VALUE / 2; // about 146 years
  private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
  private static final Duration MOST_NEGATIVE = Duration.ofSeconds(Long.MIN_VALUE);

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, -5_000_000_000L, Long.MIN_VALUE + 5, Long.MAX_VALUE - 2_000})
  void is_as_far_from_the_start_as_the_duration_is_long(long start) {
    assertThat(Time.after(start, Duration.ZERO) - start).isZero();
    assertThat(Time.after(start, Duration.ofNanos(1)) - start).isEqualTo(1);
    assertThat(Time.after(start, Duration.ofNanos(-1)) - start).isEqualTo(-1);
    assertThat(Time.after(start, Duration.ofDays(36_500)) - start)
        .isEqualTo(Duration.ofDays(36_500).toNanos());
    assertThat(Time.after(start, Duration.ofDays(-36_500)) - start)
        .isEqualTo(Duration.ofDays(-36_500).toNanos());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void is_never_from_the_horizon_on(long start) {
    assertThat(Time.after(start, Duration.ofNanos(HORIZON))).isEqualTo(NEVER);
    assertThat(Time.after(start, Duration.ofNanos(Long.MAX_VALUE))).isEqualTo(NEVER);
    assertThat(Time.after(start, LONGEST)).isEqualTo(NEVER);
    assertThat(Time.after(start, Duration.ofNanos(HORIZON - 1))).isNotEqualTo(NEVER);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void is_in_the_past_for_any_negative_duration_however_long(long start) {
    assertThat(Time.after(start, Duration.ofNanos(-HORIZON)) - start).isNegative();
    assertThat(Time.after(start, MOST_NEGATIVE) - start).isEqualTo(-HORIZON);
  }

  @Test
  void is_never_by_intent_only() {
    assertThat(Time.after(NEVER - 5, Duration.ofNanos(5))).isNotEqualTo(NEVER);
    assertThat(Time.after(NEVER - 5, Duration.ofNanos(5)) - (NEVER - 5)).isEqualTo(6);
    assertThat(Time.after(Long.MIN_VALUE, Duration.ofNanos(-1))).isNotEqualTo(NEVER);
  }

  @Test
  void the_clock_runs_on_past_the_largest_number() {
    long end = Time.after(Long.MAX_VALUE - 10, Duration.ofNanos(20));
    assertThat(end).isNegative();
    assertThat(end - (Long.MAX_VALUE - 10)).isEqualTo(20);
  }
}
