package dev.sluice.dataverse;

import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Lost;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import dev.sluice.simulator.http.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Talks to a simulated service in process, in the time that both share. As over a network, the
 * service goes on with its work when nobody waits for the answer any longer. Thread-safe.
 */
public final class SimulatedTransport implements Transport {
  private final Service service;
  private final Time time;

  /** To this service, such as a simulated environment, on its own time. */
  public SimulatedTransport(Service service, Time time) {
    this.service = service;
    this.time = time;
  }

  @Override
  public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    long deadline = time.deadline(request.timeout());
    AtomicReference<@Nullable Reply> answer = new AtomicReference<>();
    Time.Bell bell = time.bell();
    Time.Task unused =
        time.start(
            "exchange",
            () -> {
              try {
                answer.set(service.answer(received(request)));
              } catch (InterruptedException e) {
                answer.set(new Lost("interrupted"));
              }
              bell.ring();
            });
    if (!bell.await(deadline)) {
      throw timeout(request);
    }
    return switch (answer.get()) {
      case Response response -> whole(request, response, deadline);
      case Lost lost -> throw new IOException("connection reset: " + lost.reason());
      case null -> throw new IllegalStateException("rung without an answer");
    };
  }

  private WebAnswer whole(WebRequest request, Response response, long deadline)
      throws IOException, InterruptedException {
    if (!response.bodyTime().isZero()) {
      long end = time.deadline(response.bodyTime());
      if (end - deadline > 0) {
        time.sleepUntil(deadline);
        throw timeout(request);
      }
      time.sleepUntil(end);
    }
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    response
        .headers()
        .forEach((name, value) -> headers.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    return new WebAnswer(
        response.status(), HttpHeaders.of(headers, (name, value) -> true), response.body());
  }

  private static Request received(WebRequest request) {
    URI uri = request.uri();
    Headers headers = Headers.of(request.headers().toArray(String[]::new));
    headers.add("Host", uri.getRawAuthority());
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    return new Request(request.method(), target, headers, request.body());
  }

  private static HttpTimeoutException timeout(WebRequest request) {
    return new HttpTimeoutException("no whole answer within " + request.timeout());
  }
}
