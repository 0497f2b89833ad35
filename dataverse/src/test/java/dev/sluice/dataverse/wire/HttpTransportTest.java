package dev.sluice.dataverse.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.message.Result;
import dev.sluice.dataverse.message.WebMessenger;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.TableReader;
import dev.sluice.dataverse.webapi.Queries;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.AnswerTooLargeException;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Lost;
import dev.sluice.simulator.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over real HTTP, on this machine only. */
class HttpTransportTest {
  private static final Time TIME = Time.real();
  private static final Duration LONG = Duration.ofSeconds(30);

  private static HttpTransport transport() {
    return new HttpTransport(Duration.ofSeconds(10), TIME);
  }

  private static WebRequest get(LoopbackServer server, Duration timeout) {
    return new WebRequest(
        "GET", URI.create(server.address() + "/x"), List.of("X-Own", "1"), new byte[0], timeout);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void answers_come_whole_compressed_or_not_and_cookies_are_not_kept() throws Exception {
    byte[] packed = gzip("{\"a\":\"ü\"}");
    List<Headers> seen = new ArrayList<>();
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request -> {
                  seen.add(request.headers());
                  return Response.of(
                      200,
                      Headers.of("Content-Encoding", "gzip", "Set-Cookie", "ARRAffinity=1; path=/"),
                      packed);
                },
                TIME);
        HttpTransport transport = transport()) {
      for (int i = 0; i < 2; i++) {
        WebAnswer answer = transport.send(get(server, LONG));
        assertThat(answer.text()).isEqualTo("{\"a\":\"ü\"}");
      }
      assertThat(seen.get(1).first("Accept-Encoding")).isEqualTo("gzip");
      assertThat(seen.get(1).first("X-Own")).isEqualTo("1");
      assertThat(seen.get(1).first("Cookie")).isNull();
    }
  }

  @Test
  void an_answer_that_floods_memory_is_let_go_packed_or_not() throws Exception {
    byte[] flood = new byte[HttpTransport.LARGEST_BODY + 1];
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(flood);
    }
    for (Response large :
        List.of(
            Response.of(200, new Headers(), flood),
            Response.of(200, Headers.of("Content-Encoding", "gzip"), packed.toByteArray()))) {
      try (LoopbackServer server = LoopbackServer.start(0, request -> large, TIME);
          HttpTransport transport = transport()) {
        assertThatThrownBy(() -> transport.send(get(server, LONG)))
            .isInstanceOf(AnswerTooLargeException.class)
            .hasMessageContaining("67,108,864 bytes");
      }
    }
  }

  @Test
  void redirects_are_answers() throws Exception {
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request -> Response.of(302, Headers.of("Location", "http://127.0.0.1:9/")),
                TIME);
        HttpTransport transport = transport()) {
      assertThat(transport.send(get(server, LONG)).status()).isEqualTo(302);
    }
  }

  @Test
  void the_time_out_covers_a_body_that_dribbles() throws Exception {
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request ->
                    Response.of(200, new Headers(), "0123456789").slowly(Duration.ofSeconds(20)),
                TIME);
        HttpTransport transport = transport()) {
      long start = TIME.nanos();
      assertThatThrownBy(() -> transport.send(get(server, Duration.ofMillis(500))))
          .isInstanceOf(HttpTimeoutException.class)
          .hasMessageEndingWith(" within 0.5 s");
      assertThat(Duration.ofNanos(TIME.nanos() - start)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void a_late_answer_leaves_no_interrupt_behind_and_an_interrupt_is_no_time_out() throws Exception {
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request ->
                    Response.of(200, new Headers(), "0123456789").slowly(Duration.ofSeconds(20)),
                TIME);
        HttpTransport transport = transport()) {
      Time.Task patient =
          TIME.start(
              "patient",
              () ->
                  assertThatThrownBy(() -> transport.send(get(server, LONG)))
                      .isInstanceOf(InterruptedException.class));
      assertThatThrownBy(() -> transport.send(get(server, Duration.ofMillis(100))))
          .isInstanceOf(HttpTimeoutException.class);
      assertThat(Thread.interrupted()).isFalse();
      patient.interrupt();
      patient.join();
    }
  }

  @Test
  void a_request_may_name_the_encoding_that_it_takes() throws Exception {
    List<Headers> seen = new ArrayList<>();
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request -> {
                  seen.add(request.headers());
                  return Response.of(200, new Headers(), "{}");
                },
                TIME);
        HttpTransport transport = transport()) {
      WebAnswer unused =
          transport.send(
              new WebRequest(
                  "GET",
                  server.address(),
                  List.of("accept-encoding", "identity"),
                  new byte[0],
                  LONG));
      assertThat(seen.getFirst().all("Accept-Encoding")).containsExactly("identity");
    }
  }

  @Test
  void a_broken_connection_is_told_apart_from_none() throws Exception {
    URI address;
    try (LoopbackServer server = LoopbackServer.start(0, request -> new Lost("on purpose"), TIME);
        HttpTransport transport = transport()) {
      address = server.address();
      assertThatThrownBy(
              () ->
                  transport.send(
                      new WebRequest("POST", address, List.of(), "x".getBytes(UTF_8), LONG)))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(ConnectException.class);
    }
    try (HttpTransport transport = transport()) {
      assertThatThrownBy(
              () -> transport.send(new WebRequest("GET", address, List.of(), new byte[0], LONG)))
          .isInstanceOf(ConnectException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH", "DELETE"})
  void a_write_whose_connection_closes_is_sent_once(String method) throws Exception {
    AtomicInteger seen = new AtomicInteger();
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request -> {
                  // The first is answered, so that the connection is one that is used again.
                  return seen.getAndIncrement() == 0
                      ? Response.of(204, new Headers())
                      : new Lost("after the request was read");
                },
                TIME);
        HttpTransport transport = transport()) {
      WebRequest write =
          new WebRequest(
              method,
              URI.create(server.address() + "/x"),
              List.of(),
              method.equals("DELETE") ? new byte[0] : "x".getBytes(UTF_8),
              LONG);
      assertThat(transport.send(write).status()).isEqualTo(204);
      for (int attempt = 1; attempt <= 3; attempt++) {
        assertThatThrownBy(() -> transport.send(write)).isInstanceOf(IOException.class);
        assertThat(seen).hasValue(1 + attempt);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308, 401, 407, 408, 425, 429, 503})
  void no_answer_makes_the_client_send_a_write_again(int status) throws Exception {
    AtomicInteger seen = new AtomicInteger();
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request -> {
                  seen.incrementAndGet();
                  return Response.of(
                      status,
                      Headers.of(
                          "Location",
                          "/elsewhere",
                          "Retry-After",
                          "0",
                          "WWW-Authenticate",
                          "Basic realm=\"x\"",
                          "Proxy-Authenticate",
                          "Basic realm=\"x\""));
                },
                TIME);
        HttpTransport transport = transport()) {
      WebRequest write =
          new WebRequest(
              "POST",
              URI.create(server.address() + "/x"),
              List.of("Authorization", "Bearer t"),
              "x".getBytes(UTF_8),
              LONG);
      assertThat(transport.send(write).status()).isEqualTo(status);
      assertThat(seen).hasValue(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "TRUE, true", "'', true", "false, false", "no, false"})
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void a_client_that_was_told_to_repeat_writes_is_not_made(String value, boolean refused) {
    String property = "jdk.httpclient.enableAllMethodRetry";
    System.setProperty(property, value);
    try {
      if (refused) {
        assertThatThrownBy(HttpTransportTest::transport)
            .isInstanceOf(HttpTransport.RetriesEnabledException.class)
            .hasMessage(
                "-D%s is set, so that the JDK would send a write a second time by itself; remove it",
                property);
      } else {
        transport().close();
      }
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void the_whole_client_works_over_http() throws Exception {
    Environment environment = new Environment(Worlds.FREE, TIME, 1);
    try (LoopbackServer server = LoopbackServer.start(0, environment, TIME);
        HttpTransport transport = transport();
        Gate gate = Gate.builder().lane("app1", LaneOptions.fixed(4)).build()) {
      Service service =
          new Service(
              transport,
              server.address(),
              DataverseOptions.API_VERSION,
              Worlds.tokens(transport, server.address(), TIME),
              Timeouts.DEFAULTS,
              TIME,
              Routes.PLAIN);
      assertThat(WhoAmI.ask(service, "app1", TIME).userId())
          .isEqualTo(Worlds.USERS.getFirst().userId());
      Calls calls = Calls.through(gate, service);
      Table account = new TableReader(calls).read("account");
      WebMessenger messenger = new WebMessenger(service);
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        items.add(
            new Item(
                i,
                new RecordKey.Id(new UUID(0x4000L, Long.MIN_VALUE + i)),
                true,
                "\"name\":\"ü%d\"".formatted(i)));
      }
      assertThat(
              messenger
                  .send("app1", account, Operation.CREATE, items, MessageOptions.DEFAULTS)
                  .value())
          .isInstanceOf(Result.Done.class);
      List<String> names = new ArrayList<>();
      new Queries(calls, 10)
          .forEach("accounts?$select=name", row -> names.add(row.get("name").asString()));
      assertThat(names).hasSize(25).contains("ü24");
      assertThat(
              messenger
                  .send("app1", account, Operation.DELETE, items, MessageOptions.DEFAULTS)
                  .value())
          .isInstanceOf(Result.Done.class);
      assertThat(environment.rows("account")).isEmpty();
    }
  }
}
