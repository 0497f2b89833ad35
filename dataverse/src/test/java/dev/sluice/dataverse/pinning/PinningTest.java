package dev.sluice.dataverse.pinning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.Selection;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.simulator.dataverse.Counters;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pinned client beside simulated farms of web servers, in simulated time. */
class PinningTest {
  private static final int REQUESTS = 300;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private static final ProtectionOptions LIMITS =
      ProtectionOptions.DOCUMENTED
          .withRequests(REQUESTS)
          .withWindow(WINDOW)
          .withWaits(Duration.ofSeconds(5), Duration.ofMinutes(1));

  private static final FarmOptions FARM =
      FarmOptions.DEFAULTS.withServers(3).withProtection(LIMITS);

  private static final AdaptiveRateOptions AS_RECOMMENDED =
      AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build();

  /** How a job ended, as client and environment saw it. */
  private record Seen(
      BulkResult result, List<String> lanes, Counters counters, List<RequestRecord> requests) {
    long throttled() {
      return requests.stream().filter(request -> request.status() == 429).count();
    }

    long pressed() {
      return counters.users().stream().mapToLong(Counters.OfUser::pressed).sum();
    }
  }

  private static Seen load(FarmOptions farm, DataverseOptions options, int batches) {
    Seen[] seen = new Seen[1];
    Worlds.in(
        EnvironmentOptions.of(Worlds.USERS).withFarm(farm),
        world -> {
          try (DataverseClient client =
              DataverseClient.connect(options, world.transport(), world.time(), message -> {})) {
            List<Map<String, String>> rows =
                IntStream.range(0, 10 * batches).mapToObj(i -> Map.of("name", "row " + i)).toList();
            BulkResult result =
                client.write(
                    "account", Operation.CREATE, rows, BulkOptions.DEFAULTS.withFixedBatch(10));
            seen[0] =
                new Seen(
                    result,
                    client.gate().statistics().lanes().stream().map(LaneStatistics::name).toList(),
                    world.environment().counters(),
                    world.environment().requests(100_000));
          }
        });
    return seen[0];
  }

  private static DataverseOptions pinned() {
    return DataverseOptions.of(
            Worlds.ADDRESS,
            Worlds.USERS.stream()
                .map(user -> new Identity(user.name(), Worlds.credential(user)))
                .toList())
        .withAuthority(Worlds.ADDRESS)
        .withLimits(
            new QuotaOptions(
                REQUESTS, LIMITS.executionTime(), WINDOW, LIMITS.concurrent(), OptionalInt.empty()))
        .withPinned(true);
  }

  private static List<String> identities() {
    return pinned().identities().stream().map(Identity::name).toList();
  }

  private static Set<String> lanesToThreeServers() {
    return identities().stream()
        .flatMap(name -> IntStream.rangeClosed(1, 3).mapToObj(n -> name + "@" + n))
        .collect(Collectors.toSet());
  }

  @Test
  void each_identity_gets_a_lane_to_each_server_that_is_found() {
    Seen seen = load(FARM, pinned(), 8_000);

    assertThat(seen.result().progress().done()).isEqualTo(80_000);
    assertThat(seen.lanes()).containsExactlyInAnyOrderElementsOf(lanesToThreeServers());
    assertThat(seen.throttled()).isLessThan(16); // of 8,000; what is spent is known by server
  }

  @Test
  void lanes_to_servers_are_sooner_done_than_lanes_to_any() {
    Seen any = load(FARM, pinned().withPinned(false), 8_000);
    Seen pinned = load(FARM, pinned(), 8_000);

    assertThat(any.lanes()).containsExactlyElementsOf(identities());
    assertThat(pinned.result().progress().elapsed()).isLessThan(any.result().progress().elapsed());
  }

  @Test
  void who_is_not_pinned_knows_by_the_answers_when_the_fullest_server_is_full() {
    Seen seen = load(FARM, pinned().withPinned(false), 8_000);

    assertThat(seen.result().progress().done()).isEqualTo(80_000);
    assertThat(seen.throttled()).isLessThan(16);
  }

  @Test
  void pinning_is_given_up_where_cookies_are_not_followed() {
    Seen seen = load(FARM.withCookieHonoured(0), pinned(), 1_000);

    assertThat(seen.result().progress().done()).isEqualTo(10_000);
    assertThat(seen.lanes()).containsExactlyInAnyOrderElementsOf(identities());
  }

  @Test
  void pinning_is_given_up_where_servers_count_together_after_one_probe_of_each_user() {
    Seen seen = load(FARM.withProtection(LIMITS.withShared(true)), pinned(), 3_000);

    assertThat(seen.result().progress().done()).isEqualTo(30_000);
    assertThat(seen.lanes()).containsExactlyInAnyOrderElementsOf(identities());
    assertThat(seen.pressed()).isLessThanOrEqualTo(identities().size());
  }

  @Test
  void one_server_gets_a_lane_of_its_own_because_its_budget_is_known_then() {
    Seen seen = load(FARM.withServers(1), pinned(), 1_200);

    assertThat(seen.result().progress().done()).isEqualTo(12_000);
    assertThat(seen.lanes()).containsExactly("app1@1", "app2@1", "app3@1");
    assertThat(seen.throttled()).isLessThanOrEqualTo(3); // who they are was asked before
  }

  @Test
  void a_throttle_of_one_server_leaves_the_others_to_work_once_a_probe_was_let_in() {
    // Such that servers are not all full in the same moment.
    DataverseOptions uneven =
        pinned()
            .withAdaptiveRate(AS_RECOMMENDED)
            .withPool(ConnectionPoolOptions.DEFAULTS.withStrategy(Selection.LEAST_CONNECTIONS));
    Seen seen = load(FARM.withJitter(0.5), uneven, 8_000);

    assertThat(seen.result().progress().done()).isEqualTo(80_000);
    assertThat(seen.throttled()).isPositive();
    assertThat(seen.lanes()).containsExactlyInAnyOrderElementsOf(lanesToThreeServers());
    assertThat(seen.pressed()).isZero(); // nobody asked a server that had said when to come back
    assertThat(seen.requests())
        .filteredOn(request -> request.status() == 429)
        .anyMatch(
            throttled ->
                seen.requests().stream().anyMatch(other -> isElsewhereMeanwhile(other, throttled)));
  }

  /** Whether a request was let in on another server while its user waited for one. */
  private static boolean isElsewhereMeanwhile(RequestRecord other, RequestRecord throttled) {
    return other.status() == 200
        && other.user().equals(throttled.user())
        && other.server() != throttled.server()
        && other.arrived() > throttled.arrived()
        && other.arrived() - throttled.arrived() < LIMITS.shortestWait().toNanos();
  }
}
