package dev.sluice.collect.yaml.auth;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.gate.wire.PercentEncoding;
import dev.sluice.gate.wire.WebRequest;
import java.net.URI;

/** A query parameter that every request carries. */
final class QueryProof implements Authorization {
  private final String name;
  private final String value;

  QueryProof(String name, String value) {
    this.name = name;
    this.value = value;
  }

  @Override
  public WebRequest sign(WebRequest request) {
    String address = RequestForm.without(request.uri(), name).toString();
    URI signed =
        URI.create(
            address
                + (address.indexOf('?') < 0 ? "?" : "&")
                + PercentEncoding.encode(name)
                + "="
                + PercentEncoding.encode(value));
    return new WebRequest(
        request.method(), signed, request.headers(), request.body(), request.timeout());
  }

  @Override
  public String toString() {
    return "a proof in " + name;
  }
}
