package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.sql.Dialect;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the line says while a collection goes on. */
class CollectScreenTest {
  private static final WebAnswer NOTHING_NEW =
      new WebAnswer(
          200,
          HttpHeaders.of(
              Map.of("Content-Type", List.of("application/json")), (name, value) -> true),
          "[]".getBytes(StandardCharsets.UTF_8));

  private static final WebAnswer THROTTLED =
      new WebAnswer(
          429,
          HttpHeaders.of(Map.of("Retry-After", List.of("30")), (name, value) -> true),
          new byte[0]);

  private static final CircuitTransition OPENED =
      new CircuitTransition(
          CircuitState.CLOSED,
          CircuitState.OPEN,
          CircuitTransition.Trigger.FAILURE_RATE,
          CircuitTransition.Reason.TRANSIENT_FAILURES,
          Duration.ZERO,
          5,
          OptionalDouble.empty());

  @Test
  void a_provider_that_does_not_answer_is_said_to_be_waited_for() {
    watch(
        time -> {
          time.sleep(Duration.ofSeconds(20));
          return NOTHING_NEW;
        },
        (screen, run, time) -> {
          time.sleep(Duration.ofSeconds(3));
          assertThat(screen.line().orElseThrow()).doesNotContain("for an answer");
          time.sleep(Duration.ofSeconds(9));
          assertThat(screen.line().orElseThrow())
              .containsPattern(" · waiting 1[12] s for an answer · ");
          run.join();
          assertThat(screen.line().orElseThrow()).doesNotContain("for an answer");
        });
  }

  @Test
  void a_provider_that_fails_is_said_to_be_left_alone_for_a_while() {
    watch(
        time -> NOTHING_NEW,
        (screen, run, time) -> {
          time.sleep(Duration.ofSeconds(3));
          assertThat(screen.line().orElseThrow())
              .containsPattern(" · the circuit is open for another .*: too many calls failed · ");
          run.join();
          assertThat(screen.line().orElseThrow()).doesNotContain("the circuit is open");
        },
        OPENED);
  }

  @Test
  void the_rate_that_was_measured_stands_beside_the_one_that_is_allowed() {
    watch(
        time -> NOTHING_NEW,
        (screen, run, time) -> {
          run.join();
          assertThat(screen.line().orElseThrow())
              .contains(" · 1 request · sends 1/s of 10/s · 10/s: no limit was met yet; ");
        });
  }

  @Test
  void a_wait_that_the_provider_told_is_said_with_its_end_and_its_cause() {
    AtomicInteger asked = new AtomicInteger();
    watch(
        time -> asked.incrementAndGet() == 1 ? THROTTLED : NOTHING_NEW,
        (screen, run, time) -> {
          time.sleep(Duration.ofSeconds(3));
          assertThat(screen.line().orElseThrow())
              .containsPattern(
                  " · 1 refused · sends .* of .* · held for another \\d+ s: the provider said so · ");
          run.join();
        });
  }

  /** What the provider does with every request. */
  private interface Answering {
    WebAnswer answer(Time time) throws IOException, InterruptedException;
  }

  private interface Watching {
    void watch(CollectScreen screen, Time.Task run, Time time) throws InterruptedException;
  }

  /**
   * Watches a run.
   *
   * @param before what happened to the lane's circuit in an earlier one
   */
  private static void watch(Answering answering, Watching watching, CircuitTransition... before) {
    SimulatedTime.run(
        1,
        time -> {
          Transport transport = request -> answering.answer(time);
          try (Store store = Store.inMemory(time);
              ProviderGates gates = new ProviderGates(store, time);
              Sink sink = SqlSink.inStore(Dialect.SQLITE, time)) {
            Connector connector = connector(transport, time);
            for (CircuitTransition fact : before) {
              store.write(
                  transaction -> {
                    Lanes.circuit(transaction, connector.provider().lane(), fact);
                    return null;
                  });
            }
            Collector collector =
                new Collector(
                    CollectionRequest.of("mine", connector), sink, store, gates, transport, time);
            Time.Task run = time.start("run", () -> runToItsEnd(collector));
            watching.watch(new CollectScreen(collector, time), run, time);
          }
        });
  }

  private static Connector connector(Transport transport, Time time) throws Exception {
    return ConnectorFile.parse(
            "items.yaml",
            """
            connector: items
            provider: {base: "http://127.0.0.1:8089"}
            streams:
              items: {get: /items, key: id, pages: none}
            pacing: {start: 10/s}
            """)
        .bind(Map.of(), transport, time);
  }

  private static void runToItsEnd(Collector collector) {
    try {
      CollectionResult unused = collector.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }
}
