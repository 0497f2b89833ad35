package dev.sluice.gate.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.time.SimulatedTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class GateMetricsTest {

  @Test
  void gauges_and_counters_show_what_the_gate_does() {
    SimulatedTime.run(
        1,
        time -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          Gate gate = Gate.builder().time(time).lane("app1", LaneOptions.fixed(4)).build();
          new GateMetrics("crm", gate).bindTo(registry);

          Permit out = gate.acquire();
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(9)));

          assertThat(registry.get("sluice.gate.in.flight").tag("gate", "crm").gauge().value())
              .isEqualTo(1);
          assertThat(registry.get("sluice.gate.granted").functionCounter().count()).isEqualTo(2);
          assertThat(registry.get("sluice.gate.throttled").gauge().value()).isEqualTo(1);
          assertThat(registry.get("sluice.lane.parallelism").tag("lane", "app1").gauge().value())
              .isEqualTo(4);
          assertThat(registry.get("sluice.lane.held.seconds").gauge().value()).isEqualTo(9);
          assertThat(registry.get("sluice.throttles").tag("facet", "unknown").counter().count())
              .isEqualTo(1);

          assertThat(registry.get("sluice.slowed").tag("cause", "hold").counter().count()).isOne();
          assertThat(registry.get("sluice.lane.measured.rate").gauge().value()).isEqualTo(2);

          out.settle(Signal.stopped(Signal.Stopped.Reason.SUSPENDED));
          assertThat(registry.get("sluice.stops").tag("reason", "suspended").counter().count())
              .isEqualTo(1);
          assertThatThrownBy(gate::acquire).hasMessageContaining("suspended");
          assertThat(registry.get("sluice.refusals").tag("reason", "suspended").counter().count())
              .isEqualTo(1);
        });
  }

  @Test
  void a_lane_added_later_gets_its_gauges_and_one_that_left_has_nothing_to_say() {
    SimulatedTime.run(
        2,
        time -> {
          SimpleMeterRegistry registry = new SimpleMeterRegistry();
          Gate gate = Gate.builder().time(time).build();
          new GateMetrics("crm", gate).bindTo(registry);
          gate.addLane("app2", LaneOptions.fixed(3));
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(1)));
          assertThat(registry.get("sluice.lane.parallelism").tag("lane", "app2").gauge().value())
              .isEqualTo(3);
          gate.removeLane("app2");
          assertThat(registry.get("sluice.lane.parallelism").tag("lane", "app2").gauge().value())
              .isNaN();
        });
  }

  @Test
  void binding_twice_to_a_registry_counts_once() throws InterruptedException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Gate gate = Gate.over("app1", LaneOptions.fixed(4));
    GateMetrics metrics = new GateMetrics("crm", gate);
    metrics.bindTo(registry);
    metrics.bindTo(registry);
    assertThatThrownBy(() -> new GateMetrics("crm", gate).bindTo(registry))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("crm");
    new GateMetrics("other", gate).bindTo(registry);

    gate.acquire().settle(Signal.throttled(Duration.ofSeconds(9)));
    assertThat(registry.get("sluice.throttles").tag("gate", "crm").counter().count()).isOne();
    assertThat(registry.get("sluice.throttles").tag("gate", "other").counter().count()).isOne();
  }

  @Test
  void a_second_registry_gets_everything_that_the_first_one_has() throws InterruptedException {
    SimpleMeterRegistry first = new SimpleMeterRegistry();
    SimpleMeterRegistry second = new SimpleMeterRegistry();
    Gate gate = Gate.over("app1", LaneOptions.fixed(4));
    GateMetrics metrics = new GateMetrics("crm", gate);
    metrics.bindTo(first);
    metrics.bindTo(second);
    gate.addLane("app2", LaneOptions.fixed(3));
    gate.acquire().settle(Signal.throttled(Duration.ofSeconds(9)));
    gate.acquire().settle(Signal.throttled(Duration.ofSeconds(9)));
    for (String lane : new String[] {"app1", "app2"}) {
      for (SimpleMeterRegistry registry : new SimpleMeterRegistry[] {first, second}) {
        assertThat(registry.get("sluice.lane.parallelism").tag("lane", lane).gauge().value())
            .isPositive();
        assertThat(registry.get("sluice.throttles").tag("lane", lane).counter().count()).isOne();
      }
    }
  }
}
