package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The adaptive rate document's three integration tests, in simulated time. */
class AdaptiveRateSimulationTest {
  private static final Duration BATCH = Duration.ofSeconds(2);
  private final SettableTicker time = new SettableTicker();
  private final AdaptiveRateController controller =
      new AdaptiveRateController(AdaptiveRateOptions.DEFAULTS, time);

  @Test
  void simulated_throttle_scenario_recovers_fast_and_settles_near_the_limit() {
    Service service = new Service("app1", 36);
    service.run(Duration.ofMinutes(10));

    // Probing finds the limit from 26 in steps of two. From then on each turn is 30 s of waiting,
    // then from 19 in steps of four past 35, every third chunk: 54 s.
    List<Integer> expected = new ArrayList<>(Collections.nCopies(11, 39));
    expected.set(0, 38);
    assertThat(service.throttledLevels).isEqualTo(expected);
    assertThat(service.lowestSinceThrottled).isEqualTo(19);
    assertThat(controller.statistics("app1").orElseThrow().totalThrottleEvents())
        .isEqualTo(service.throttledLevels.size());
  }

  @Test
  void long_running_simulation_forgets_what_is_stale_and_starts_afresh_after_a_gap() {
    Service service = new Service("app1", 36);
    service.run(Duration.ofMinutes(3));
    assertThat(service.throttledLevels).isNotEmpty();

    // The limit doubles. What was learned about the old one is believed for five minutes.
    service.limit = 72;
    int throttles = service.throttledLevels.size();
    service.run(Duration.ofMinutes(6));
    assertThat(service.throttledLevels).hasSize(throttles);
    assertThat(controller.parallelism("app1", 52)).isEqualTo(52);
    assertThat(controller.statistics("app1").orElseThrow().lastKnownGoodParallelism())
        .as("replaced once the old one was stale")
        .isEqualTo(52);

    time.pass(Duration.ofMinutes(4));
    assertThat(controller.parallelism("app1", 52)).as("a short pause").isEqualTo(52);
    time.pass(Duration.ofMinutes(40));
    assertThat(controller.parallelism("app1", 52)).as("a long one").isEqualTo(26);
    service.run(Duration.ofMinutes(2));
    assertThat(controller.parallelism("app1", 52)).as("and up again").isEqualTo(52);
    assertThat(controller.statistics("app1").orElseThrow().totalThrottleEvents())
        .isEqualTo(throttles);
  }

  @Test
  void connections_in_turn_end_where_each_would_have_ended_alone() {
    int[] limits = {12, 30, 100};
    List<Service> together = new ArrayList<>();
    for (int i = 0; i < limits.length; i++) {
      together.add(new Service("app" + i, limits[i]));
    }
    for (int round = 0; round < 150; round++) {
      for (Service each : together) {
        each.chunk();
      }
      time.pass(BATCH);
    }
    for (int i = 0; i < limits.length; i++) {
      Service alone = new AdaptiveRateSimulationTest().new Service("app" + i, limits[i]);
      for (int round = 0; round < 150; round++) {
        alone.chunk();
        alone.passTime(BATCH);
      }
      assertThat(together.get(i).levels).as("limit %d", limits[i]).isEqualTo(alone.levels);
      assertThat(together.get(i).throttledLevels).isEqualTo(alone.throttledLevels);
    }
    assertThat(together.getLast().throttledLevels).as("the roomy one").isEmpty();
    assertThat(together.getFirst().throttledLevels).as("the narrow one").isNotEmpty();
  }

  /** Takes a chunk of batches if there are no more of them than its limit, else none of it. */
  private final class Service {
    final String connection;
    int limit;
    long heldUntil = time.nanos();
    int lowestSinceThrottled = Integer.MAX_VALUE;
    final List<Integer> levels = new ArrayList<>();
    final List<Integer> throttledLevels = new ArrayList<>();

    Service(String connection, int limit) {
      this.connection = connection;
      this.limit = limit;
    }

    void run(Duration duration) {
      long end = time.nanos() + duration.toNanos();
      while (time.nanos() - end < 0) {
        chunk();
        passTime(BATCH);
      }
    }

    void passTime(Duration duration) {
      time.pass(duration);
    }

    void chunk() {
      if (time.nanos() - heldUntil < 0) {
        return;
      }
      int level = controller.parallelism(connection, 52);
      levels.add(level);
      if (!throttledLevels.isEmpty()) {
        lowestSinceThrottled = Math.min(lowestSinceThrottled, level);
      }
      if (level > limit) {
        throttledLevels.add(level);
        heldUntil = time.nanos() + Duration.ofSeconds(30).toNanos();
        controller.recordThrottle(connection, Duration.ofSeconds(30));
        return;
      }
      for (int i = 0; i < level; i++) {
        controller.recordSuccess(connection, BATCH);
      }
    }
  }
}
