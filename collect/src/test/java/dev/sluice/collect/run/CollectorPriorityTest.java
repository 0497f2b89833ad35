package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Collections of one process that share a lane with a single slot. */
class CollectorPriorityTest {
  private static final Duration LATENCY = Duration.ofSeconds(1);
  private static final int HISTORIES = 4;
  private static final int FRESH = 10;

  @Test
  void steady_work_has_first_claim_on_the_lane_and_catch_up_takes_what_is_left() {
    SimulatedTime.run(
        1,
        time -> {
          Store store = Store.inMemory(time);
          MemorySink sink = new MemorySink();
          try (ProviderGates gates = new ProviderGates(store, time)) {
            Numbers fresh = Numbers.asked(0);
            collect("fresh", fresh, sink, store, gates, time);
            for (int i = 0; i < FRESH; i++) {
              fresh.grow();
            }
            List<Time.Task> histories = new ArrayList<>();
            for (int i = 0; i < HISTORIES; i++) {
              String name = "history " + i;
              histories.add(
                  time.start(
                      name, () -> collect(name, Numbers.asked(30), sink, store, gates, time)));
            }
            time.sleep(LATENCY.multipliedBy(2 * HISTORIES)); // all are at their past by now
            long began = time.nanos();
            collect("fresh", fresh, sink, store, gates, time);
            // Its next request waits for the one under way, and for no other.
            assertThat(Duration.ofNanos(time.nanos() - began))
                .isBetween(LATENCY.multipliedBy(FRESH), LATENCY.multipliedBy(2 * FRESH + 1));
            for (Time.Task history : histories) {
              history.join();
            }
          }
        });
  }

  private static void collect(
      String name, Numbers numbers, MemorySink sink, Store store, ProviderGates gates, Time time) {
    Transport provider =
        request -> {
          time.sleep(LATENCY);
          return new WebAnswer(200, HttpHeaders.of(Map.of(), (header, value) -> true), new byte[0]);
        };
    try {
      assertThat(
              new Collector(CollectionRequest.of(name, numbers), sink, store, gates, provider, time)
                  .run()
                  .outcome())
          .isEqualTo(new Outcome.Completed());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }
}
