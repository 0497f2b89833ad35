package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.cli.CapacityPlan.Bound;
import dev.sluice.control.quota.QuotaOptions;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CapacityPlanTest {

  private static CapacityPlan plan(
      long rows, double seconds, int users, int servers, int recommended) {
    return new CapacityPlan(
        rows, 100, seconds, users, servers, recommended, QuotaOptions.DATAVERSE);
  }

  @Test
  void a_load_that_fits_into_one_window_is_bound_by_how_many_requests_run_at_once() {
    CapacityPlan plan = plan(52_000, 2.0, 1, 1, 52);
    assertThat(plan.requests()).isEqualTo(520);
    assertThat(plan.duration()).isEqualTo(Duration.ofSeconds(20)); // ten rounds of 52
    assertThat(plan.bound()).isEqualTo(Bound.CONCURRENT);
    assertThat(plan.rowsPerSecond()).isCloseTo(2_600, within(0.1));
  }

  @Test
  void a_longer_load_is_bound_by_execution_time_and_waits_for_windows_to_pass() {
    CapacityPlan plan = plan(1_000_000, 1.0, 3, 1, 52);
    // 3,334 requests of each user: 1,200 in each of two windows, then 934 in 18 rounds of 1 s.
    assertThat(plan.duration()).isEqualTo(Duration.ofSeconds(618));
    assertThat(plan.bound()).isEqualTo(Bound.EXECUTION_TIME);
    assertThat(plan.sustainedByOneUser()).isCloseTo(400, within(0.1)); // 4 at once, 100 rows in 1 s
  }

  @Test
  void quick_batches_are_bound_by_the_number_of_requests() {
    CapacityPlan plan = plan(10_000_000, 0.1, 1, 1, 52);
    // 100,000 requests: 16 windows of 6,000, then 4,000 in 77 rounds of 0.1 s.
    assertThat(plan.duration()).isEqualTo(Duration.ofMillis(16 * 300_000 + 7_700));
    assertThat(plan.bound()).isEqualTo(Bound.REQUESTS);
    assertThat(plan.sustainedByOneUser()).isCloseTo(2_000, within(0.1));
  }

  @Test
  void so_few_at_once_that_no_window_fills_up_are_what_binds_however_long_it_takes() {
    CapacityPlan plan = plan(10_000_000, 1.0, 1, 1, 2);
    assertThat(plan.duration()).isEqualTo(Duration.ofSeconds(50_000));
    assertThat(plan.bound()).isEqualTo(Bound.CONCURRENT);
    assertThat(plan.atOnce()).isEqualTo(2);
  }

  @Test
  void servers_multiply_what_a_user_may_do() {
    assertThat(plan(1_000_000, 1.0, 1, 4, 52).sustainedByOneUser())
        .isCloseTo(4 * plan(1_000_000, 1.0, 1, 1, 52).sustainedByOneUser(), within(0.1));
  }

  @Test
  void what_cannot_be_is_refused_with_its_range() {
    assertThatThrownBy(() -> plan(0, 1, 1, 1, 1))
        .hasMessageContaining("--rows is 0, but must be 1");
    assertThatThrownBy(() -> plan(1, 0, 1, 1, 1))
        .hasMessage("--seconds-per-batch is 0.0, but must be above 0 and at most 300");
    assertThatThrownBy(() -> plan(1, Double.NaN, 1, 1, 1)).hasMessageContaining("is NaN");
    assertThatThrownBy(() -> plan(1, 1, 1, 0, 1)).hasMessageContaining("--servers is 0");
  }

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void no_plan_promises_more_than_the_limits_allow_and_more_means_never_harm(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long rows = 1 + random.nextLong(20_000_000);
    double seconds = 0.05 + random.nextDouble() * 20;
    int users = 1 + random.nextInt(8);
    int servers = 1 + random.nextInt(4);
    int recommended = 1 + random.nextInt(52);
    CapacityPlan plan = plan(rows, seconds, users, servers, recommended);
    double time = plan.duration().toMillis() / 1_000.0;
    double lanes = users * servers;
    double windows = 1 + time / 300;
    assertThat(plan.requests()).isLessThanOrEqualTo((long) (lanes * windows * 6_000) + users);
    assertThat(plan.requests() * seconds)
        .isLessThanOrEqualTo(lanes * windows * 1_200 + users * seconds);
    assertThat(plan.requests() * seconds).isLessThanOrEqualTo(time * users * plan.atOnce() + users);
    assertThat(plan(rows, seconds, users + 1, servers, recommended).duration())
        .isLessThanOrEqualTo(plan.duration());
    assertThat(plan(rows, seconds, users, servers + 1, recommended).duration())
        .isLessThanOrEqualTo(plan.duration());
    assertThat(plan(rows + 100_000, seconds, users, servers, recommended).duration())
        .isGreaterThanOrEqualTo(plan.duration());
  }
}
