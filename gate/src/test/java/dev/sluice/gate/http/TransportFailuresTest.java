package dev.sluice.gate.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Transient;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransportFailuresTest {
  private static final String RESET = "reset";

  static Stream<Throwable> notSent() {
    return Stream.of(
        new ConnectException("Connection refused"),
        new HttpConnectTimeoutException("HTTP connect timed out"),
        new UnknownHostException("nowhere"),
        new NoRouteToHostException(),
        new SSLHandshakeException("PKIX path building failed"),
        new CompletionException(new ConnectException()),
        new ExecutionException(new CompletionException(new UnknownHostException())),
        new UncheckedIOException(new ConnectException()));
  }

  @ParameterizedTest
  @MethodSource("notSent")
  void without_a_connection_the_service_has_not_seen_the_request(Throwable failure) {
    assertThat(kind(failure)).isEqualTo(Transient.Kind.NOT_SENT);
    assertThat(kind(failure).outcomeUnknown()).isFalse();
  }

  static Stream<Throwable> lost() {
    return Stream.of(
        new HttpTimeoutException("request timed out"),
        new SocketTimeoutException("Read timed out"),
        new SocketException("Connection reset"),
        new IOException("Connection reset by peer"),
        new EOFException(),
        new ClosedChannelException(),
        new IOException("HTTP/1.1 header parser received no bytes", new EOFException()),
        new CompletionException(new HttpTimeoutException("request timed out")),
        new IllegalStateException("a bug"),
        new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("lost")
  void once_it_may_have_been_sent_the_outcome_is_unknown(Throwable failure) {
    assertThat(kind(failure)).isEqualTo(Transient.Kind.UNKNOWN_OUTCOME);
  }

  static Stream<Throwable> givenUp() {
    return Stream.of(
        new InterruptedException(),
        new ClosedByInterruptException(),
        new InterruptedIOException("interrupted"),
        new IOException("closed", new InterruptedException()),
        new CompletionException(new CancellationException()));
  }

  @ParameterizedTest
  @MethodSource("givenUp")
  void a_request_that_its_caller_gave_up_is_cancelled(Throwable failure) {
    assertThat(Signals.failed(failure)).isEqualTo(Signal.CANCELLED);
  }

  @Test
  void a_connection_without_a_free_stream_has_sent_nothing() {
    assertThat(Signals.failed(new IOException("too many concurrent streams")))
        .isInstanceOfSatisfying(
            Signal.Throttled.class,
            throttled -> {
              assertThat(throttled.facet()).isEqualTo(Signal.Facet.CONCURRENCY);
              assertThat(throttled.isNotSent()).isTrue();
            });
  }

  @Test
  void any_other_transport_error_is_one_with_its_outcome_unknown() {
    assertThat(kind(new IOException("protocol error"))).isEqualTo(Transient.Kind.TRANSPORT);
    assertThat(kind(new IOException())).isEqualTo(Transient.Kind.TRANSPORT);
    assertThat(Transient.Kind.TRANSPORT.outcomeUnknown()).isTrue();
  }

  @Test
  void causes_that_go_in_circles_end() {
    IllegalStateException one = new IllegalStateException("one");
    IllegalStateException other = new IllegalStateException("other", one);
    one.initCause(other);
    assertThat(kind(other)).isEqualTo(Transient.Kind.UNKNOWN_OUTCOME);
  }

  // The JDK's client says only in words what became of a body: these pin the words.

  @Test
  void the_jdks_client_tells_a_body_of_known_length_cut_off() throws Exception {
    assertThat(failureOf("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"))
        .isEqualTo(Transient.Kind.BODY_CUT_OFF);
  }

  @Test
  void the_jdks_client_tells_a_chunked_body_cut_off() throws Exception {
    assertThat(failureOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"))
        .isEqualTo(Transient.Kind.BODY_CUT_OFF);
    assertThat(failureOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhal"))
        .isEqualTo(Transient.Kind.BODY_CUT_OFF);
  }

  @Test
  void the_jdks_client_tells_a_connection_closed_before_the_answer() throws Exception {
    assertThat(failureOf("")).isEqualTo(Transient.Kind.UNKNOWN_OUTCOME);
    assertThat(failureOf("HTTP/1.1 20")).isEqualTo(Transient.Kind.UNKNOWN_OUTCOME);
  }

  @Test
  void the_jdks_client_tells_a_connection_reset() throws Exception {
    assertThat(failureOf(RESET)).isEqualTo(Transient.Kind.UNKNOWN_OUTCOME);
  }

  @Test
  void the_jdks_client_tells_a_connection_refused() throws Exception {
    int port;
    try (ServerSocket server = listen()) {
      port = server.getLocalPort();
    }
    assertThat(send(port)).isEqualTo(Transient.Kind.NOT_SENT);
  }

  @Test
  void the_jdks_client_tells_that_a_connection_has_no_free_stream() throws Exception {
    byte[] upgrade =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            .getBytes(US_ASCII);
    byte[] oneStream = {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1}; // SETTINGS
    byte[] ok = {0, 0, 1, 1, 5, 0, 0, 0, 1, (byte) 0x88}; // HEADERS of stream 1: status 200
    try (ServerSocket server = listen();
        HttpClient client = HttpClient.newHttpClient()) {
      Time.Task task =
          Time.real()
              .start(
                  "server",
                  () -> {
                    try (Socket socket = server.accept()) {
                      socket.getOutputStream().write(upgrade);
                      socket.getOutputStream().write(oneStream);
                      socket.getOutputStream().write(ok);
                      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                    } catch (IOException closed) {
                      // the client has gone
                    }
                  });
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort())).build();
      assertThat(client.send(request, BodyHandlers.discarding()).version())
          .isEqualTo(HttpClient.Version.HTTP_2);
      var one = client.sendAsync(request, BodyHandlers.discarding());
      var other = client.sendAsync(request, BodyHandlers.discarding());
      Throwable failure = catchThrowable(() -> CompletableFuture.anyOf(one, other).join());
      client.shutdownNow();
      assertThat(Signals.failed(failure))
          .isInstanceOfSatisfying(
              Signal.Throttled.class, throttled -> assertThat(throttled.isNotSent()).isTrue());
      task.join();
    }
  }

  @Test
  void a_throttle_whose_body_breaks_off_is_a_throttle_with_its_wait() throws Exception {
    String cut =
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 4\r\nContent-Length: 100\r\n\r\nshort";
    Time.Task task;
    try (ServerSocket server = listen();
        HttpTransport transport = new HttpTransport(Duration.ofSeconds(5), Time.real());
        HttpClient client = HttpClient.newHttpClient();
        Gate gate = Gate.over("api", LaneOptions.fixed(1))) {
      task = Time.real().start("server", () -> serve(server, cut));
      URI address = URI.create("http://127.0.0.1:" + server.getLocalPort());
      WebAnswer answer =
          transport.send(
              new WebRequest("GET", address, List.of(), new byte[0], Duration.ofSeconds(20)));
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.headers().firstValue("Retry-After")).contains("4");

      GatedClient gated =
          GatedClient.over(client, gate)
              .withOptions(CallOptions.DEFAULTS.withRetries(new RetryOptions(0, 1, true)));
      assertThat(
              catchThrowable(
                  () ->
                      gated.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())))
          .isInstanceOf(ServiceProtectionException.class);
      assertThat(gate.throttleTracker().isThrottled("api")).isTrue();
    }
    task.join();
  }

  /** What becomes of a request that is answered with {@code answer} and then the end. */
  private static Transient.Kind failureOf(String answer) throws Exception {
    Time.Task task;
    Transient.Kind kind;
    try (ServerSocket server = listen()) {
      task = Time.real().start("server", () -> serve(server, answer));
      kind = send(server.getLocalPort());
    }
    task.join();
    return kind;
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  private static void serve(ServerSocket server, String answer) {
    while (true) {
      try (Socket socket = server.accept()) {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          int read = socket.getInputStream().read();
          if (read < 0) {
            break;
          }
          head.append((char) read);
        }
        if (answer.equals(RESET)) {
          socket.setSoLinger(true, 0);
        } else {
          socket.getOutputStream().write(answer.getBytes(US_ASCII));
        }
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static Transient.Kind send(int port) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port))
            .build();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      HttpResponse<String> unexpected = client.send(request, HttpResponse.BodyHandlers.ofString());
      throw new AssertionError("answered " + unexpected.statusCode());
    } catch (IOException e) {
      return kind(e);
    }
  }

  private static Transient.Kind kind(Throwable failure) {
    Signal signal = Signals.failed(failure);
    return ((Transient) signal).kind();
  }
}
