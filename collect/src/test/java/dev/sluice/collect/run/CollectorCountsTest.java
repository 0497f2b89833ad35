package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.pressure.LaneNow;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run tells of its requests: how many, what they met, and what was waited for. */
class CollectorCountsTest {
  private static final int ITEMS = 40;

  private static WebAnswer status(int code, Map<String, List<String>> headers) {
    return new WebAnswer(code, HttpHeaders.of(headers, (name, value) -> true), new byte[0]);
  }

  private static WebAnswer throttle(int seconds) {
    return status(429, Map.of("Retry-After", List.of(String.valueOf(seconds))));
  }

  /** A provider that answers some requests, by their number, otherwise than it should. */
  private static final class World implements Transport, AutoCloseable {
    final Time time;
    final Store store;
    final ProviderGates gates;
    final Collector collector;
    final Map<Integer, WebAnswer> instead = new HashMap<>();
    private final Transport provider;
    private int sent;

    World(Time time) {
      this.time = time;
      this.store = Store.inMemory(time);
      this.gates = new ProviderGates(store, time);
      this.provider =
          new ProviderTransport(
              new Provider(
                  ProviderOptions.DEFAULTS.withCatalogue(
                      CatalogueOptions.DEFAULTS.withItems(ITEMS)),
                  time));
      this.collector =
          new Collector(
              CollectionRequest.of("mine", Items.of(10)),
              new MemorySink(),
              store,
              gates,
              this,
              time);
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      WebAnswer other = instead.get(++sent);
      return other == null ? provider.send(request) : other;
    }

    RunRecord record() {
      return new Runs(store, time).last(Collector.KIND, "mine").orElseThrow();
    }

    LaneNow said() {
      String lane = Items.of(10).provider().lane();
      return store.read(transaction -> LaneNow.of(transaction, lane)).orElseThrow();
    }

    @Override
    public void close() {
      gates.close();
      store.close();
    }
  }

  private interface Scene {
    void play(World world) throws Exception;
  }

  private static void play(Scene scene) {
    SimulatedTime.run(
        1,
        time -> {
          try (World world = new World(time)) {
            scene.play(world);
          }
        });
  }

  @Test
  void refusals_failures_retries_and_waits_are_counted_each_as_what_it_was() {
    play(
        world -> {
          world.instead.put(2, throttle(7));
          world.instead.put(4, status(500, Map.of()));
          CollectionResult result = world.collector.run();
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          RequestCounts met = result.progress().met();
          assertThat(met.refused()).isEqualTo(1);
          assertThat(met.failed()).isEqualTo(1);
          assertThat(met.retries()).isEqualTo(2);
          Duration told = met.waited().get(Wait.TOLD);
          assertThat(told).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
          assertThat(met.waited()).containsKey(Wait.BACK_OFF);
          assertThat(world.record().counts())
              .containsEntry("requests", result.progress().requests())
              .containsEntry("refused", 1L)
              .containsEntry("failed", 1L)
              .containsEntry("retries", 2L)
              .containsEntry("waited_told_ms", requireNonNull(told).toMillis());
        });
  }

  @Test
  void a_run_without_trouble_has_met_nothing() {
    play(
        world -> {
          RequestCounts met = world.collector.run().progress().met();
          assertThat(met.refused() + met.failed() + met.retries()).isZero();
          assertThat(met.waited()).doesNotContainKeys(Wait.TOLD, Wait.CIRCUIT, Wait.BACK_OFF);
        });
  }

  @Test
  void other_processes_see_the_counts_and_the_reason_while_it_waits() {
    play(
        world -> {
          world.instead.put(2, throttle(100));
          Time.Task run = world.time.start("run", () -> runToItsEnd(world.collector));
          world.time.sleep(Duration.ofSeconds(50));
          assertThat(world.record().running()).isTrue();
          assertThat(world.record().counts())
              .containsEntry("requests", 2L)
              .containsEntry("refused", 1L)
              .hasEntrySatisfying(
                  "waited_told_ms", waited -> assertThat(waited).isBetween(30_000L, 50_000L));
          assertThat(world.said().reason()).matches("held for another .*: the provider said so");
          assertThat(world.said().measured()).isLessThan(0.2);
          assertThat(world.collector.reason().orElseThrow())
              .matches("held for another (49|50|51) s: the provider said so");
          run.join();
        });
  }

  @Test
  void a_list_that_is_asked_for_again_later_says_so() {
    play(
        world -> {
          for (int number = 2; number < 6; number++) {
            world.instead.put(number, status(500, Map.of()));
          }
          Time.Task run = world.time.start("run", () -> runToItsEnd(world.collector));
          world.time.sleep(Duration.ofSeconds(30));
          assertThat(world.collector.reason().orElseThrow())
              .matches("asks for a list again in .* s, because it kept failing");
          run.join();
          assertThat(world.collector.progress().met().waited().get(Wait.PAUSE))
              .isEqualTo(Duration.ofSeconds(60));
        });
  }

  private static void runToItsEnd(Collector collector) {
    try {
      CollectionResult unused = collector.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }
}
