package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.quota.QuotaProfile.Spent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaProfileTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY, 1e300})
  void a_number_of_requests_that_cannot_be_is_left_out(double requests) {
    Spent good = new Spent(SECOND, 3, SECOND);
    assertThat(
            new QuotaProfile(
                    SECOND, 1, Map.of(), List.of(new Spent(SECOND, requests, SECOND), good))
                .spent())
        .containsExactly(good);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 65, Integer.MIN_VALUE, Integer.MAX_VALUE})
  void a_number_of_servers_that_cannot_be_is_unknown(int servers) {
    assertThat(new QuotaProfile(SECOND, servers, Map.of(), List.of()).servers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, Long.MIN_VALUE, Long.MAX_VALUE})
  void a_time_that_cannot_be_is_unknown(long nanos) {
    Duration wrong = Duration.ofNanos(nanos);
    QuotaProfile profile = new QuotaProfile(wrong, 1, Map.of("create account", wrong), List.of());
    assertThat(profile.roundTrip()).isZero();
    assertThat(profile.costs()).isEmpty();
  }

  @Test
  void a_bounded_number_of_kinds_is_kept() {
    Map<String, Duration> costs =
        IntStream.range(0, 100)
            .boxed()
            .collect(Collectors.toMap(i -> "create table" + i, i -> SECOND));
    assertThat(new QuotaProfile(SECOND, 1, costs, List.of()).costs()).hasSize(16);
  }

  @Test
  void what_was_spent_ages_and_is_forgotten_where_the_clock_went_back() {
    QuotaProfile profile =
        new QuotaProfile(
            SECOND, 2, Map.of("create account", SECOND), List.of(new Spent(SECOND, 1, SECOND)));
    assertThat(profile.aged(SECOND).spent())
        .containsExactly(new Spent(SECOND.multipliedBy(2), 1, SECOND));
    assertThat(profile.aged(Duration.ofMillis(-1)).spent()).isEmpty();
    assertThat(profile.aged(Duration.ofDays(400)).spent()).isEmpty();
    assertThat(profile.aged(Duration.ofSeconds(Long.MAX_VALUE)).spent()).isEmpty();
    assertThat(profile.aged(Duration.ofMillis(-1)).servers()).isEqualTo(2);
  }
}
