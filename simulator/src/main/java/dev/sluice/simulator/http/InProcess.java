package dev.sluice.simulator.http;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A way to a simulated service in this process, without a network: for clients that run in
 * simulated time. As over a network, the service goes on with its work when nobody waits for the
 * answer any longer. Nothing times out. Thread-safe.
 *
 * @param service who answers
 * @param time of the service and of its callers
 */
public record InProcess(Service service, Time time) implements Transport {
  public InProcess {
    requireNonNull(service, "service");
    requireNonNull(time, "time");
  }

  @Override
  public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    AtomicReference<@Nullable Reply> answer = new AtomicReference<>();
    Time.Bell answered = time.bell();
    Time.Task unused =
        time.start(
            "exchange",
            () -> {
              try {
                answer.set(service.answer(received(request)));
              } catch (InterruptedException e) {
                answer.set(new Lost("interrupted"));
              }
              answered.ring();
            });
    boolean rung = answered.await(Time.NEVER);
    return switch (answer.get()) {
      case Response response -> whole(response);
      case Lost lost -> throw new IOException("connection reset: " + lost.reason());
      case null -> throw new IllegalStateException("no answer, and the bell said " + rung);
    };
  }

  private WebAnswer whole(Response response) throws InterruptedException {
    time.sleep(response.bodyTime());
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    response
        .headers()
        .forEach((name, value) -> headers.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
    return new WebAnswer(
        response.status(), HttpHeaders.of(headers, (name, value) -> true), response.body());
  }

  private static Request received(WebRequest request) {
    Headers headers = Headers.of(request.headers().toArray(String[]::new));
    headers.add("Host", request.uri().getRawAuthority());
    String query = request.uri().getRawQuery();
    String path = request.uri().getRawPath();
    return new Request(
        request.method(), query == null ? path : path + "?" + query, headers, request.body());
  }
}
