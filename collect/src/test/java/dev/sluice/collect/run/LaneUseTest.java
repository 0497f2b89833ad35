package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Provider;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaneUseTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_success_ends_the_pressure_that_came_before_its_request_and_no_other(boolean after) {
    SimulatedTime.run(
        1,
        time -> {
          Provider provider = Items.of(10).provider();
          try (Store store = Store.inMemory(time);
              ProviderGates gates = new ProviderGates(store, time)) {
            LaneUse lane =
                new LaneUse(provider, 1, gates, gates.gate(provider), () -> Duration.ZERO);
            long before = time.nanos();
            time.sleep(Duration.ofMillis(10));
            lane.settled(Signal.throttled(Duration.ofMinutes(10)), before);
            time.sleep(Duration.ofMillis(10));
            lane.settled(Signal.success(Duration.ZERO), after ? time.nanos() : before);
            Instant unused =
                store.write(
                    transaction -> lane.deferred(transaction, Reason.Pressure.RATE_LIMITED));
            assertThat(
                    store
                        .read(transaction -> Lanes.of(transaction, provider.lane()))
                        .cooldown()
                        .consecutive())
                .isEqualTo(after ? 0 : 1);
          }
        });
  }
}
