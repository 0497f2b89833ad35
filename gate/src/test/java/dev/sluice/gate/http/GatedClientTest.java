package dev.sluice.gate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Run;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real client and a real server on loopback; real time, in milliseconds. */
class GatedClientTest {
  private record Scripted(int status, Map<String, String> headers) {}

  private final List<Scripted> script = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> received = Collections.synchronizedList(new ArrayList<>());
  private final HttpClient http = HttpClient.newHttpClient();
  private final Gate gate = Gate.over("api", LaneOptions.fixed(4));
  private final GatedClient client = GatedClient.over(http, gate);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          received.add(gate.time().nanos());
          exchange.getRequestBody().readAllBytes();
          Scripted next = script.isEmpty() ? new Scripted(200, Map.of()) : script.remove(0);
          next.headers().forEach(exchange.getResponseHeaders()::add);
          byte[] body = "hello".getBytes(java.nio.charset.StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(next.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    http.close();
  }

  private HttpRequest.Builder request() {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/things"));
  }

  private HttpResponse<String> get() throws IOException, InterruptedException {
    return client.send(request().build(), BodyHandlers.ofString());
  }

  @Test
  void any_call_of_a_client_goes_through_a_gate_in_one_line() throws Exception {
    HttpResponse<String> response = get();
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("hello");
    assertThat(gate.statistics().granted()).isEqualTo(1);
    assertThat(gate.statistics().inFlight()).isZero();
  }

  @Test
  void a_429_is_waited_out_and_sent_again() throws Exception {
    script.add(new Scripted(429, Map.of("Retry-After", "0.2")));
    assertThat(get().statusCode()).isEqualTo(200);
    assertThat(received).hasSize(2);
    assertThat(received.get(1) - received.get(0)).isGreaterThanOrEqualTo(200_000_000L);
    assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(1);
  }

  @Test
  void the_same_without_blocking() throws Exception {
    script.add(new Scripted(429, Map.of("Retry-After", "0.05")));
    assertThat(client.sendAsync(request().build(), BodyHandlers.ofString()).get().statusCode())
        .isEqualTo(200);
    HttpRequest post = request().POST(HttpRequest.BodyPublishers.ofString("x")).build();
    script.add(new Scripted(502, Map.of()));
    assertThat(client.sendAsync(post, BodyHandlers.ofString()).get().statusCode()).isEqualTo(502);
    assertThat(
            client
                .sendAsync(Run.unbounded(), permit -> request().build(), BodyHandlers.ofString())
                .get()
                .body())
        .isEqualTo("hello");
    assertThat(received).hasSize(4);
    assertThat(gate.statistics().inFlight()).isZero();
  }

  @Test
  void a_cancelled_request_is_given_up_and_leaves_nothing_behind() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    server.createContext(
        "/slow",
        exchange -> {
          arrived.countDown();
          try {
            cancelled.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    HttpRequest slow = request().uri(request().build().uri().resolve("/slow")).build();
    CompletableFuture<HttpResponse<String>> out = client.sendAsync(slow, BodyHandlers.ofString());
    arrived.await();
    assertThat(out.cancel(true)).isTrue();
    assertThat(gate.drain(Duration.ofSeconds(30))).as("settled while unanswered").isTrue();
    cancelled.countDown();
  }

  @Test
  void a_hint_that_cannot_be_read_is_told() throws Exception {
    script.add(new Scripted(200, Map.of("X-RateLimit-Remaining", "a few")));
    assertThat(get().statusCode()).isEqualTo(200);
    assertThat(client.odd.news("api", Set.of(Flag.HINT_MALFORMED, Flag.CLOCK_SKEW)))
        .as("not told yet")
        .containsExactly(Flag.CLOCK_SKEW);
  }

  @Test
  @SuppressWarnings("NullAway") // callers need not be checked for null
  void what_is_missing_is_named() {
    HttpRequest request = request().build();
    assertNames("client", () -> GatedClient.over(null, gate));
    assertNames("gate", () -> GatedClient.over(http, null));
    assertNames("signals", () -> client.withSignals(null));
    assertNames("options", () -> client.withOptions(null));
    assertNames("renewal", () -> client.withRenewal(null));
    assertNames("run", () -> client.send(null, request, BodyHandlers.ofString()));
    assertNames("request", () -> client.send((HttpRequest) null, BodyHandlers.ofString()));
    assertNames("handler", () -> client.sendAsync(request, null));
  }

  private static void assertNames(String parameter, ThrowingCallable code) {
    assertThatThrownBy(code).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }

  @Test
  void a_404_is_the_callers_to_see() throws Exception {
    script.add(new Scripted(404, Map.of()));
    assertThat(get().statusCode()).isEqualTo(404);
    assertThat(received).hasSize(1);
  }

  @Test
  void a_post_is_not_repeated_after_an_unknown_outcome_unless_that_is_harmless() throws Exception {
    HttpRequest post = request().POST(HttpRequest.BodyPublishers.ofString("x")).build();
    script.add(new Scripted(502, Map.of()));
    assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(502);
    assertThat(received).hasSize(1);

    script.add(new Scripted(502, Map.of()));
    GatedClient harmless = client.withOptions(CallOptions.DEFAULTS.repeatable());
    assertThat(harmless.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(received).hasSize(3);
  }

  @Test
  void a_client_that_repeats_requests_by_itself_is_refused() {
    try (HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()) {
      assertThatThrownBy(() -> GatedClient.over(following, gate))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("followRedirects(Redirect.NEVER)");
    }
  }

  @Test
  void a_request_can_be_made_for_the_lane_it_goes_through() throws Exception {
    List<String> lanes = new ArrayList<>();
    HttpResponse<String> response =
        client.send(
            Run.unbounded(),
            permit -> {
              lanes.add(permit.lane());
              return request().header("Authorization", "for " + permit.lane()).build();
            },
            BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(lanes).containsExactly("api");
  }

  @Test
  void a_request_whose_credentials_are_refused_is_made_once_more_with_others() throws Exception {
    AtomicInteger token = new AtomicInteger(1);
    List<String> refused = new ArrayList<>();
    GatedClient renewing =
        client.withRenewal(
            request -> {
              refused.add(request.headers().firstValue("Authorization").orElse(""));
              return token.incrementAndGet() > 0;
            });
    script.add(new Scripted(401, Map.of()));
    HttpResponse<String> response =
        renewing.send(
            Run.unbounded(),
            permit -> request().header("Authorization", "token " + token.get()).build(),
            BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.request().headers().firstValue("Authorization")).contains("token 2");
    assertThat(refused).containsExactly("token 1");

    script.add(new Scripted(401, Map.of()));
    script.add(new Scripted(401, Map.of()));
    assertThat(renewing.send(request().build(), BodyHandlers.ofString()).statusCode())
        .as("twice is enough")
        .isEqualTo(401);
    script.add(new Scripted(401, Map.of()));
    assertThat(get().statusCode()).as("nothing to renew").isEqualTo(401);
    assertThat(gate.statistics().lanes().getFirst().stopped()).isEmpty();
  }

  @Test
  void a_host_that_cannot_be_reached_is_told_as_what_it_is() {
    int port = server.getAddress().getPort();
    server.stop(0);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
    GatedClient once =
        client.withOptions(
            CallOptions.DEFAULTS.withRetries(
                new dev.sluice.control.retry.RetryOptions(3, 1, true)));
    assertThatThrownBy(() -> once.send(request, BodyHandlers.ofString()))
        .isInstanceOf(java.net.ConnectException.class);
    assertThat(gate.statistics().inFlight()).isZero();
  }
}
