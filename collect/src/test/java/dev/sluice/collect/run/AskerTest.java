package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Provider;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.store.Store;
import java.net.ConnectException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AskerTest {
  private static final WebAnswer PAGE =
      new WebAnswer(
          503,
          HttpHeaders.of(Map.of(), (name, value) -> true),
          "<html>Back soon</html>".getBytes(StandardCharsets.UTF_8));

  @Test
  void a_request_that_was_not_sent_is_not_blamed_on_the_record_because_of_a_page_before() {
    SimulatedTime.run(
        1,
        time -> {
          Provider provider = Items.of(10).provider();
          try (Store store = Store.inMemory(time);
              ProviderGates gates = new ProviderGates(store, time)) {
            Gate gate = gates.gate(provider);
            LaneUse lane = new LaneUse(provider, 1, gates, gate, () -> Duration.ZERO);
            GatedRequests requests =
                new GatedRequests(provider, request -> PAGE, gate, Run.unbounded(), lane);
            Cancellation cancellation = new Cancellation();
            Asker asker = new Asker(requests, cancellation, cancellation.first(), lane, time);
            asker.on("items");
            asker.trying(1, true, () -> false);
            assertThat(asker.meaning(Signal.throttled(), PAGE)).isEqualTo(Signal.throttled());
            assertThat(asker.gotPage()).isTrue();
            lane.traffic().noteHealth("items", Signal.success(), false);
            assertThat(lane.isServing()).isTrue();
            assertThat(asker.meaning(new ConnectException("refused")))
                .isInstanceOfSatisfying(
                    Signal.Transient.class,
                    lost -> assertThat(lost.kind()).isEqualTo(Signal.Transient.Kind.NOT_SENT));
            assertThat(asker.failedAgain()).isFalse();
            assertThat(asker.gotPage()).isFalse();
          }
        });
  }
}
