package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An hour of 200 busy tasks is over in less than a second, and the same on any number of cores. */
class SimulatedSpeedTest {
  private static final int TASKS = 200;
  private static final int WAITS_EACH = 500;
  private static final Duration HOUR = Duration.ofHours(1);

  /** Runs the load once and prints its trace; for a JVM with another number of carriers. */
  public static void main(String[] arguments) {
    System.out.println(hourOfLoad().hash());
  }

  @Test
  void an_hour_with_100_000_waits_of_200_tasks_passes_quickly() {
    Time real = Time.real();
    long best = Long.MAX_VALUE;
    long first = 0;
    for (int round = 0; round < 3; round++) {
      long start = real.nanos();
      Trace trace = hourOfLoad();
      long taken = real.nanos() - start;
      first = round == 0 ? taken : first;
      best = Math.min(best, taken);
      assertThat(trace.steps()).isGreaterThanOrEqualTo(TASKS * WAITS_EACH);
    }
    System.out.printf(
        "%d tasks, %d waits, one simulated hour: %d ms the first time, %d ms warm%n",
        TASKS, TASKS * WAITS_EACH, first / 1_000_000, best / 1_000_000);
    // Well under a second on an idle machine; the bound leaves room for a very busy one.
    assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void the_trace_is_the_same_on_1_2_and_4_carriers() throws Exception {
    Set<String> hashes = new HashSet<>();
    for (int carriers : new int[] {1, 2, 4}) {
      hashes.add(hashOnCarriers(carriers));
    }
    assertThat(hashes).containsExactly(Long.toString(hourOfLoad().hash()));
  }

  /** Half of the waits are for a bell that another task rings, or for its deadline. */
  private static Trace hourOfLoad() {
    return SimulatedTime.run(
        42,
        time -> {
          Time.Bell[] bells = new Time.Bell[TASKS];
          for (int i = 0; i < TASKS; i++) {
            bells[i] = time.bell();
          }
          long step = HOUR.toNanos() / WAITS_EACH;
          for (int i = 0; i < TASKS; i++) {
            Time.Bell own = bells[i];
            Time.Bell next = bells[(i + 1) % TASKS];
            time.start("task " + i, () -> load(time, step, own, next));
          }
          time.sleep(HOUR);
        });
  }

  private static void load(SimulatedTime time, long step, Time.Bell own, Time.Bell next) {
    for (int n = 0; n < WAITS_EACH; n += 2) {
      SimulatedTimeTest.sleep(time, Duration.ofNanos(time.random().nextLong(3 * step)));
      next.ring();
      SimulatedTimeTest.await(own, time.nanos() + time.random().nextLong(3 * step));
    }
  }

  private static String hashOnCarriers(int carriers) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SimulatedSpeedTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    return printed;
  }
}
