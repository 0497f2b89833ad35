package dev.sluice.simulator.farm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which server answers, whose budget counts, and how long it takes. */
class FarmTest {
  private static final ProtectionOptions TWO = ProtectionOptions.UNLIMITED.withRequests(2);

  private static Farm farm(FarmOptions options, int users) {
    Farm farm = new Farm(options, new SplittableRandom(1));
    for (int i = 0; i < users; i++) {
      assertThat(farm.addUser(0)).isEqualTo(i);
    }
    return farm;
  }

  private static boolean admitted(Farm farm, int user, int cookie) {
    return farm.arrive(user, cookie, 0, 0).throttle() == null;
  }

  @Test
  void every_user_has_its_own_budget_on_every_server() {
    Farm farm = farm(FarmOptions.DEFAULTS.withServers(2).withProtection(TWO), 2);
    for (int user = 0; user < 2; user++) {
      for (int server = 0; server < 2; server++) {
        assertThat(admitted(farm, user, server)).isTrue();
        assertThat(admitted(farm, user, server)).isTrue();
        assertThat(admitted(farm, user, server)).isFalse();
      }
    }
  }

  @Test
  void where_servers_count_together_a_user_has_one_budget() {
    Farm farm = farm(FarmOptions.DEFAULTS.withServers(3).withProtection(TWO.withShared(true)), 2);
    assertThat(admitted(farm, 0, 0)).isTrue();
    assertThat(admitted(farm, 0, 1)).isTrue();
    assertThat(admitted(farm, 0, 2)).isFalse();
    assertThat(admitted(farm, 1, 2)).isTrue();
    assertThat(farm.account(0, 0)).isSameAs(farm.account(0, 2));
  }

  @Test
  void presses_are_counted_once_even_where_servers_count_together() {
    for (boolean shared : new boolean[] {false, true}) {
      Farm farm =
          farm(
              FarmOptions.DEFAULTS
                  .withServers(3)
                  .withProtection(TWO.withRequests(0).withShared(shared)),
              1);
      farm.arrive(0, 0, 0, 0);
      farm.arrive(0, 0, 0, Duration.ofSeconds(2).toNanos());
      assertThat(farm.pressed()).isEqualTo(1);
    }
  }

  @Test
  void a_cookie_is_followed_never_always_or_for_its_share() {
    for (double share : new double[] {0, 0.25, 1}) {
      Farm farm =
          farm(
              FarmOptions.DEFAULTS
                  .withServers(10)
                  .withBalancer(Balancer.STICKY)
                  .withCookieHonoured(share)
                  .withProtection(ProtectionOptions.UNLIMITED),
              1);
      long followed =
          IntStream.range(0, 10_000).filter(i -> farm.arrive(0, 7, 0, 0).server() == 7).count();
      assertThat((double) followed).isBetween(10_000 * share - 200, 10_000 * share + 200);
    }
  }

  @Test
  void a_cookie_of_a_server_that_is_not_there_is_none() {
    Farm farm = farm(FarmOptions.DEFAULTS.withProtection(ProtectionOptions.UNLIMITED), 1);
    assertThat(farm.arrive(0, 5, 0, 0).server()).isZero();
    assertThat(farm.arrive(0, Farm.ANY, 0, 0).server()).isZero();
  }

  @Test
  void balancers_spread_as_they_say() {
    FarmOptions four =
        FarmOptions.DEFAULTS.withServers(4).withProtection(ProtectionOptions.UNLIMITED);
    Farm round = farm(four.withBalancer(Balancer.ROUND_ROBIN), 1);
    assertThat(IntStream.range(0, 8).map(i -> round.arrive(0, Farm.ANY, 0, 0).server()))
        .containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
    Farm sticky = farm(four.withBalancer(Balancer.STICKY), 6);
    assertThat(IntStream.range(0, 6).map(user -> sticky.arrive(user, Farm.ANY, 0, 0).server()))
        .containsExactly(0, 1, 2, 3, 0, 1);
    Farm random = farm(four.withBalancer(Balancer.RANDOM), 1);
    int[] counts = new int[4];
    IntStream.range(0, 4_000).forEach(i -> counts[random.arrive(0, Farm.ANY, 0, 0).server()]++);
    assertThat(counts).satisfies(each -> assertThat(each[0]).isBetween(800, 1_200));
  }

  @Test
  void a_request_takes_longer_the_more_run_on_its_server_and_no_longer_when_they_are_done() {
    Farm farm =
        farm(
            FarmOptions.DEFAULTS
                .withServers(2)
                .withKnee(2)
                .withProtection(ProtectionOptions.UNLIMITED),
            1);
    Farm.Visit first = farm.arrive(0, 0, 1_000, 0);
    assertThat(first.duration()).isEqualTo(1_000);
    assertThat(farm.arrive(0, 0, 1_000, 0).duration()).isEqualTo(1_500);
    assertThat(farm.arrive(0, 0, 1_000, 0).duration()).isEqualTo(2_000);
    assertThat(farm.arrive(0, 1, 1_000, 0).duration()).isEqualTo(1_000);
    farm.finish(first, 1);
    assertThat(farm.arrive(0, 0, 1_000, 1).duration()).isEqualTo(2_000);
  }

  @Test
  void chance_varies_times_by_no_more_than_was_said() {
    Farm farm =
        farm(FarmOptions.DEFAULTS.withJitter(0.2).withProtection(ProtectionOptions.UNLIMITED), 1);
    long[] durations =
        IntStream.range(0, 1_000).mapToLong(i -> farm.arrive(0, 0, 1_000, 0).duration()).toArray();
    assertThat(LongStream.of(durations)).allMatch(each -> each >= 800 && each <= 1_200);
    assertThat(IntStream.range(0, 1_000).filter(i -> durations[i] < 820)).isNotEmpty();
    assertThat(IntStream.range(0, 1_000).filter(i -> durations[i] > 1_180)).isNotEmpty();
  }

  @Test
  void what_cannot_be_is_refused_with_its_name_and_range() {
    assertThatThrownBy(() -> FarmOptions.DEFAULTS.withServers(0))
        .hasMessage("servers is 0, but must be 1 to 1,000 (web servers of the environment)");
    assertThatThrownBy(() -> FarmOptions.DEFAULTS.withCookieHonoured(Double.NaN))
        .hasMessageContaining("cookieHonoured is NaN");
    assertThatThrownBy(() -> FarmOptions.DEFAULTS.withKnee(0)).hasMessageContaining("knee is 0.0");
    assertThatThrownBy(() -> FarmOptions.DEFAULTS.withJitter(1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> TWO.withRequests(-1))
        .hasMessageContaining("requests is -1, but must be 0 or more");
    assertThatThrownBy(() -> TWO.withWindow(Duration.ZERO)).hasMessageContaining("window is PT0S");
    assertThatThrownBy(() -> TWO.withWaits(Duration.ofMillis(5), Duration.ofSeconds(5)))
        .hasMessageContaining("shortestWait");
    assertThatThrownBy(() -> TWO.withWaits(Duration.ofSeconds(5), Duration.ofSeconds(4)))
        .hasMessageContaining("longestWait");
  }
}
