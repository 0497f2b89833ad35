package dev.sluice.simulator.provider.http;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same provider over HTTP, in real time. */
class ProviderServerTest {
  private final List<ProviderServer> servers = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    servers.forEach(ProviderServer::close);
  }

  @Test
  void pages_are_followed_by_the_addresses_in_the_answers() throws Exception {
    for (Paging paging : List.of(Paging.LINK, Paging.NEXT_URL)) {
      ProviderServer server = start(quick("none").withPaging(paging, 250));
      String next = server.address() + "/items";
      int pages = 0;
      while (next != null) {
        HttpResponse<String> page = get(next);
        assertThat(page.statusCode()).isEqualTo(200);
        pages++;
        next =
            paging == Paging.LINK
                ? page.headers()
                    .firstValue("Link")
                    .map(link -> link.replaceFirst("<(.*)>; rel=\"next\"", "$1"))
                    .orElse(null)
                : (String) Json.read(page.body()).get("next");
      }
      assertThat(pages).isEqualTo(4);
    }
  }

  @Test
  void a_refusal_reaches_the_client_with_its_headers() throws Exception {
    ProviderServer server = start(quick("sliding:1/1m"));
    assertThat(get(server.address() + "/items/1").statusCode()).isEqualTo(200);
    HttpResponse<String> refused = get(server.address() + "/items/1");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("60");
    assertThat(refused.headers().allValues("Date")).hasSize(1);
    assertThat(Json.read(refused.body())).containsKey("error");
  }

  @Test
  void what_is_not_modified_has_no_body_and_neither_has_the_answer_to_head() throws Exception {
    ProviderServer server = start(quick("none"));
    String tag = get(server.address() + "/items/1").headers().firstValue("ETag").orElseThrow();
    HttpRequest.Builder request = HttpRequest.newBuilder(server.address().resolve("/items/1"));
    assertThat(client.send(request.header("If-None-Match", tag).build(), ofString()))
        .returns(304, HttpResponse::statusCode)
        .returns("", HttpResponse::body);
    assertThat(client.send(request.HEAD().build(), ofString()).statusCode()).isEqualTo(304);
  }

  @Test
  void it_can_be_watched_and_changed_while_it_runs() throws Exception {
    ProviderServer server = start(quick("none"));
    HttpRequest change =
        HttpRequest.newBuilder(server.address().resolve("/control"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"limit\": \"0/1m\"}"))
            .build();
    assertThat(client.send(change, ofString()).statusCode()).isEqualTo(200);
    assertThat(get(server.address() + "/items").statusCode()).isEqualTo(429);
    assertThat(get(server.address() + "/control").body()).contains("\"throttled\":1");
    assertThat(get(server.address() + "/control/log").body())
        .contains("\"path\":\"list\"")
        .contains("\"verdict\":\"throttled\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rubbish\r\n\r\n",
        "GET\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: minus\r\n\r\n",
        "GET /items HTTP/1.1\r\nno colon\r\n\r\n",
        "\u0000\u0001\u0002\r\n\r\n"
      })
  void what_is_no_http_does_no_harm(String rubbish) throws Exception {
    ProviderServer server = start(quick("none"));
    String answer = raw(server, rubbish);
    assertThat(answer).matches("(?s)(HTTP/1\\.1 4.*|HTTP/1\\.1 200.*|)");
    assertThat(get(server.address() + "/items/1").statusCode()).isEqualTo(200);
  }

  @Test
  void headers_and_bodies_without_end_do_no_harm() throws Exception {
    ProviderServer server = start(quick("none"));
    String unused =
        raw(server, "GET / HTTP/1.1\r\nHost: x\r\nX-Much: " + "a".repeat(1_000_000) + "\r\n\r\n");
    HttpRequest large =
        HttpRequest.newBuilder(server.address().resolve("/control"))
            .POST(HttpRequest.BodyPublishers.ofString("x".repeat(70_000)))
            .build();
    assertThat(client.send(large, ofString()).statusCode()).isEqualTo(413);
    assertThat(get(server.address() + "/items/1").statusCode()).isEqualTo(200);
  }

  @Test
  void two_thousand_connections_at_once_are_all_answered() throws Exception {
    ProviderServer server = start(quick("none"));
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 2_000; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.setSoTimeout(30_000);
        sockets.add(socket);
      }
      for (Socket socket : sockets) {
        socket
            .getOutputStream()
            .write("GET /items/1 HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      for (Socket socket : sockets) {
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .isEqualTo("HTTP/1.1 200");
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void a_port_that_is_taken_is_named() throws Exception {
    ProviderServer server = start(quick("none"));
    int port = server.address().getPort();
    assertThatIOException()
        .isThrownBy(() -> ProviderServer.start(provider(quick("none")), Time.real(), port))
        .withMessageContaining("port " + port + " cannot be had")
        .withMessageContaining("choose another");
  }

  @Test
  void lost_answers_are_lost_for_the_client_too() throws Exception {
    for (Misbehaviour misbehaviour :
        List.of(Misbehaviour.CONNECTION_DROPS, Misbehaviour.BODY_TRUNCATED)) {
      ProviderOptions options = quick("none");
      ProviderServer server =
          start(options.withService(options.service().withMisbehaviours(Set.of(misbehaviour))));
      int lost = 0;
      for (int i = 0; i < 300; i++) {
        try (Socket socket =
            new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
          String answer =
              exchange(socket, "GET /items/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
          lost += answer.endsWith("}") ? 0 : 1;
        }
      }
      assertThat(lost).as("%s", misbehaviour).isBetween(1, 20);
      assertThat(get(server.address() + "/control").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_client_that_goes_away_leaves_its_slot() throws Exception {
    ProviderOptions options = quick("concurrent:1");
    ProviderServer server =
        start(options.withService(options.service().withLatency(Duration.ofMillis(100), 0)));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket
          .getOutputStream()
          .write("GET /items/1 HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    int status = 0;
    for (int i = 0; i < 100 && status != 200; i++) {
      status = get(server.address() + "/items/1").statusCode();
      Time.real().sleep(Duration.ofMillis(20));
    }
    assertThat(status).isEqualTo(200);
  }

  private static ProviderOptions quick(String limit) {
    return ProviderOptions.DEFAULTS.withService(
        ServiceOptions.DEFAULTS
            .withLimit(LimitOptions.parse(limit))
            .withLatency(Duration.ofMillis(1), 0));
  }

  private ProviderServer start(ProviderOptions options) throws IOException {
    ProviderServer server = ProviderServer.start(provider(options), Time.real(), 0);
    servers.add(server);
    return server;
  }

  private static Provider provider(ProviderOptions options) {
    return new Provider(options, Time.real());
  }

  private HttpResponse<String> get(String address) throws Exception {
    return client.send(HttpRequest.newBuilder(URI.create(address)).build(), ofString());
  }

  /** What comes back to anything; empty if the connection is closed. */
  private static String raw(ProviderServer server, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket.setSoTimeout(500);
      return exchange(socket, request);
    }
  }

  private static String exchange(Socket socket, String request) {
    StringBuilder answer = new StringBuilder();
    try {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        answer.append((char) next);
      }
    } catch (IOException closedOrSilent) {
      return answer.toString();
    }
    return answer.toString();
  }
}
