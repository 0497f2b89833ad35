package dev.sluice.dataverse;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.Charging;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How fast a client as shipped spends the documented budgets of one user on four servers. */
class BudgetsTest {
  private static final int BATCH = 10;
  private static final double WINDOW = 300;

  /** Batches that four servers allow in a window, if each takes a second. */
  private static final int PER_WINDOW = 4 * 1_200;

  private static final FarmOptions FARM = FarmOptions.DEFAULTS.withServers(4);

  private static EnvironmentOptions environment(FarmOptions farm, Duration batch) {
    return EnvironmentOptions.of(Worlds.USERS.subList(0, 1))
        .withFarm(farm)
        .withTimes(
            new ServiceTimes(
                Duration.ofMillis(5), Duration.ofMillis(30), batch, batch, Duration.ZERO));
  }

  private static DataverseOptions options(boolean pinned) {
    return DataverseOptions.of(
            Worlds.ADDRESS,
            List.of(new Identity("app", Worlds.credential(Worlds.USERS.getFirst()))))
        .withAuthority(Worlds.ADDRESS)
        .withPinned(pinned);
  }

  private static DataverseClient connect(Worlds.World world, boolean pinned) throws Exception {
    return connect(world, options(pinned));
  }

  private static DataverseClient connect(Worlds.World world, DataverseOptions options)
      throws Exception {
    return DataverseClient.connect(options, world.transport(), world.time(), message -> {});
  }

  /** Loads so many batches, and returns how many seconds that takes. */
  private static double load(DataverseClient client, int batches) throws Exception {
    List<Map<String, String>> rows =
        IntStream.range(0, BATCH * batches).mapToObj(i -> Map.of("name", "row " + i)).toList();
    BulkResult result =
        client.write("account", Operation.CREATE, rows, BulkOptions.DEFAULTS.withFixedBatch(BATCH));
    assertThat(result.progress().done()).isEqualTo(rows.size());
    return result.progress().elapsed().toMillis() / 1e3;
  }

  @Test
  void servers_that_run_operations_of_thirteen_seconds_are_not_taken_for_one() {
    FarmOptions slowedByLoad =
        FARM.withKnee(100)
            .withJitter(0.2)
            .withProtection(ProtectionOptions.DOCUMENTED.withCharging(Charging.AS_IT_ACCRUES));
    Worlds.in(
        environment(slowedByLoad, Duration.ofSeconds(13)),
        world -> {
          try (DataverseClient client = connect(world, true)) {
            double seconds = load(client, 10 * PER_WINDOW / 13);
            assertThat(client.gate().statistics().lanes())
                .extracting(LaneStatistics::name)
                .containsExactly("app@1", "app@2", "app@3", "app@4");
            assertThat(seconds).isLessThan(10 * WINDOW / 0.9); // with what load costs
          }
        });
  }

  @Test
  void a_load_that_goes_on_in_the_same_window_is_at_its_full_rate_after_a_window() {
    Worlds.in(
        environment(FARM, Duration.ofSeconds(1)),
        world -> {
          try (DataverseClient killed = connect(world, false)) {
            double unused = load(killed, PER_WINDOW * 9 / 10);
          }
          try (DataverseClient resumed = connect(world, false)) {
            assertThat(load(resumed, 5 * PER_WINDOW)).isLessThan((5 + 1) * WINDOW / 0.9);
          }
        });
  }

  /** How long a load takes, and how many of its requests were throttled. */
  private record Seen(double seconds, long throttled) {}

  /** What the next client is given of what an earlier one has learned. */
  private interface Memory {
    QuotaProfile of(QuotaProfile learned);
  }

  /**
   * A load of 0.9 windows and one of five right after it, which is given what the first learned.
   *
   * @param between passes between the two
   */
  private static Seen resumed(boolean pinned, Duration between, Memory memory) {
    Seen[] seen = new Seen[1];
    Worlds.in(
        environment(FARM, Duration.ofSeconds(1)),
        world -> {
          Map<String, QuotaProfile> learned;
          try (DataverseClient killed = connect(world, pinned)) {
            double unused = load(killed, PER_WINDOW * 9 / 10);
            learned =
                Map.of("app", memory.of(requireNonNull(killed.learned().get("app")).aged(between)));
          }
          world.time().sleep(between);
          long before = throttled(world);
          try (DataverseClient resumed = connect(world, options(pinned).withLearned(learned))) {
            double seconds = load(resumed, 5 * PER_WINDOW);
            seen[0] = new Seen(seconds, throttled(world) - before);
          }
        });
    return seen[0];
  }

  private static long throttled(Worlds.World world) {
    return world.environment().counters().statuses().getOrDefault(429, 0L);
  }

  @ParameterizedTest(name = "pinned {0}")
  @ValueSource(booleans = {false, true})
  void a_load_that_remembers_what_was_spent_is_sooner_done(boolean pinned) {
    Seen cold = resumed(pinned, Duration.ZERO, learned -> QuotaProfile.NONE);
    Seen remembering = resumed(pinned, Duration.ZERO, learned -> learned);

    assertThat(remembering.seconds()).isLessThan(cold.seconds());
  }

  @ParameterizedTest(name = "pinned {0}")
  @ValueSource(booleans = {false, true})
  void what_is_remembered_by_a_clock_that_was_set_back_takes_hardly_longer_than_knowing_nothing(
      boolean pinned) {
    Duration window = Duration.ofMinutes(5);
    Seen cold = resumed(pinned, window, learned -> QuotaProfile.NONE);
    Seen wrong = resumed(pinned, window, learned -> learned.aged(window.negated()));
    Seen asIfJustSpent = resumed(pinned, window, BudgetsTest::justSpent);

    assertThat(wrong.seconds()).isLessThan(cold.seconds() * 1.01);
    assertThat(asIfJustSpent.seconds()).isLessThan(cold.seconds() * 1.05);
  }

  /** All that was spent, as if that was now. */
  private static QuotaProfile justSpent(QuotaProfile learned) {
    return new QuotaProfile(
        learned.roundTrip(),
        learned.servers(),
        learned.costs(),
        List.of(
            new QuotaProfile.Spent(
                Duration.ZERO, 0, Duration.ofSeconds((long) (0.9 * 4 * 1_200)))));
  }
}
