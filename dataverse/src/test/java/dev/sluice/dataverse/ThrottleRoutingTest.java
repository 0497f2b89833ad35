package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.routing.ThrottleState;
import dev.sluice.control.routing.ThrottleTracker;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.farm.Facet;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Response;
import dev.sluice.simulator.http.Service;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Throttle detection and routing as it was asked for, criterion by criterion: over HTTP, with three
 * application users, each claim compared with what the simulator wrote down.
 */
class ThrottleRoutingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource(Facet.class)
  void criterion_01_all_three_codes_are_detected_and_told_apart(Facet facet) throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.onThrottle(unused -> world.free());
      ProtectionOptions limits = ThreeUsers.telling(LONG);
      world.environment.limit(
          switch (facet) {
            case REQUESTS -> limits.withRequests(0);
            case EXECUTION_TIME -> limits.withExecutionTime(Duration.ZERO);
            case CONCURRENCY -> limits.withConcurrent(0);
          });
      world.write(1);
      assertThat(world.refused(facet)).isEqualTo(world.refused()).isEqualTo(1);
      RequestRecord refused = world.writes().getFirst();
      assertThat(world.throttles())
          .singleElement()
          .satisfies(told -> assertThat(told.lane()).isEqualTo(refused.user()))
          .satisfies(told -> assertThat(told.facet().name()).isEqualTo(facet.name()))
          .satisfies(told -> assertThat(told.code()).isEqualToIgnoringCase(facet.code()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 300})
  void criterion_02_retry_after_is_extracted(int seconds) throws Exception {
    Duration wait = Duration.ofSeconds(seconds);
    try (ThreeUsers world =
        ThreeUsers.connect(settings -> settings.withPool(ConnectionPoolOptions.DEFAULTS))) {
      List<ThrottleState> states = new CopyOnWriteArrayList<>();
      ThrottleTracker tracker = world.client.gate().throttleTracker();
      world.onThrottle(
          unused -> {
            tracker.throttleState("app2").ifPresent(states::add);
            world.free();
          });
      world.environment.limit(ThreeUsers.telling(wait));
      world.spend("app2");
      world.writeUntilRefused("app2");
      assertThat(world.throttles())
          .singleElement()
          .satisfies(told -> assertThat(told.retryAfter()).contains(wait));
      assertThat(states)
          .singleElement()
          .satisfies(held -> assertThat(held.retryAfter()).isEqualTo(wait))
          .satisfies(
              held ->
                  assertThat(Duration.between(held.throttledAt(), held.expiresAt()))
                      .as("with a second for clocks that disagree")
                      .isEqualTo(wait.plus(SECOND)));
    }
  }

  @Test
  void criterion_03_every_throttle_is_recorded_for_its_connection() throws Exception {
    Duration wait = Duration.ofSeconds(40);
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.environment.limit(ThreeUsers.telling(wait));
      world.spend("app1");
      world.spend("app3");
      world.writeUntilRefused("app1", "app3");
      ThrottleTracker tracker = world.client.gate().throttleTracker();
      assertThat(tracker.throttledConnections()).containsExactlyInAnyOrder("app1", "app3");
      assertThat(tracker.isThrottled("app2")).isFalse();
      assertThat(tracker.throttleState("app3"))
          .hasValueSatisfying(held -> assertThat(held.retryAfter()).isEqualTo(wait));
      assertThat(tracker.totalThrottleEvents()).isEqualTo(world.refused()).isEqualTo(2);
    }
  }

  @Test
  void criterion_04_requests_go_round_a_throttled_connection() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.environment.limit(ThreeUsers.telling(LONG));
      world.spend("app1");
      world.writeUntilRefused("app1");
      int before = world.writes().size();
      world.write(12);
      List<RequestRecord> after = world.writes().subList(before, before + 12);
      assertThat(after).allMatch(request -> request.facet() == null);
      assertThat(sentBy(after, "app1")).isZero();
      assertThat(sentBy(after, "app2")).isEqualTo(6);
      assertThat(sentBy(after, "app3")).isEqualTo(6);
    }
  }

  private static long sentBy(List<RequestRecord> requests, String user) {
    return requests.stream().filter(request -> request.user().equals(user)).count();
  }

  @Test
  void criterion_05_a_throttled_message_goes_at_once_through_another_connection() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.environment.limit(ThreeUsers.telling(LONG));
      world.spend("app1");
      world.writeUntilRefused("app1");
      List<RequestRecord> writes = world.writes();
      int refused = firstRefused(writes);
      RequestRecord next = writes.get(refused + 1);
      assertThat(next.user()).isNotEqualTo("app1");
      assertThat(next.facet()).isNull();
      assertThat(ThreeUsers.between(writes.get(refused), next)).isLessThan(LONG.dividedBy(3));
      assertThat(world.environment.rows("account")).as("nothing was given up").hasSize(3);
    }
  }

  private static int firstRefused(List<RequestRecord> writes) {
    return IntStream.range(0, writes.size())
        .filter(i -> writes.get(i).facet() != null)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void criterion_06_if_all_are_throttled_the_shortest_wait_is_waited_out_and_then_it_is_sent_again()
      throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.onThrottle(
          throttles -> {
            switch (throttles) {
              case 1 -> world.shut(SECOND);
              case 2 -> world.shut(LONG);
              default -> world.free();
            }
          });
      world.shut(LONG);
      world.write(1);
      List<RequestRecord> writes = world.writes();
      assertThat(writes).hasSize(4);
      assertThat(writes.subList(0, 3))
          .allMatch(request -> request.facet() != null)
          .extracting(RequestRecord::user)
          .containsExactlyInAnyOrder("app1", "app2", "app3");
      RequestRecord told = writes.get(1);
      RequestRecord again = writes.get(3);
      assertThat(again.facet()).isNull();
      assertThat(again.user()).as("the one that is free first").isEqualTo(told.user());
      assertThat(ThreeUsers.between(told, again)).isBetween(SECOND, LONG.dividedBy(2));
      assertThat(world.pressed()).isZero();
    }
  }

  @Test
  void criterion_07_max_retries_end_what_is_throttled_for_ever() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect(retries(1))) {
      world.onThrottle(
          throttles -> {
            if (throttles == 12) {
              world.free(); // whoever tries for ever comes through in the end, and is found out
            }
          });
      world.shut(SECOND);
      assertThatThrownBy(() -> create(world))
          .isInstanceOfSatisfying(
              ServiceProtectionException.class,
              e -> {
                assertThat(e.connection()).startsWith("app");
                assertThat(e.errorCode()).isEqualTo(ServiceProtectionException.REQUESTS);
                assertThat(e.retryAfter()).isEqualTo(SECOND);
                assertThat((long) e.attempts())
                    .as("nobody else repeats what the gate repeats")
                    .isEqualTo(world.refused());
              });
      assertThat(world.refused()).as("each user, and some again after one wait").isBetween(4L, 6L);
    }
  }

  @Test
  void a_job_that_is_throttled_for_ever_ends_with_its_records_given_back() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect(retries(0))) {
      world.shut(LONG);
      BulkResult result =
          world.client.createMultiple("account", List.of(Map.of("name", "a"), Map.of("name", "b")));
      assertThat(result.end())
          .isInstanceOfSatisfying(
              BulkEnd.Refused.class,
              end -> assertThat(end.refusal()).isInstanceOf(Refusal.GivenUp.class));
      assertThat(result.progress().deferred()).isEqualTo(2);
      assertThat(result.progress().rejected()).isZero();
      assertThat(world.refused()).isEqualTo(3);
      assertThat(world.environment.rows("account")).isEmpty();
    }
  }

  private static UnaryOperator<DataverseOptions> retries(int waits) {
    return settings ->
        settings.withResilience(ResilienceOptions.DEFAULTS.withMaxThrottleRetries(waits));
  }

  private static UUID create(ThreeUsers world) throws Exception {
    return world.client.records().create(Worlds.ACCOUNT, null, "\"name\":\"one\"");
  }

  @Test
  void criterion_08_statistics_show_how_many_connections_are_throttled_now() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      assertThat(statistics(world).totalConnections()).isEqualTo(3);
      assertThat(statistics(world).throttledConnections()).isZero();
      List<Integer> afterEach = new CopyOnWriteArrayList<>();
      world.onThrottle(unused -> afterEach.add(statistics(world).throttledConnections()));
      world.environment.limit(ThreeUsers.telling(LONG));
      for (String user : List.of("app1", "app3")) {
        world.spend(user);
        world.writeUntilRefused(user);
      }
      world.environment.limit(ThreeUsers.telling(SECOND));
      world.spend("app2");
      world.onThrottle(unused -> world.free());
      world.write(1);
      assertThat(world.refused()).isEqualTo(3);
      assertThat(afterEach).containsExactly(1, 2, 3);
      assertThat(statistics(world).throttledConnections()).as("one is free again").isEqualTo(2);
    }
  }

  private static PoolStatistics statistics(ThreeUsers world) {
    return world.client.gate().statistics();
  }

  @Test
  void criterion_09_statistics_count_every_throttle() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      assertThat(statistics(world).totalThrottleEvents()).isZero();
      world.environment.limit(ThreeUsers.telling(LONG));
      for (String user : List.of("app1", "app2")) {
        world.spend(user);
        world.writeUntilRefused(user);
        assertThat(statistics(world).totalThrottleEvents()).isEqualTo(world.refused());
      }
      for (LaneStatistics lane : statistics(world).lanes()) {
        assertThat(lane.throttleEvents()).as(lane.name()).isEqualTo(world.refused(lane.name()));
      }
      assertThat(world.refused()).isEqualTo(2);
    }
  }

  @Test
  void criterion_10_the_log_names_connection_code_and_retry_after() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.environment.limit(ThreeUsers.telling(LONG));
      world.spend("app1");
      RecordedLog.start();
      world.writeUntilRefused("app1");
      assertThat(RecordedLog.lines("throttled"))
          .singleElement()
          .asString()
          .contains(" connection=app1 ")
          .contains(" facet=requests ")
          .containsIgnoringCase(" code=0x80072322 ")
          .contains(" retry-after=30s ")
          .contains(" attempt=1 ")
          .contains(" waits=0/3 ");
    }
  }

  @Test
  void criterion_11_max_throttle_retries_are_configurable() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect(retries(0))) {
      world.shut(LONG);
      assertThatThrownBy(() -> create(world)).isInstanceOf(ServiceProtectionException.class);
      assertThat(world.refused()).isEqualTo(3);
    }
    try (ThreeUsers world = ThreeUsers.connect(retries(0))) {
      world.shut(LONG);
      assertThatThrownBy(() -> world.client.table("contact"))
          .isInstanceOf(ServiceProtectionException.class);
      assertThat(world.refused()).isEqualTo(3);
    }
  }

  @Test
  void criterion_11_without_throttle_tracking_only_the_throttled_message_waits() throws Exception {
    try (ThreeUsers world =
        ThreeUsers.connect(
            settings ->
                settings.withResilience(
                    ResilienceOptions.DEFAULTS.withEnableThrottleTracking(false)))) {
      List<Integer> tracked = new CopyOnWriteArrayList<>();
      world.onThrottle(
          unused -> {
            tracked.add(statistics(world).throttledConnections());
            world.free();
          });
      world.environment.limit(ThreeUsers.telling(SECOND));
      world.spend("app1");
      world.writeUntilRefused("app1");
      List<RequestRecord> writes = world.writes();
      int refused = firstRefused(writes);
      assertThat(ThreeUsers.between(writes.get(refused), writes.get(refused + 1)))
          .as("two others were free, but nobody keeps track")
          .isGreaterThanOrEqualTo(SECOND);
      assertThat(tracked).containsExactly(0);
      assertThat(statistics(world).totalThrottleEvents()).isEqualTo(world.refused()).isEqualTo(1);
    }
  }

  @Test
  void criterion_11_the_fallback_without_retry_after_is_configurable() throws Exception {
    Duration fallback = Duration.ofSeconds(45);
    try (ThreeUsers world =
        ThreeUsers.connectThrough(
            ThrottleRoutingTest::withoutRetryAfter,
            settings ->
                settings.withResilience(
                    ResilienceOptions.DEFAULTS.withFallbackRetryAfter(fallback)))) {
      world.environment.limit(ThreeUsers.telling(SECOND));
      world.spend("app1");
      world.writeUntilRefused("app1");
      assertThat(world.throttles())
          .singleElement()
          .satisfies(told -> assertThat(told.retryAfter()).isEmpty())
          .satisfies(told -> assertThat(told.facet()).isEqualTo(Signal.Facet.REQUESTS));
      assertThat(world.client.gate().throttleTracker().throttleState("app1"))
          .hasValueSatisfying(held -> assertThat(held.retryAfter()).isEqualTo(fallback));
    }
  }

  private static Service withoutRetryAfter(Service service) {
    return request -> {
      Reply reply = service.answer(request);
      if (!(reply instanceof Response response)) {
        return reply;
      }
      Headers headers = new Headers();
      response
          .headers()
          .forEach(
              (name, value) -> {
                if (!name.equalsIgnoreCase("Retry-After")) {
                  headers.add(name, value);
                }
              });
      return Response.of(response.status(), headers, response.body());
    };
  }

  @Test
  void what_is_no_service_protection_error_is_not_taken_for_one() throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      assertThatThrownBy(
              () -> world.client.records().create(Worlds.ACCOUNT, null, "\"nosuchcolumn\":1"))
          .isInstanceOf(FaultException.class);
      assertThat(world.throttles()).isEmpty();
      assertThat(statistics(world).totalThrottleEvents()).isZero();
      assertThat(statistics(world).throttledConnections()).isZero();
    }
  }

  @Test
  void criterion_13_of_three_users_one_is_throttled_left_alone_and_used_again_when_it_is_free()
      throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      world.write(6);
      for (String user : ThreeUsers.names()) {
        assertThat(sentBy(world.writes(), user)).as(user).isEqualTo(2);
      }
      world.environment.limit(ThreeUsers.telling(SECOND));
      world.spend("app1");
      long accepted = world.counters("app1").accepted();
      world.onThrottle(unused -> world.free());
      world.writeUntilRefused("app1");
      world.writeUntil(() -> world.counters("app1").accepted() > accepted);
      List<RequestRecord> writes = world.writes();
      int refused = firstRefused(writes);
      List<RequestRecord> meanwhile = writes.subList(refused + 1, writes.size() - 1);
      RequestRecord again = writes.getLast();
      assertThat(again.user()).isEqualTo("app1");
      assertThat(ThreeUsers.between(writes.get(refused), again))
          .isBetween(SECOND, LONG.dividedBy(2));
      assertThat(meanwhile).extracting(RequestRecord::user).containsOnly("app2", "app3");
      assertThat(sentBy(meanwhile, "app2") - sentBy(meanwhile, "app3")).isBetween(-1L, 1L);
      int before = writes.size();
      world.write(9);
      assertThat(sentBy(world.writes().subList(before, before + 9), "app1"))
          .as("its share again")
          .isEqualTo(3);
      assertThat(world.refused()).isEqualTo(1);
    }
  }

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource({
    "CREATE, account, create-multiple",
    "UPDATE, account, update-multiple",
    "UPSERT, account, upsert-multiple",
    "DELETE, sim_sensorreading, delete-multiple",
    "DELETE, account, batch"
  })
  void every_bulk_operation_goes_round_a_throttled_connection(
      Operation operation, String table, String message) throws Exception {
    try (ThreeUsers world = ThreeUsers.connect()) {
      List<Map<String, Object>> records =
          IntStream.range(0, 3)
              .mapToObj(i -> Map.<String, Object>of(table + "id", new UUID(7, i)))
              .toList();
      if (operation != Operation.CREATE) {
        assertThat(world.client.createMultiple(table, records).succeeded()).isTrue();
      }
      world.environment.limit(ThreeUsers.telling(LONG));
      world.spend("app1");
      for (Map<String, Object> record : records) {
        BulkResult result =
            world.client.write(table, operation, List.of(record), BulkOptions.DEFAULTS);
        assertThat(result.succeeded()).as("%s", result).isTrue();
      }
      List<RequestRecord> sent =
          world.writes().stream()
              .filter(request -> request.operation().wireName().equals(message))
              .toList();
      assertThat(sent).as("three messages, one of them twice").hasSize(4);
      assertThat(sent.get(firstRefused(sent)).user()).isEqualTo("app1");
      assertThat(sent).filteredOn(request -> request.facet() == null).hasSize(3);
    }
  }

  /** More than the limits allow, as fast as slots allow. */
  @Test
  void criterion_14_under_load_throttles_are_counted_logged_and_routed_round_and_no_row_is_lost()
      throws Exception {
    int rows = 100;
    int allowed = 20;
    Duration window = Duration.ofSeconds(2);
    try (ThreeUsers world =
        ThreeUsers.connect(
            settings ->
                settings.withAdaptiveRate(
                    AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build()))) {
      world.environment.limit(
          ProtectionOptions.DOCUMENTED
              .withRequests(allowed)
              .withWindow(window)
              .withWaits(SECOND, window));
      RecordedLog.start();
      BulkResult result =
          world.client.write(
              "account",
              Operation.CREATE,
              IntStream.range(0, rows).mapToObj(i -> Map.of("name", "row " + i)).toList(),
              BulkOptions.DEFAULTS.withFixedBatch(1));
      assertThat(result.succeeded()).as("%s", result).isTrue();
      assertThat(world.environment.rows("account"))
          .extracting(row -> row.get("name"))
          .doesNotHaveDuplicates()
          .hasSize(rows);

      BulkProgress progress = result.progress();
      assertThat(ThreeUsers.names()).allMatch(user -> world.refused(user) > 0);
      assertThat(progress.throttles()).isEqualTo(Map.of(Signal.Facet.REQUESTS, world.refused()));
      assertThat(statistics(world).totalThrottleEvents()).isEqualTo(world.refused());
      assertThat(RecordedLog.lines("throttled")).hasSize((int) world.refused());
      assertThat(world.pressed()).as("nobody was asked while it was told to wait").isZero();

      double windows = 1 + progress.elapsed().toMillis() / (double) window.toMillis();
      assertThat((double) rows)
          .as("more than one user is allowed in %.1f windows", windows)
          .isGreaterThan(allowed * windows);
    }
  }
}
