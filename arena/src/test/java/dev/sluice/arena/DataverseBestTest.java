package dev.sluice.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.contender.Oracle;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.arena.world.DataverseScenarios;
import dev.sluice.arena.world.DataverseWorld;
import dev.sluice.simulator.farm.Balancer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
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

  private static List<Score> all(DataverseScenario from, Job job, long seed) {
    DataverseScenario scenario =
        new DataverseScenario(
            from.name(),
            from.farm().withCookieHonoured(1),
            from.users(),
            from.oneWay(),
            from.before(),
            from.after(),
            from.changeAt(),
            from.headers(),
            from.hint());
    boolean bound = from.farm().cookieHonoured() == 0 && from.farm().balancer() == Balancer.STICKY;
    List<Score> scores = new ArrayList<>();
    for (int cap : CAPS) {
      scores.add(play(scenario, job, seed, cap, bound));
    }
    return scores;
  }

  private static Score play(
      DataverseScenario scenario, Job job, long seed, int cap, boolean bound) {
    DataverseWorld world = new DataverseWorld(scenario, seed);
    return Bout.play(new Oracle(world, cap, bound), world, job);
  }
}
