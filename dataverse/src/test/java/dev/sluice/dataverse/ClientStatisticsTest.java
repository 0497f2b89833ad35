package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.AdaptiveRateStatistics;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.Worlds.World;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.Run;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the first document names is there where requests are sent, whatever the policy. */
class ClientStatisticsTest {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final EnvironmentOptions NARROW =
      EnvironmentOptions.of(Worlds.USERS)
          .withFarm(
              FarmOptions.DEFAULTS.withProtection(
                  ProtectionOptions.DOCUMENTED.withRequests(200).withWindow(WINDOW)))
          .withParallelism(20);

  private interface Story {
    void happen(World world, DataverseClient client) throws Exception;
  }

  private static void in(PolicyName policy, UnaryOperator<DataverseOptions> settings, Story story) {
    Worlds.in(
        NARROW,
        world -> {
          Identity app1 = new Identity("app1", Worlds.credential(Worlds.USERS.getFirst()));
          DataverseOptions options =
              DataverseOptions.of(Worlds.ADDRESS, List.of(app1))
                  .withAuthority(Worlds.ADDRESS)
                  .withAdaptiveRate(AdaptiveRateOptions.builder().policy(policy).build());
          try (DataverseClient client =
              DataverseClient.connect(
                  settings.apply(options), world.transport(), world.time(), message -> {})) {
            story.happen(world, client);
          }
        });
  }

  private static void write(DataverseClient client, int rows) throws Exception {
    List<Map<String, String>> records =
        IntStream.range(0, rows).mapToObj(i -> Map.of("name", "row " + i)).toList();
    assertThat(
            client
                .write(
                    "account", Operation.CREATE, records, BulkOptions.DEFAULTS.withFixedBatch(10))
                .progress()
                .done())
        .isEqualTo(rows);
  }

  @ParameterizedTest
  @EnumSource
  void a_client_has_all_ten_fields_of_each_connection_whatever_the_policy(PolicyName policy) {
    in(
        policy,
        options -> options,
        (world, client) -> {
          Instant connected = world.time().instant();
          AdaptiveRateStatistics before = client.adaptiveRateStatistics("app1");
          assertThat(before.totalThrottleEvents()).isZero();
          assertThat(before.lastThrottleTime()).isEmpty();
          assertThat(before.lastIncreaseTime()).isEmpty();
          assertThat(before.lastKnownGoodParallelism()).isEqualTo(before.currentParallelism());
          assertThat(before.lastActivityTime()).isEqualTo(connected);

          write(client, 6_000);
          Instant ended = world.time().instant();
          LaneStatistics lane = client.gate().statistics().lanes().getFirst();
          AdaptiveRateStatistics after = client.adaptiveRateStatistics("app1");
          assertThat(client.adaptiveRateStatistics()).containsExactly(after);
          assertThat(client.gate().adaptiveRateStatistics("app1")).isEqualTo(after);
          assertThat(after.connectionName()).isEqualTo("app1");
          assertThat(after.currentParallelism()).isEqualTo(lane.parallelism());
          assertThat(after.maxParallelism()).isEqualTo(policy == PolicyName.QUOTA ? 52 : 20);
          assertThat(after.lastKnownGoodParallelism()).isBetween(1, after.maxParallelism());
          assertThat(after.isLastKnownGoodStale()).isFalse();
          assertThat(after.successesSinceThrottle()).isPositive();
          assertThat(after.totalThrottleEvents()).isEqualTo(lane.throttleEvents()).isPositive();
          assertThat(after.lastThrottleTime())
              .hasValueSatisfying(at -> assertThat(at).isBetween(connected, ended));
          if (policy == PolicyName.FIXED) {
            assertThat(after.lastIncreaseTime()).isEmpty();
          } else {
            assertThat(after.lastIncreaseTime())
                .hasValueSatisfying(at -> assertThat(at).isBetween(connected, ended));
          }
          assertThat(after.lastActivityTime()).isEqualTo(ended);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_reset_begins_the_search_anew_and_keeps_the_total_of_throttles(PolicyName policy) {
    in(
        policy,
        options -> options,
        (world, client) -> {
          int first = client.adaptiveRateStatistics("app1").currentParallelism();
          write(client, 6_000);
          AdaptiveRateStatistics before = client.adaptiveRateStatistics("app1");
          client.reset("app1");
          AdaptiveRateStatistics after = client.adaptiveRateStatistics("app1");
          assertThat(after.successesSinceThrottle()).isZero();
          assertThat(after.lastKnownGoodParallelism()).isEqualTo(after.currentParallelism());
          assertThat(after.isLastKnownGoodStale()).isFalse();
          assertThat(after.totalThrottleEvents()).isEqualTo(before.totalThrottleEvents());
          assertThat(after.lastThrottleTime()).isEqualTo(before.lastThrottleTime());
          if (policy != PolicyName.QUOTA) { // which plans by what it knows of durations, too
            assertThat(after.currentParallelism()).isEqualTo(first);
          }
          assertThat(client.gate().statistics().lanes().getFirst().parallelism())
              .as("where permits are granted")
              .isEqualTo(after.currentParallelism());
          write(client, 100);
        });
  }

  @Test
  void a_reset_of_the_ledger_does_not_forget_what_the_service_counts() {
    QuotaOptions few = new QuotaOptions(10, Duration.ofHours(1), WINDOW, 52, OptionalInt.of(1));
    in(
        PolicyName.QUOTA,
        options -> options.withLimits(few),
        (world, client) -> {
          for (int i = 0; i < 10; i++) {
            client.gate().acquire().settle(Signal.success());
          }
          client.reset("app1");
          assertThat(client.gate().tryAcquire(Run.unbounded())).isNull();
          assertThat(client.gate().statistics().lanes().getFirst().reason())
              .contains("10 of 10 requests were spent");
        });
  }

  @Test
  void a_connection_that_is_not_there_is_refused_with_those_that_are() {
    in(
        PolicyName.QUOTA,
        options -> options,
        (world, client) -> {
          assertThatThrownBy(() -> client.adaptiveRateStatistics("app7"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("app7")
              .hasMessageContaining("[app1]");
          assertThatThrownBy(() -> client.reset("app7"))
              .isInstanceOf(IllegalArgumentException.class);
        });
  }
}
