package dev.sluice.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same gate on real threads: what simulated time cannot show, a lost wake-up, hangs here. */
@Timeout(60)
class GateRealTimeTest {
  private final Time time = Time.real();

  @Test
  void many_threads_share_two_slots_and_all_get_through() throws InterruptedException {
    Gate gate = Gate.over("a", LaneOptions.fixed(2));
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    List<Time.Task> tasks = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      tasks.add(time.start("caller" + i, () -> callOften(gate, inside, most, done)));
    }
    for (Time.Task task : tasks) {
      task.join();
    }
    assertThat(done).hasValue(16 * 500);
    assertThat(most.get()).isBetween(1, 2);
    assertThat(gate.statistics().inFlight()).isZero();
  }

  private static void callOften(
      Gate gate, AtomicInteger inside, AtomicInteger most, AtomicInteger done) {
    for (int i = 0; i < 500; i++) {
      try (Permit permit = gate.acquire()) {
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        Thread.onSpinWait();
        inside.decrementAndGet();
        permit.settle(Signal.success());
        done.incrementAndGet();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void paced_callers_are_released_by_the_clock() throws InterruptedException {
    Gate gate = Gate.over("a", LaneOptions.of(now -> new FixedRatePolicy(200, 1, 100, now)));
    long start = time.nanos();
    List<Time.Task> tasks = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      tasks.add(
          time.start(
              "caller" + i,
              () -> {
                try (Permit permit = gate.acquire()) {
                  permit.settle(Signal.success());
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    for (Time.Task task : tasks) {
      task.join();
    }
    assertThat(Duration.ofNanos(time.nanos() - start))
        .isGreaterThanOrEqualTo(Duration.ofMillis(100));
  }
}
