package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.http.Signals;

/**
 * What is the same for all requests to a provider.
 *
 * @param lane what shares one pace and one hold: the host with a fingerprint of the credential,
 *     never the credential itself
 * @param pacing how fast it is asked
 * @param signals what its answers mean; made for this provider alone, because it learns its clock
 * @param authorization what proves who asks
 */
public record Provider(String lane, Pacing pacing, Signals signals, Authorization authorization) {
  public Provider {
    requireNonNull(lane, "lane");
    requireNonNull(pacing, "pacing");
    requireNonNull(signals, "signals");
    requireNonNull(authorization, "authorization");
  }
}
