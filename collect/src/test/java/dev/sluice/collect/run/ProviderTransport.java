package dev.sluice.collect.run;

import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.provider.http.Call;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.Reply;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The way to a simulated provider in process, on its time. */
public final class ProviderTransport implements Transport {
  private final Provider provider;

  public ProviderTransport(Provider provider) {
    this.provider = provider;
  }

  @Override
  public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < request.headers().size(); i += 2) {
      headers.put(request.headers().get(i), request.headers().get(i + 1));
    }
    String path = request.uri().getRawPath();
    String query = request.uri().getRawQuery();
    Reply reply =
        provider.exchange(
            new Call(
                request.method(),
                query == null ? path : path + "?" + query,
                headers,
                new String(request.body(), StandardCharsets.UTF_8)),
            request.timeout());
    Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    reply
        .headers()
        .forEach(
            header ->
                lines
                    .computeIfAbsent(header.name(), name -> new ArrayList<>())
                    .add(header.value()));
    return new WebAnswer(
        reply.status(),
        HttpHeaders.of(lines, (name, value) -> true),
        reply.body().getBytes(StandardCharsets.UTF_8));
  }
}
