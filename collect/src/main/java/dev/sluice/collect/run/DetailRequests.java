package dev.sluice.collect.run;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/**
 * The requests for the details of one record. A record that fails while others are served is given
 * up after two attempts, so that it costs the others nothing; one that is known to fail has a
 * single attempt. Used by one worker.
 */
final class DetailRequests extends StreamRequests {
  private static final int ATTEMPTS = 2;

  /** While nobody is served, it may be the provider: then there are as many attempts again. */
  private static final int MAX_FAILED_CALLS = 2;

  private final boolean knownToFail;
  private final long servedBefore;
  private final long sentBefore;

  /**
   * Requests for one record.
   *
   * @param knownToFail whether it is known to fail
   */
  DetailRequests(Asker asker, Traffic traffic, boolean knownToFail) {
    super(asker, traffic);
    this.knownToFail = knownToFail;
    this.servedBefore = traffic.successes();
    this.sentBefore = asker.sent();
    asker.trying(knownToFail ? 1 : ATTEMPTS, knownToFail, () -> !knownToFail && hasShortTimeout());
  }

  /** An answer that does not come keeps its slice waiting; if nobody is served, all may be slow. */
  private boolean hasShortTimeout() {
    return asker.sent() == sentBefore + 1 || traffic.servesOthers(servedBefore);
  }

  @Override
  <T> T untilServed(WebRequest request, Reading<T> reading)
      throws ProviderException, IOException, InterruptedException {
    for (int call = 1; ; call++) {
      try {
        return call(request, reading);
      } catch (IOException e) {
        if (failsAlone()) {
          throw new FailsAloneException(e);
        }
        if (knownToFail || call == MAX_FAILED_CALLS) {
          throw e;
        }
      } catch (ServiceProtectionException e) {
        if (asker.gotPage() && failsAlone()) {
          throw ProviderException.unexpected("it kept answering with a page of HTML");
        }
        throw e;
      }
    }
  }

  /**
   * Whether the last failure counts against the record. That of one that is known to fail was not
   * judged by the circuit, so it takes others of the same stream to tell it from an outage.
   */
  private boolean failsAlone() {
    return knownToFail
        ? asker.failedAgain() && traffic.servesOthersOf(asker.stream())
        : traffic.servesOthers(servedBefore);
  }
}
