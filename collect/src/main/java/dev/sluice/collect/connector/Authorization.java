package dev.sluice.collect.connector;

import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;

/** Proves to a provider who asks. Thread-safe. */
public interface Authorization {
  /** For providers that anybody may ask. */
  Authorization NONE = request -> request;

  /**
   * The same request with its proof.
   *
   * @throws ProviderException if there is none to be had
   * @throws NoProofException if whoever issues it answered that there is none at the moment
   * @throws IOException if whoever issues it cannot be reached
   */
  WebRequest sign(WebRequest request) throws ProviderException, IOException, InterruptedException;

  /**
   * Told that a request was not accepted (401): the next one is signed anew. That counts against
   * the proof that it carried, and no other: there may be a fresh one by now.
   *
   * @param signed the request with its proof
   * @return whether another proof can be had; without one, a repeat makes no sense
   */
  default boolean refused(WebRequest signed) {
    return false;
  }
}
