package dev.sluice.collect.yaml.auth;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import java.util.ArrayList;
import java.util.List;

/** A header that every request carries. */
final class HeaderProof implements Authorization {
  private final String name;
  private final String value;

  private HeaderProof(String name, String value) {
    this.name = name;
    this.value = value;
  }

  /**
   * A header with a secret.
   *
   * @throws ProviderException if no header can carry it; does not quote it
   */
  static HeaderProof of(String name, String value) throws ProviderException {
    if (!value.matches("[\\x20-\\x7E]+")) {
      throw new ProviderException(
          Reason.Failure.AUTH_FAILURE,
          ProviderException.NO_STATUS,
          "the secret for %s has characters that no header can carry".formatted(name));
    }
    return new HeaderProof(name, value);
  }

  @Override
  public WebRequest sign(WebRequest request) {
    List<String> headers = new ArrayList<>(request.headers());
    headers.add(name);
    headers.add(value);
    return new WebRequest(
        request.method(), request.uri(), headers, request.body(), request.timeout());
  }

  @Override
  public String toString() {
    return "a proof in " + name;
  }
}
