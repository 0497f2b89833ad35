package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.Pacing;
import dev.sluice.collect.connector.Provider;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Providers whose headers lie about their limit, contradict each other or vanish: everything is
 * collected once all the same, by as many runs as it takes, in days rather than never, and nobody
 * is asked without end who keeps refusing.
 */
class LyingHeadersTest {
  private static final int ITEMS = 120;
  private static final int PAGE = 2;
  private static final Duration MOST = Duration.ofDays(3);

  /** Nothing is declared but that answers are JSON, and the pace is learned. */
  private record Undeclared(Provider provider) implements Connector {
    Undeclared() {
      this(
          new Provider(
              "simulated",
              Pacing.learned(),
              Signals.builder().expectJson().build(),
              Authorization.NONE));
    }

    @Override
    public String name() {
      return "items";
    }

    @Override
    public List<ListStream> streams() {
      return Items.of(PAGE).streams();
    }
  }

  /** Without those whose throttles look like another refusal: a connector has to declare them. */
  @ParameterizedTest
  @EnumSource(
      value = Misbehaviour.class,
      mode = EnumSource.Mode.MATCH_ANY,
      names = {
        "RETRY_AFTER_.*",
        "RESET_.*",
        "REMAINING_.*",
        "HEADERS_VANISH",
        "UNKNOWN_AS_MINUS_ONE",
        "LIMIT_PER_MINUTE",
        "WRONG_LIMIT_TOLD",
        "CLOCK_AHEAD",
        "CACHED_ANSWERS",
        "THROTTLE_AS_529",
        "WAITS_ESCALATE",
        "LOCK_OUT"
      })
  void all_is_collected_once_whatever_the_headers_say(Misbehaviour misbehaviour) {
    SimulatedTime.run(
        1,
        time -> {
          var provider =
              new dev.sluice.simulator.provider.http.Provider(
                  ProviderOptions.DEFAULTS
                      .withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS))
                      .withService(
                          ServiceOptions.DEFAULTS
                              .withLimit(LimitOptions.parse("20/1m,200/1h"))
                              .withMisbehaviours(Set.of(misbehaviour))),
                  time);
          Store store = Store.inMemory(time);
          MemorySink sink = new MemorySink();
          long deadline = time.deadline(MOST);
          Outcome outcome = new Outcome.Cancelled();
          while (!outcome.equals(new Outcome.Completed())) {
            assertThat(time.nanos()).as("not all is there after %s", MOST).isLessThan(deadline);
            try (ProviderGates gates = new ProviderGates(store, time)) {
              CollectionRequest request = CollectionRequest.of("mine", new Undeclared());
              outcome =
                  new Collector(request, sink, store, gates, new ProviderTransport(provider), time)
                      .run()
                      .outcome();
            }
            if (outcome instanceof Outcome.Deferred deferred) {
              assertThat(deferred.reason()).isInstanceOf(Reason.Pressure.class);
            } else {
              assertThat(outcome).isEqualTo(new Outcome.Completed());
            }
            time.sleep(Duration.ofMinutes(1));
          }
          assertThat(sink.keys("items"))
              .containsExactlyElementsOf(
                  IntStream.rangeClosed(1, ITEMS).mapToObj(String::valueOf).toList());
          assertThat(provider.counters(0).throttled())
              .as("throttles for %d requests that were served", provider.counters(0).admitted())
              .isLessThanOrEqualTo(provider.counters(0).admitted() / 2);
        });
  }
}
