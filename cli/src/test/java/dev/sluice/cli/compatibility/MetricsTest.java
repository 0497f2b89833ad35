package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Call;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Run;
import dev.sluice.gate.metrics.GateMetrics;
import dev.sluice.gate.time.SimulatedTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Dashboards find the meters by the names and tags that they had. */
class MetricsTest {
  private static final Signal FAILURE = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);

  @Test
  void every_meter_has_its_name_its_kind_and_its_tags() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = Gate.builder().time(time).lane("app1", LaneOptions.fixed(4)).build();
          new GateMetrics("crm", gate).bindTo(registry);
          String unused =
              gate.call(
                  Run.unbounded(),
                  CallOptions.DEFAULTS.repeatable(),
                  permit -> new Call.Reply<>("", FAILURE));
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(9)));
          assertThatThrownBy(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      gate.acquire().settle(FAILURE);
                    }
                  })
              .hasMessageContaining("circuit");
        });
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = Gate.builder().time(time).lane("app2", LaneOptions.fixed(4)).build();
          new GateMetrics("other", gate).bindTo(registry);
          gate.acquire().settle(Signal.stopped(Signal.Stopped.Reason.SUSPENDED));
          assertThatThrownBy(gate::acquire).hasMessageContaining("suspended");
        });
    String meters =
        registry.getMeters().stream()
            .map(Meter::getId)
            .map(
                id ->
                    "%s %s %s"
                        .formatted(
                            id.getName(),
                            id.getType(),
                            id.getTags().stream()
                                .map(Tag::getKey)
                                .sorted()
                                .collect(Collectors.joining(", "))))
            .distinct()
            .sorted()
            .collect(Collectors.joining("\n", "", "\n"));
    Golden.compare("metrics.txt", meters);
  }
}
