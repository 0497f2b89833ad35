package dev.sluice.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.Watch;
import dev.sluice.arena.contender.Oracle;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.arena.world.DataverseScenarios;
import dev.sluice.arena.world.DataverseWorld;
import dev.sluice.simulator.farm.Balancer;
import dev.sluice.simulator.farm.FarmOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DataverseBestTest {
  private static final int[] CAPS = {2, 3, 4, 5, 6, 8, 11, 16, 24, 36, 52};

  private static LongStream seeds() {
    return LongStream.rangeClosed(1, 8L * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void what_is_left_out_would_not_have_been_better_for_a_job_with_an_end(long seed) {
    DataverseScenario scenario = DataverseScenarios.random(seed);
    Job job = DataverseScenarios.job(scenario, 0.5);
    assertThat(new DataverseBest(scenario, job, seed).search().nanos())
        .isEqualTo(
            all(scenario, job, seed).stream()
                .filter(Score::finished)
                .mapToLong(Score::nanos)
                .min()
                .orElseThrow());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void what_is_left_out_would_not_have_been_better_without_an_end(long seed) {
    DataverseScenario scenario = DataverseScenarios.random(seed);
    Job job = new Job("7 min", Long.MAX_VALUE, TimeUnit.MINUTES.toNanos(7));
    assertThat(new DataverseBest(scenario, job, seed).search().done())
        .isEqualTo(
            all(scenario, job, seed).stream()
                .max(Comparator.comparingLong(Score::done))
                .orElseThrow()
                .done());
  }

  @Test
  void nobody_reaches_a_server_that_no_balancer_gives_to_any_user() {
    assertThat(accountsUsed(sticky(1, 4, 1))).containsExactly("0@0");
  }

  @Test
  void a_followed_cookie_leads_each_user_to_the_servers_of_the_others() {
    assertThat(accountsUsed(sticky(2, 4, 1))).containsExactly("0@0", "0@1", "1@0", "1@1");
  }

  @Test
  void a_user_who_is_bound_to_a_server_stays_there_where_cookies_are_ignored() {
    assertThat(accountsUsed(sticky(2, 4, 0))).containsExactly("0@0", "1@1");
  }

  @Test
  void a_bound_user_stays_on_its_server_where_servers_count_together() {
    DataverseScenario scenario = sticky(2, 4, 0);
    FarmOptions farm = scenario.farm();
    assertThat(
            accountsUsed(
                scenario.withFarm(farm.withProtection(farm.protection().withShared(true)))))
        .containsExactly("0@0", "1@1");
  }

  @Test
  void a_window_is_what_can_be_reached_of_it() {
    assertThat(DataverseScenarios.job(sticky(1, 4, 1), 1))
        .isEqualTo(DataverseScenarios.job(sticky(1, 1, 1), 1));
  }

  /** So many users, each of whom a balancer sends to one server. */
  private static DataverseScenario sticky(int users, int servers, double cookieHonoured) {
    DataverseScenario one = DataverseScenarios.named().getFirst();
    return new DataverseScenario(
        "sticky",
        one.farm()
            .withServers(servers)
            .withBalancer(Balancer.STICKY)
            .withCookieHonoured(cookieHonoured),
        users,
        one.oneWay(),
        one.before(),
        one.after(),
        one.changeAt(),
        one.headers(),
        one.hint());
  }

  private static Set<String> accountsUsed(DataverseScenario scenario) {
    Set<String> used = new TreeSet<>();
    Watch watch =
        new Watch() {
          @Override
          public void sent(Sending sending, long now) {
            used.add(sending.user() + "@" + sending.cookie());
          }
        };
    DataverseWorld world = new DataverseWorld(scenario.withCookieHonoured(1), 1);
    Job job = DataverseScenarios.job(scenario, 0.5);
    Score unused = Bout.play(new Oracle(world, scenario, 8), world, job, watch);
    return used;
  }

  private static List<Score> all(DataverseScenario scenario, Job job, long seed) {
    List<Score> scores = new ArrayList<>();
    for (int cap : CAPS) {
      DataverseWorld world = new DataverseWorld(scenario.withCookieHonoured(1), seed);
      scores.add(Bout.play(new Oracle(world, scenario, cap), world, job));
    }
    return scores;
  }
}
