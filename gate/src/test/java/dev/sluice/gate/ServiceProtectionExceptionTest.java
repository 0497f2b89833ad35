package dev.sluice.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceProtectionExceptionTest {

  @ParameterizedTest
  @CsvSource({
    "-2147015902, 80072322, REQUESTS",
    "-2147015903, 80072321, EXECUTION_TIME",
    "-2147015898, 80072326, CONCURRENCY"
  })
  void all_three_service_protection_codes_are_detected(int code, String hex, Signal.Facet facet) {
    assertThat(Integer.parseUnsignedInt(hex, 16)).isEqualTo(code);
    assertThat(ServiceProtectionException.isServiceProtectionError(code)).isTrue();
    assertThat(ServiceProtectionException.facet(code)).isEqualTo(facet);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 429, -2147015901, -2147015904, -2147015897, -2147015899, 2147015902})
  void no_other_code_is_one(int code) {
    assertThat(ServiceProtectionException.isServiceProtectionError(code)).isFalse();
    assertThat(ServiceProtectionException.facet(code)).isEqualTo(Signal.Facet.UNKNOWN);
  }

  @Test
  void it_carries_what_happened_in_fields_and_says_what_to_do() {
    ServiceProtectionException thrown =
        new ServiceProtectionException(
            new Refusal.GivenUp("app2"),
            "app2",
            ServiceProtectionException.EXECUTION_TIME,
            Duration.ofSeconds(37),
            3);

    assertThat(thrown.connection()).isEqualTo("app2");
    assertThat(thrown.errorCode()).isEqualTo(-2147015903);
    assertThat(thrown.facet()).isEqualTo(Signal.Facet.EXECUTION_TIME);
    assertThat(thrown.retryAfter()).isEqualTo(Duration.ofSeconds(37));
    assertThat(thrown.attempts()).isEqualTo(3);
    assertThat(thrown.refusal().wireName()).isEqualTo("rate_limited");
    assertThat(thrown)
        .hasMessage(
            "connection app2 is throttled (facet execution_time, code 0x80072321) after 3 attempts;"
                + " try again in 37s, add lanes, or allow for more waits (maxThrottleRetries)");
  }

  @Test
  void a_wait_below_zero_counts_as_zero() {
    ServiceProtectionException thrown =
        new ServiceProtectionException(
            new Refusal.GivenUp("app1"), "app1", 0, Duration.ofSeconds(-5), 1);
    assertThat(thrown.retryAfter()).isZero();
    assertThat(thrown).hasMessageContaining("1 attempt;");
  }
}
