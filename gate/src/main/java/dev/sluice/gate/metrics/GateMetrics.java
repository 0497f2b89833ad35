package dev.sluice.gate.metrics;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.PoolStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Binds a gate's figures to a registry: gauges read from its statistics when they are scraped, and
 * counters of what its events tell. Every meter has the tag {@code gate}; those of a lane {@code
 * lane} too.
 *
 * <p>Lanes that are added later get their gauges with the first event that names them. It may be
 * bound to any number of registries; binding it to one of them again does nothing. Thread-safe.
 */
public final class GateMetrics implements MeterBinder {
  private final String name;
  private final Gate gate;
  // Registries compare by identity. To each, the lanes whose gauges it has.
  private final Map<MeterRegistry, Set<String>> bound = new ConcurrentHashMap<>();

  /**
   * @param name the value of the tag {@code gate}
   */
  public GateMetrics(String name, Gate gate) {
    this.name = requireNonNull(name, "name");
    this.gate = requireNonNull(gate, "gate");
  }

  /**
   * Begins to show the gate's figures there.
   *
   * @throws IllegalStateException if the registry shows another gate, or this one through another
   *     instance, under the same name: it would keep the first one's gauges, and count both
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    if (bound.putIfAbsent(registry, ConcurrentHashMap.newKeySet()) != null) {
      return;
    }
    if (registry.find("sluice.gate.in.flight").tag("gate", name).meter() != null) {
      bound.remove(registry);
      throw new IllegalStateException(
          "the registry has the figures of a gate named "
              + name
              + " already: bind every gate once, under a name of its own");
    }
    Tags tags = Tags.of("gate", name);
    gauge(registry, "sluice.gate.in.flight", "permits not yet settled", PoolStatistics::inFlight);
    gauge(registry, "sluice.gate.waiting", "callers that wait", PoolStatistics::waiting);
    gauge(
        registry,
        "sluice.gate.throttled",
        "lanes held back now",
        PoolStatistics::throttledConnections);
    FunctionCounter.builder("sluice.gate.granted", gate, each -> each.statistics().granted())
        .description("permits granted")
        .tags(tags)
        .register(registry);
    gate.statistics().lanes().forEach(lane -> bindLane(registry, lane.name()));
    gate.addListener(event -> count(registry, event));
  }

  private void gauge(
      MeterRegistry registry,
      String meter,
      String description,
      ToDoubleFunction<PoolStatistics> figure) {
    Gauge.builder(meter, gate, each -> figure.applyAsDouble(each.statistics()))
        .description(description)
        .tags("gate", name)
        .register(registry);
  }

  private void bindLane(MeterRegistry registry, String lane) {
    Set<String> lanes = bound.get(registry);
    if (lanes == null || !lanes.add(lane)) {
      return;
    }
    laneGauge(
        registry, lane, "parallelism", "requests it may have in flight", s -> s.parallelism());
    laneGauge(registry, lane, "in.flight", "requests it has in flight", s -> s.inFlight());
    laneGauge(registry, lane, "rate", "permits per second that it paces at", s -> s.rate());
    laneGauge(
        registry,
        lane,
        "measured.rate",
        "requests per second that it really sent lately",
        s -> s.measuredRate());
    laneGauge(
        registry,
        lane,
        "held.seconds",
        "how long it still sends nothing",
        s -> s.held().toNanos() / 1e9);
    laneGauge(
        registry,
        lane,
        "circuit.open",
        "1 if its circuit is open, 0.5 if half-open",
        s -> openness(s.circuit()));
  }

  private static double openness(CircuitState state) {
    return switch (state) {
      case CLOSED -> 0;
      case HALF_OPEN -> 0.5;
      case OPEN -> 1;
    };
  }

  private void laneGauge(
      MeterRegistry registry,
      String lane,
      String meter,
      String description,
      ToDoubleFunction<LaneStatistics> figure) {
    Gauge.builder("sluice.lane." + meter, gate, each -> read(each, lane, figure))
        .description(description)
        .tags("gate", name, "lane", lane)
        .register(registry);
  }

  /** A lane's figure; NaN once it is gone, as gauges say that there is nothing to say. */
  private static double read(Gate gate, String lane, ToDoubleFunction<LaneStatistics> figure) {
    for (LaneStatistics each : gate.statistics().lanes()) {
      if (each.name().equals(lane)) {
        return figure.applyAsDouble(each);
      }
    }
    return Double.NaN;
  }

  private void count(MeterRegistry registry, GateEvent event) {
    switch (event) {
      case GateEvent.Throttled e ->
          lane(registry, "sluice.throttles", e.lane(), "facet", e.facet().wireName());
      case GateEvent.Retried e -> lane(registry, "sluice.retries", e.lane(), "cause", e.cause());
      case GateEvent.CircuitMoved e ->
          lane(registry, "sluice.circuit.moves", e.lane(), "to", e.transition().state().wireName());
      case GateEvent.LaneStopped e ->
          lane(registry, "sluice.stops", e.lane(), "reason", e.reason().wireName());
      case GateEvent.Refused e ->
          registry
              .counter("sluice.refusals", "gate", name, "reason", e.refusal().wireName())
              .increment();
      case GateEvent.Held e -> bindLane(registry, e.lane());
      case GateEvent.Paced e -> bindLane(registry, e.lane());
      case GateEvent.Slowed e ->
          lane(registry, "sluice.slowed", e.lane(), "cause", e.cause().wireName());
      case GateEvent.ParallelismChanged e -> bindLane(registry, e.lane());
    }
  }

  private void lane(MeterRegistry registry, String meter, String lane, String key, String value) {
    bindLane(registry, lane);
    registry.counter(meter, "gate", name, "lane", lane, key, value).increment();
  }
}
