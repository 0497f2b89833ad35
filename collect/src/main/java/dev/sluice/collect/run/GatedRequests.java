package dev.sluice.collect.run;

import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.Ask;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.Run;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/** A run's requests to its provider. Thread-safe. */
final class GatedRequests {
  /** A circuit that was tried again so often without a success stays open for this run. */
  private static final int MOST_REOPENINGS = 8;

  /** Every request of a collection only reads. */
  private static final CallOptions READS =
      CallOptions.DEFAULTS
          .withAsk(Ask.patient())
          .withReopenings(MOST_REOPENINGS)
          .stoppingUnauthorized()
          .repeatable();

  private final Provider provider;
  private final Transport transport;
  private final Gate gate;
  private final Run run;
  private final LaneUse lane;

  GatedRequests(Provider provider, Transport transport, Gate gate, Run run, LaneUse lane) {
    this.provider = provider;
    this.transport = transport;
    this.gate = gate;
    this.run = run;
    this.lane = lane;
  }

  /** As {@link Requests#send}. */
  WebAnswer send(WebRequest request, Asker asker)
      throws ProviderException, IOException, InterruptedException {
    Exchange exchange = new Exchange(provider, transport, gate.time(), lane, request, asker);
    String route = lane.holds().route(asker.stream());
    try {
      CallOptions options =
          READS.withFailures(exchange::meaning).withRetries(asker.retries()).withRoute(route);
      return exchange.served(gate.call(run, options, exchange));
    } catch (RefusedException e) {
      if (e.refusal() instanceof Refusal.Postponed later) {
        throw PutOffException.of(asker.stream(), later);
      }
      throw e;
    } catch (ProviderException | IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // a call names one type, and attempts throw two
      throw new IllegalStateException("an attempt throws nothing else", e);
    }
  }
}
