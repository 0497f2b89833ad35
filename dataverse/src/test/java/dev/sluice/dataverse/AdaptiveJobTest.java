package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.GateEvent;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A job under a level that is searched for. */
class AdaptiveJobTest {
  @Test
  void a_job_follows_the_level_while_it_works_and_every_change_is_logged() {
    EnvironmentOptions environment =
        EnvironmentOptions.of(Worlds.USERS)
            .withFarm(
                FarmOptions.DEFAULTS.withProtection(
                    ProtectionOptions.DOCUMENTED
                        .withRequests(200)
                        .withWindow(Duration.ofMinutes(1))))
            .withParallelism(20);
    Worlds.in(
        environment,
        world -> {
          Identity identity =
              new Identity(Worlds.USERS.get(0).name(), Worlds.credential(Worlds.USERS.get(0)));
          RecordedLog.start();
          try (DataverseClient client =
              DataverseClient.connect(
                  DataverseOptions.of(Worlds.ADDRESS, List.of(identity))
                      .withAuthority(Worlds.ADDRESS)
                      .withAdaptiveRate(
                          AdaptiveRateOptions.builder().policy(PolicyName.AIMD).build()),
                  world.transport(),
                  world.time(),
                  message -> {})) {
            List<GateEvent.ParallelismChanged> changes = new ArrayList<>();
            client
                .gate()
                .addListener(
                    event -> {
                      if (event instanceof GateEvent.ParallelismChanged change) {
                        changes.add(change);
                      }
                    });
            List<Map<String, String>> rows =
                IntStream.range(0, 6_000).mapToObj(i -> Map.of("name", "row " + i)).toList();
            assertThat(
                    client
                        .write(
                            "account",
                            Operation.CREATE,
                            rows,
                            BulkOptions.DEFAULTS.withFixedBatch(10))
                        .progress()
                        .done())
                .isEqualTo(6_000);
            assertThat(changes).anyMatch(change -> change.to() > change.from());
            assertThat(changes).anyMatch(change -> change.to() < change.from());
            List<String> lines = RecordedLog.lines("Adaptive rate: ");
            assertThat(lines)
                .allMatch(
                    line ->
                        line.matches(
                            "Adaptive rate: \\d+/20 parallelism, \\d+ since throttle,"
                                + " \\d+ total throttles, connection="
                                + identity.name()));
            for (GateEvent.ParallelismChanged change : changes) {
              assertThat(lines).anyMatch(line -> line.contains(" " + change.to() + "/20 "));
            }
            long throttles = client.gate().statistics().totalThrottleEvents();
            assertThat(throttles).isPositive();
            assertThat(lines).anyMatch(line -> line.contains(" 0 since throttle, " + throttles));
          }
        });
  }
}
