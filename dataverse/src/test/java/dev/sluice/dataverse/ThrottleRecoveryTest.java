package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkJob;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkProgress.IdleCause;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.bulk.ItemSource;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.farm.Facet;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What happens while all connections are throttled, and afterwards: over HTTP, with three
 * application users, compared with what the simulator wrote down.
 */
class ThrottleRecoveryTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ConnectionPoolOptions POOL =
      ConnectionPoolOptions.DEFAULTS.withThrottleBuffer(Duration.ZERO);

  private static final Time TIME = Time.real();

  /** As many at once as the service recommends, whatever happens. */
  private static DataverseOptions fixed(DataverseOptions settings) {
    return settings.withAdaptiveRate(
        AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build());
  }

  @Test
  void whoever_waits_for_a_throttle_to_end_holds_no_slot_and_does_not_exhaust_the_pool()
      throws Exception {
    int callers = 12;
    try (ThreeUsers world =
        ThreeUsers.connect(
            ThreeUsers.QUICK.withParallelism(callers),
            settings -> fixed(settings).withPool(POOL.withAcquireTimeout(SECOND)))) {
      world.write(3); // how long a message takes is known
      world.shut(SECOND.multipliedBy(2));
      Queue<Exception> failures = new ConcurrentLinkedQueue<>();
      List<Time.Task> tasks = start(world, callers, failures);
      world.until(() -> statistics(world).waiting() == callers);
      assertThat(statistics(world).throttledConnections()).isEqualTo(3);
      assertThat(statistics(world).inFlight()).as("slots in use").isZero();
      world.free();
      for (Time.Task task : tasks) {
        task.join();
      }
      assertThat(failures).as("they waited for 2 s, and a slot for less than 1 s").isEmpty();
      assertThat(world.environment.rows("account")).hasSize(3 + callers);
      assertThat(world.pressed()).as("nobody slipped through").isZero();
    }
  }

  /** So many callers that each create a row. */
  private static List<Time.Task> start(ThreeUsers world, int callers, Queue<Exception> failures) {
    List<Time.Task> tasks = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      tasks.add(
          TIME.start(
              "caller",
              () -> {
                try {
                  UUID unused = create(world);
                } catch (Exception e) {
                  failures.add(e);
                }
              }));
    }
    return tasks;
  }

  private static UUID create(ThreeUsers world) throws Exception {
    return world.client.records().create(Worlds.ACCOUNT, null, "\"name\":\"one\"");
  }

  private static PoolStatistics statistics(ThreeUsers world) {
    return world.client.gate().statistics();
  }

  @Test
  void the_caller_notices_nothing_of_a_throttle_but_the_wait() throws Exception {
    try (ThreeUsers world =
        ThreeUsers.connect(settings -> settings.withPool(POOL.withMaxRetryAfterTolerance(LONG)))) {
      world.onceAllAreRefused(world::free);
      world.shut(SECOND);
      UUID id = create(world);
      assertThat(world.environment.rows("account"))
          .singleElement()
          .satisfies(row -> assertThat(row).containsEntry("accountid", id));
      List<RequestRecord> writes = world.writes();
      assertThat(writes).hasSize(4);
      assertThat(ThreeUsers.between(writes.get(2), writes.get(3)))
          .isBetween(Duration.ofMillis(500), LONG.dividedBy(2));
      assertThat(world.pressed()).isZero();
      assertThat(
              world
                  .client
                  .records()
                  .retrieve(Worlds.ACCOUNT, new RecordKey.Id(id), List.of("name")))
          .isPresent();
    }
  }

  /** Nobody is answered until twelve stand at the door: the four slots of each of three users. */
  @Test
  void after_the_wait_work_resumes_at_the_parallelism_of_all_connections_together()
      throws Exception {
    CountDownLatch twelve = new CountDownLatch(12);
    AtomicBoolean resumed = new AtomicBoolean();
    AtomicBoolean tooFew = new AtomicBoolean();
    try (ThreeUsers world =
        ThreeUsers.connectThrough(
            environment ->
                request -> {
                  if (resumed.get() && request.path().endsWith("CreateMultiple")) {
                    twelve.countDown();
                    if (!twelve.await(10, TimeUnit.SECONDS)) {
                      tooFew.set(true);
                    }
                  }
                  return environment.answer(request);
                },
            ThrottleRecoveryTest::fixed)) {
      world.onceAllAreRefused(
          () -> world.environment.limit(ProtectionOptions.UNLIMITED.withConcurrent(4)));
      world.shut(SECOND);
      BulkResult result =
          world
              .client
              .bulk()
              .execute(
                  BulkJob.of(Worlds.ACCOUNT, Operation.CREATE, ItemSource.of(items(40)))
                      .withOptions(BulkOptions.DEFAULTS.withFixedBatch(1))
                      .withListener(first -> resumed.set(true)));
      assertThat(result.succeeded()).as("%s", result).isTrue();
      assertThat(result.progress().idle().get(IdleCause.HELD))
          .isBetween(Duration.ofMillis(500), LONG.dividedBy(2));
      assertThat(tooFew).as("fewer than four of each user").isFalse();
      assertThat(world.refused(Facet.CONCURRENCY)).as("more than four of one user").isZero();
      assertThat(world.environment.rows("account")).hasSize(40);
    }
  }

  private static List<Item> items(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> new Item(i, new RecordKey.Id(new UUID(7, i)), true, "\"name\":\"row " + i + "\""))
        .toList();
  }

  @Test
  void a_wait_beyond_the_tolerance_fails_at_once() throws Exception {
    try (ThreeUsers world =
        ThreeUsers.connect(
            settings -> settings.withPool(POOL.withMaxRetryAfterTolerance(SECOND)))) {
      world.shut(LONG);
      long start = TIME.nanos();
      assertThatThrownBy(() -> create(world))
          .isInstanceOfSatisfying(
              ServiceProtectionException.class,
              e -> {
                assertThat(e.connection()).startsWith("app");
                assertThat(e.errorCode()).isEqualTo(ServiceProtectionException.REQUESTS);
                assertThat(e.retryAfter()).isBetween(LONG.dividedBy(2), LONG);
                assertThat(e.attempts()).isEqualTo(3);
              });
      assertThatThrownBy(() -> create(world))
          .isInstanceOfSatisfying(
              ServiceProtectionException.class, e -> assertThat(e.attempts()).isZero());
      BulkResult result = world.client.createMultiple("account", List.of(Map.of("name", "a")));
      assertThat(result.end())
          .isInstanceOfSatisfying(
              BulkEnd.Refused.class,
              end -> assertThat(end.refusal()).isInstanceOf(Refusal.Held.class));
      assertThat(result.progress().deferred()).isEqualTo(1);
      assertThat(world.refused()).as("later callers sent nothing").isEqualTo(3);
      assertThat(Duration.ofNanos(TIME.nanos() - start)).isLessThan(LONG.dividedBy(3));
    }
  }

  @Test
  void those_who_wait_already_fail_when_the_wait_grows_beyond_the_tolerance() throws Exception {
    int callers = 10;
    try (ThreeUsers world =
        ThreeUsers.connect(
            ThreeUsers.QUICK.withParallelism(1),
            settings ->
                fixed(settings)
                    .withPool(POOL.withMaxRetryAfterTolerance(SECOND.multipliedBy(2))))) {
      world.onceAllAreRefused(() -> world.shut(SECOND.multipliedBy(5)));
      world.onThrottle(
          throttles -> {
            if (throttles > 2 * 3) {
              world.free(); // whoever waits on comes through in the end, and is found out
            }
          });
      world.shut(SECOND);
      Queue<Exception> failures = new ConcurrentLinkedQueue<>();
      long start = TIME.nanos();
      for (Time.Task task : start(world, callers, failures)) {
        task.join();
      }
      assertThat(Duration.ofNanos(TIME.nanos() - start)).isBetween(SECOND, LONG.dividedBy(2));
      assertThat(failures)
          .hasSize(callers)
          .allMatch(ServiceProtectionException.class::isInstance)
          .as("some were never sent")
          .anyMatch(e -> ((ServiceProtectionException) e).attempts() == 0);
      assertThat(world.environment.rows("account")).isEmpty();
    }
  }
}
