package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An environment at the other end of a slow network, which the service does not count. */
class FarAwayTest {
  private static final Duration ROUND_TRIP = Duration.ofMillis(200);

  /** Four requests at once, for ever. */
  private static final ProtectionOptions LIMITS =
      ProtectionOptions.DOCUMENTED
          .withExecutionTime(Duration.ofMinutes(4))
          .withWindow(Duration.ofMinutes(1));

  /** A batch of ten rows takes 400 ms. */
  private static final EnvironmentOptions ENVIRONMENT =
      EnvironmentOptions.of(Worlds.USERS.subList(0, 1))
          .withFarm(FarmOptions.DEFAULTS.withProtection(LIMITS))
          .withTimes(
              new ServiceTimes(
                  Duration.ofMillis(5),
                  Duration.ofMillis(30),
                  Duration.ofMillis(50),
                  Duration.ofMillis(240),
                  Duration.ofMillis(16)));

  private static Transport far(Transport transport, Time time) {
    return request -> {
      time.sleep(ROUND_TRIP.dividedBy(2));
      WebAnswer answer = transport.send(request);
      time.sleep(ROUND_TRIP.dividedBy(2));
      return answer;
    };
  }

  @Test
  void the_networks_part_of_an_answers_time_is_measured_and_not_taken_for_execution_time() {
    Worlds.in(
        ENVIRONMENT,
        world -> {
          DataverseOptions options =
              DataverseOptions.of(
                      Worlds.ADDRESS,
                      List.of(
                          new Identity(
                              "app",
                              Worlds.credential(world.environment().options().users().getFirst()))))
                  .withAuthority(Worlds.ADDRESS)
                  .withLimits(
                      new QuotaOptions(
                          LIMITS.requests(),
                          LIMITS.executionTime(),
                          LIMITS.window(),
                          LIMITS.concurrent(),
                          OptionalInt.of(1)));
          try (DataverseClient client =
              DataverseClient.connect(
                  options, far(world.transport(), world.time()), world.time(), message -> {})) {
            List<Map<String, String>> rows =
                IntStream.range(0, 30_000).mapToObj(i -> Map.of("name", "row " + i)).toList();
            BulkResult result =
                client.write(
                    "account", Operation.CREATE, rows, BulkOptions.DEFAULTS.withFixedBatch(10));

            assertThat(result.progress().done()).isEqualTo(30_000);
            // 3,000 batches of 0.4 s are five windows; if 0.6 s counted, it would be eight.
            assertThat(result.progress().elapsed()).isLessThan(Duration.ofSeconds(285));
          }
        });
  }
}
