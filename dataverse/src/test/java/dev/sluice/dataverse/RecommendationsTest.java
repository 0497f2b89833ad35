package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service recommends how many at once with every answer, and changes its mind. */
class RecommendationsTest {
  @ParameterizedTest(name = "{0}: {2} when told {1}")
  @CsvSource({"FIXED, 9, 9", "FIXED, 900, 52", "FIXED, 0, 1", "AIMD, 2, 2"})
  void the_level_follows_what_answers_recommend(PolicyName policy, int told, int followed) {
    AtomicInteger degree = new AtomicInteger(4);
    Worlds.free(
        world -> {
          Identity identity =
              new Identity(Worlds.USERS.get(0).name(), Worlds.credential(Worlds.USERS.get(0)));
          DataverseOptions options =
              DataverseOptions.of(Worlds.ADDRESS, List.of(identity))
                  .withAuthority(Worlds.ADDRESS)
                  .withAdaptiveRate(rate(policy));
          try (DataverseClient client =
              DataverseClient.connect(
                  options, recommending(world.transport(), degree), world.time(), text -> {})) {
            assertThat(level(client)).isEqualTo(4);
            degree.set(told);
            assertThat(client.table("account").primaryId()).isEqualTo("accountid");
            assertThat(level(client)).isEqualTo(followed);
          }
        });
  }

  /** At what is recommended from the beginning. */
  private static AdaptiveRateOptions rate(PolicyName policy) {
    AdaptiveRateOptions.Builder builder = AdaptiveRateOptions.builder().policy(policy);
    return policy == PolicyName.AIMD
        ? builder.initialParallelismFactor(1).build()
        : builder.build();
  }

  private static int level(DataverseClient client) {
    return client.gate().statistics().lanes().stream().mapToInt(LaneStatistics::parallelism).sum();
  }

  private static Transport recommending(Transport transport, AtomicInteger degree) {
    return request -> {
      WebAnswer answer = transport.send(request);
      Map<String, List<String>> headers = new HashMap<>(answer.headers().map());
      headers.remove("x-ms-dop-hint");
      headers.put("X-MS-DOP-Hint", List.of(degree.toString()));
      return new WebAnswer(
          answer.status(), HttpHeaders.of(headers, (name, value) -> true), answer.body());
    };
  }
}
