package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.PostgresServer;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A real database server that is restarted under a run, in real time. */
class DatabaseRestartTest {
  private static final int ITEMS = 200;

  @Test
  void a_server_that_is_away_for_two_seconds_costs_the_run_these_two_seconds() throws Exception {
    Time time = Time.real();
    PostgresServer server = PostgresServer.running();
    MemorySink sink = new MemorySink();
    AtomicInteger sent = new AtomicInteger();
    Transport provider =
        new ProviderTransport(
            new Provider(
                ProviderOptions.DEFAULTS.withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS)),
                time));
    Transport restarting =
        request -> {
          if (sent.incrementAndGet() == 5) {
            server.restart(Duration.ofSeconds(2));
          }
          return provider.send(request);
        };
    try (TestDatabase.Database database = TestDatabase.POSTGRESQL.create();
        Store store = database.open(time);
        ProviderGates gates = new ProviderGates(store, time)) {
      long began = time.nanos();
      CollectionResult result =
          new Collector(
                  CollectionRequest.of("mine", Items.of(10)), sink, store, gates, restarting, time)
              .run();
      assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
      assertThat(sink.keys("items")).hasSize(ITEMS);
      assertThat(new Runs(store, time).latest(9))
          .singleElement()
          .extracting(RunRecord::outcome)
          .isEqualTo(Optional.of(new Outcome.Completed()));
      assertThat(Duration.ofNanos(time.nanos() - began)).isLessThan(Duration.ofSeconds(45));
    } finally {
      server.awaitReady();
    }
  }
}
