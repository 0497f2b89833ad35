package dev.sluice.collect.yaml;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import dev.sluice.simulator.provider.Header;
import dev.sluice.simulator.provider.http.Call;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.Reply;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A simulated provider in process, asked as a run would: signed, and again where that may help. */
final class ProviderTwin implements Transport {
  private static final int ATTEMPTS = 8;

  final Provider provider;
  final List<String> asked = new ArrayList<>();
  private final Time time;
  private Runnable between = () -> {};

  ProviderTwin(ProviderOptions options, Time time) {
    this.provider = new Provider(options, time);
    this.time = time;
  }

  /** Lets something happen before every request. */
  void between(Runnable happening) {
    between = happening;
  }

  /** Lets items appear, change and vanish. */
  void mutate(int add, int change, int remove) {
    try {
      Reply unused =
          provider.exchange(
              Call.post(
                  "/control",
                  "{\"add\": %d, \"change\": %d, \"remove\": %d}".formatted(add, change, remove)));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    between.run();
    String query = request.uri().getRawQuery();
    String target = request.uri().getRawPath() + (query == null ? "" : "?" + query);
    asked.add(target);
    Map<String, String> headers = new HashMap<>();
    headers.put("Host", request.uri().getAuthority());
    for (int i = 0; i < request.headers().size(); i += 2) {
      headers.put(request.headers().get(i), request.headers().get(i + 1));
    }
    Reply reply =
        provider.exchange(
            new Call(
                request.method(),
                target,
                headers,
                new String(request.body(), StandardCharsets.UTF_8)));
    Map<String, List<String>> fields = new HashMap<>();
    for (Header header : reply.headers()) {
      fields.computeIfAbsent(header.name(), name -> new ArrayList<>()).add(header.value());
    }
    return new WebAnswer(
        reply.status(),
        HttpHeaders.of(fields, (name, value) -> true),
        reply.body().getBytes(StandardCharsets.UTF_8));
  }

  /** Requests with this proof, tried again as long as that may help. */
  Requests requests(Authorization authorization) {
    return request -> {
      for (int attempt = 1; ; attempt++) {
        try {
          WebRequest signed = authorization.sign(request);
          WebAnswer answer = send(signed);
          if (answer.succeeded() || answer.status() == 304) {
            return answer;
          }
          if (answer.status() == 401 && attempt == 1 && authorization.refused(signed)) {
            continue;
          }
          if (attempt == ATTEMPTS || (answer.status() != 429 && answer.status() < 500)) {
            throw new ProviderException(
                Reason.Failure.INVALID, answer.status(), "status " + answer.status());
          }
          time.sleep(
              Duration.ofSeconds(answer.headers().firstValueAsLong("Retry-After").orElse(5)));
        } catch (IOException lost) {
          if (attempt == ATTEMPTS) {
            throw lost;
          }
        }
      }
    };
  }
}
