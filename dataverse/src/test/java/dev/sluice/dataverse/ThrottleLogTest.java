package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.dataverse.Worlds.World;
import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an operator reads of throttles in the log, and how long a told wait may be: through the
 * client and its bulk executor, in simulated time.
 */
class ThrottleLogTest {
  private static final Duration TOLD = Duration.ofSeconds(37);
  private static final ConnectionPoolOptions NO_BUFFER =
      ConnectionPoolOptions.DEFAULTS.withThrottleBuffer(Duration.ZERO);

  private interface Story {
    void happen(World world, DataverseClient client) throws Exception;
  }

  private static void in(UnaryOperator<DataverseOptions> settings, boolean tellsWait, Story story) {
    Worlds.in(
        Worlds.FREE,
        world -> {
          List<Identity> identities =
              Worlds.USERS.stream()
                  .map(user -> new Identity(user.name(), Worlds.credential(user)))
                  .toList();
          DataverseOptions options =
              DataverseOptions.of(Worlds.ADDRESS, identities).withAuthority(Worlds.ADDRESS);
          try (DataverseClient client =
              DataverseClient.connect(
                  settings.apply(options),
                  request -> {
                    WebAnswer answer = world.transport().send(request);
                    return tellsWait ? answer : withoutRetryAfter(answer);
                  },
                  world.time(),
                  message -> {})) {
            assertThat(client.table("account").bulk()).isNotEmpty();
            story.happen(world, client);
          }
        });
  }

  private static WebAnswer withoutRetryAfter(WebAnswer answer) {
    return new WebAnswer(
        answer.status(),
        HttpHeaders.of(
            answer.headers().map(), (name, value) -> !name.equalsIgnoreCase("Retry-After")),
        answer.body());
  }

  /** Everybody is told this wait, until everybody was told. */
  private static void shutOnce(World world, Duration wait) {
    world.environment().limit(ProtectionOptions.DOCUMENTED.withRequests(0).withWaits(wait, wait));
    Time.Task unused =
        world
            .time()
            .start(
                "end of the limits",
                () -> {
                  try {
                    world.time().sleep(Duration.ofSeconds(5));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  world.environment().limit(ProtectionOptions.UNLIMITED);
                });
  }

  private static BulkResult create(DataverseClient client) throws Exception {
    return client.createMultiple("account", List.of(Map.of("name", "a")));
  }

  @Test
  void a_throttle_is_logged_with_connection_code_wait_and_attempt_then_the_wait_of_all() {
    in(
        options -> options.withPool(NO_BUFFER),
        true,
        (world, client) -> {
          shutOnce(world, TOLD);
          RecordedLog.start();
          long before = world.time().nanos();
          assertThat(create(client).succeeded()).isTrue();
          List<String> all = RecordedLog.lines("");
          assertThat(Duration.ofNanos(world.time().nanos() - before)).isEqualTo(TOLD);
          List<String> throttled = all.stream().filter(s -> s.startsWith("throttled ")).toList();
          assertThat(throttled).hasSize(3);
          for (int i = 0; i < 3; i++) {
            assertThat(throttled.get(i))
                .containsPattern("connection=app[123] ")
                .containsIgnoringCase(" code=0x80072322 ")
                .contains(" retry-after=37s ", " attempt=" + (i + 1) + " ");
          }
          assertThat(all.stream().filter(line -> line.startsWith("other connections available")))
              .hasSize(2)
              .allMatch(line -> line.contains("retrying immediately on a different one"));
          assertThat(all.stream().filter(line -> line.startsWith("all connections throttled")))
              .singleElement()
              .asString()
              .startsWith("all connections throttled, waiting 37s before retry: connection=app")
              .endsWith(" attempt=3");
        });
  }

  @Test
  void a_throttle_without_retry_after_is_logged_with_the_fallback_that_is_used() {
    in(
        options ->
            options.withResilience(
                ResilienceOptions.DEFAULTS.withFallbackRetryAfter(Duration.ofSeconds(45))),
        false,
        (world, client) -> {
          shutOnce(world, Duration.ofSeconds(1));
          RecordedLog.start();
          assertThat(create(client).succeeded()).isTrue();
          List<String> all = RecordedLog.lines("");
          assertThat(all.stream().filter(line -> line.contains("without Retry-After")))
              .hasSize(3)
              .allMatch(
                  line ->
                      line.matches(
                          "service protection error without Retry-After, using fallback 45s:"
                              + " connection=app[123] code=(?i)0x80072322"));
          assertThat(all)
              .anyMatch(line -> line.startsWith("all connections throttled, waiting 45s"));
        });
  }

  @ParameterizedTest(name = "a tolerance of 30 s and {0} ms: done {1}")
  @CsvSource({"-1, false", "0, true", "1, true"})
  void a_retry_after_of_exactly_the_tolerance_is_waited_for(long more, boolean done) {
    Duration wait = Duration.ofSeconds(30);
    in(
        options ->
            options.withPool(
                ConnectionPoolOptions.DEFAULTS.withMaxRetryAfterTolerance(wait.plusMillis(more))),
        true,
        (world, client) -> {
          shutOnce(world, wait);
          long before = world.time().nanos();
          BulkResult result = create(client);
          Duration took = Duration.ofNanos(world.time().nanos() - before);
          assertThat(result.succeeded()).isEqualTo(done);
          if (done) {
            assertThat(took).isGreaterThan(wait);
          } else {
            assertThat(took).isLessThan(wait);
            assertThat(result.end())
                .isInstanceOfSatisfying(
                    BulkEnd.Refused.class,
                    end -> assertThat(end.refusal()).isInstanceOf(Refusal.Held.class));
          }
        });
  }
}
