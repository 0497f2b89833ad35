package dev.sluice.control.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoutingOptionsTest {
  private static final ResilienceOptions RESILIENCE = ResilienceOptions.DEFAULTS;
  private static final ConnectionPoolOptions POOL = ConnectionPoolOptions.DEFAULTS;

  @Test
  void the_defaults_are_the_documented_ones() {
    assertThat(RESILIENCE).isEqualTo(new ResilienceOptions(3, true, Duration.ofSeconds(30)));
    assertThat(POOL)
        .isEqualTo(
            new ConnectionPoolOptions(
                Selection.THROTTLE_AWARE,
                Optional.empty(),
                Duration.ofMinutes(2),
                Duration.ofSeconds(1)));
  }

  @Test
  void each_option_can_be_changed_alone() {
    assertThat(
            RESILIENCE
                .withMaxThrottleRetries(100)
                .withEnableThrottleTracking(false)
                .withFallbackRetryAfter(Duration.ofHours(1)))
        .isEqualTo(new ResilienceOptions(100, false, Duration.ofHours(1)));
    assertThat(RESILIENCE.withMaxThrottleRetries(0).maxThrottleRetries()).isZero();
    assertThat(
            POOL.withStrategy(Selection.MOST_HEADROOM)
                .withMaxRetryAfterTolerance(Duration.ofDays(31))
                .withAcquireTimeout(Duration.ofDays(1))
                .withThrottleBuffer(Duration.ofMinutes(1)))
        .isEqualTo(
            new ConnectionPoolOptions(
                Selection.MOST_HEADROOM,
                Optional.of(Duration.ofDays(31)),
                Duration.ofDays(1),
                Duration.ofMinutes(1)));
    assertThat(
            POOL.withMaxRetryAfterTolerance(Duration.ZERO)
                .withThrottleBuffer(Duration.ZERO)
                .throttleBuffer())
        .isZero();
  }

  @Test
  void a_value_out_of_range_is_refused_by_name_value_range_and_meaning() {
    assertThatThrownBy(() -> RESILIENCE.withMaxThrottleRetries(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "resilience.maxThrottleRetries is -1, but must lie between 0 and 100 (how many waits a"
                + " throttled request endures before it is given up)");
    assertRefused(() -> RESILIENCE.withMaxThrottleRetries(101), "resilience.maxThrottleRetries");
    assertRefused(
        () -> RESILIENCE.withFallbackRetryAfter(Duration.ZERO),
        "resilience.fallbackRetryAfter is PT0S");
    assertRefused(
        () -> RESILIENCE.withFallbackRetryAfter(Duration.ofHours(1).plusNanos(1)),
        "resilience.fallbackRetryAfter");
    assertRefused(
        () -> POOL.withMaxRetryAfterTolerance(Duration.ofSeconds(-1)),
        "pool.maxRetryAfterTolerance is PT-1S");
    assertRefused(
        () -> POOL.withMaxRetryAfterTolerance(Duration.ofDays(32)), "pool.maxRetryAfterTolerance");
    assertRefused(() -> POOL.withAcquireTimeout(Duration.ZERO), "pool.acquireTimeout is PT0S");
    assertRefused(
        () -> POOL.withAcquireTimeout(Duration.ofDays(1).plusNanos(1)), "pool.acquireTimeout");
    assertRefused(
        () -> POOL.withThrottleBuffer(Duration.ofNanos(-1)), "pool.throttleBuffer is PT-0");
    assertRefused(
        () -> POOL.withThrottleBuffer(Duration.ofSeconds(61)),
        "pool.throttleBuffer is PT1M1S, but must lie between 0 and PT1M (what is added to every"
            + " Retry-After for clock skew)");
  }

  private static void assertRefused(Runnable building, String named) {
    assertThatThrownBy(building::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named)
        .hasMessageContaining("but must");
  }
}
