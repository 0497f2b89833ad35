package dev.sluice.collect.yaml.auth;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Several proofs that take turns. One that is not accepted is followed by another. */
final class PooledProof implements Authorization {
  private final List<Authorization> proofs;
  private final AtomicInteger turn = new AtomicInteger();

  PooledProof(List<Authorization> proofs) {
    this.proofs = List.copyOf(proofs);
  }

  @Override
  public WebRequest sign(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return proofs.get(Math.floorMod(turn.getAndIncrement(), proofs.size())).sign(request);
  }

  @Override
  public boolean refused(WebRequest signed) {
    return proofs.size() > 1;
  }

  @Override
  public String toString() {
    return proofs.size() + " proofs by turns";
  }
}
