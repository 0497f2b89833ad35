package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a run waits for a circuit to reopen is the run's own decision. */
class CollectorCircuitTest {
  private static final Duration OUTAGE = Duration.ofSeconds(50);

  private static CollectionResult collect(Time time, Duration inlineWait, int[] asked)
      throws InterruptedException {
    long began = time.nanos();
    Transport failing =
        request -> {
          asked[0]++;
          time.sleep(Duration.ofMillis(100));
          int status = time.nanos() - began < OUTAGE.toNanos() ? 503 : 200;
          return new WebAnswer(
              status, HttpHeaders.of(Map.of(), (name, value) -> true), new byte[0]);
        };
    Store store = Store.inMemory(time);
    try (ProviderGates gates = new ProviderGates(store, time)) {
      return new Collector(
              CollectionRequest.of("mine", new Bookcase(LaneOptions.fixed(1), 30))
                  .withInlineWait(inlineWait),
              new MemorySink(),
              store,
              gates,
              failing,
              time)
          .run();
    }
  }

  @Test
  void a_run_that_may_wait_so_long_waits_for_the_circuit_to_reopen() {
    SimulatedTime.run(
        1,
        time -> {
          int[] asked = {0};
          CollectionResult result = collect(time, Duration.ofMinutes(2), asked);
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(result.progress().records()).as("books and their texts").isEqualTo(60);
          assertThat(asked[0]).as("nothing is hammered").isLessThan(60);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void a_run_that_may_not_defers_at_once(int seconds) {
    SimulatedTime.run(
        1,
        time -> {
          int[] asked = {0};
          long began = time.nanos();
          CollectionResult result = collect(time, Duration.ofSeconds(seconds), asked);
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isInstanceOf(Reason.Pressure.class));
          assertThat(Duration.ofNanos(time.nanos() - began)).isLessThan(OUTAGE);
          assertThat(asked[0]).as("nothing is hammered").isLessThan(15);
        });
  }
}
