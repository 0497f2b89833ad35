package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class QuotaOptionsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void dataverse_is_as_documented() {
    QuotaOptions dataverse = QuotaOptions.DATAVERSE;
    assertThat(dataverse.requests()).isEqualTo(6_000);
    assertThat(dataverse.executionTime()).isEqualTo(Duration.ofMinutes(20));
    assertThat(dataverse.window()).isEqualTo(Duration.ofMinutes(5));
    assertThat(dataverse.maxInFlight()).isEqualTo(52);
    assertThat(dataverse.servers()).isEmpty();
    assertThat(dataverse.withServers(3).servers()).hasValue(3);
  }

  @Test
  void an_impossible_limit_is_refused_by_name() {
    OptionalInt unknown = OptionalInt.empty();
    refused("requests is 0", () -> new QuotaOptions(0, SECOND, SECOND, 1, unknown));
    refused("executionTime is PT0S", () -> new QuotaOptions(1, Duration.ZERO, SECOND, 1, unknown));
    refused("window is PT0S", () -> new QuotaOptions(1, SECOND, Duration.ZERO, 1, unknown));
    refused("maxInFlight is 0", () -> new QuotaOptions(1, SECOND, SECOND, 0, unknown));
    refused("servers is OptionalInt[0]", () -> QuotaOptions.DATAVERSE.withServers(0));
  }

  private static void refused(String message, Runnable making) {
    assertThatIllegalArgumentException().isThrownBy(making::run).withMessageContaining(message);
  }
}
