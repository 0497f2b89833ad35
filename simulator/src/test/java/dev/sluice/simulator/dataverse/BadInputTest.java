package dev.sluice.simulator.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever comes over the wire, it is answered or cut off, and the simulator goes on. */
class BadInputTest {
  private final Environment environment = new Environment(Worlds.FREE, Time.real(), 1);
  private final String token = environment.token(0);
  private final LoopbackServer server;

  BadInputTest() throws IOException {
    server = LoopbackServer.start(0, environment, Time.real());
  }

  @AfterEach
  void stop() throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> who =
          http.send(
              HttpRequest.newBuilder(URI.create(server.address() + "/api/data/v9.2/WhoAmI"))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(who.statusCode()).as("the simulator goes on").isEqualTo(200);
    } finally {
      server.close();
    }
  }

  /** Sends bytes as they are, ends the sending, and returns all that comes back. */
  private String raw(String text) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(30_000);
      try {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        return ""; // cut off
      }
    }
  }

  private String request(String line, String headers, String body) throws IOException {
    return raw(
        "%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: close\r\n%s\r\n%s"
            .formatted(line, token, headers, body));
  }

  @ParameterizedTest(name = "[{index}] {0} is answered {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          GET /api/data/v9.2/nothings          | 404 | Resource not found for the segment 'nothings'.
          GET /api/data/v9.2/Accounts          | 404 | Resource not found for the segment 'Accounts'.
          GET /api/data/v8.0/accounts          | 404 | Resource not found
          GET /api/data/v9.2/accounts(         | 400 | Error in query syntax
          GET /api/data/v9.2/accounts(5)       | 400 | The key in the request URI is not valid
          GET /api/data/v9.2/accounts(a='%')   | 400 | Bad request
          PUT /api/data/v9.2/accounts          | 405 | does not support http method 'PUT'
          PATCH /api/data/v9.2/accounts        | 405 | does not support http method 'PATCH'
          POST /api/data/v9.2/WhoAmI           | 405 | does not support
          BREW /api/data/v9.2/accounts         | 405 | BREW
          GET /nowhere                         | 404 | not found
          GET /                                | 404 | not found
          POST /api/data/v9.2/accounts         | 400 | Invalid JSON
          POST /api/data/v9.2/$batch           | 400 | multipart/mixed
          """)
  void requests_to_nowhere_and_of_no_sense_get_a_status_and_a_reason(
      String line, int status, String says) throws IOException {
    String answer = request(line, "", "");
    assertThat(answer).startsWith("HTTP/1.1 " + status).containsIgnoringCase(says);
  }

  @Test
  void what_is_not_http_is_refused_or_cut_off() throws IOException {
    assertThat(raw("hello\r\n\r\n")).matches("(?s)|HTTP/1.1 400 .*");
    assertThat(raw("GET\r\n\r\n")).matches("(?s)|HTTP/1.1 400 .*");
    assertThat(raw("\u0016\u0003\u0001\u0002")).matches("(?s)|HTTP/1.1 400 .*");
    assertThat(request("POST /api/data/v9.2/accounts", "Content-Length: x\r\n", "{}"))
        .startsWith("HTTP/1.1 400");
    assertThat(request("POST /api/data/v9.2/accounts", "Content-Length: -5\r\n", "{}"))
        .startsWith("HTTP/1.1 400");
  }

  @Test
  void a_body_that_is_cut_off_does_nothing() throws IOException {
    String answer =
        request("POST /api/data/v9.2/accounts", "Content-Length: 100\r\n", "{\"name\":\"x\"}");
    assertThat(answer).doesNotContain("204");
    assertThat(environment.rows("account")).isEmpty();
  }

  @Test
  void a_body_that_is_too_large_is_refused_before_it_is_read() throws IOException {
    assertThat(request("POST /api/data/v9.2/accounts", "Content-Length: 200000000\r\n", ""))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void an_address_that_is_too_long_is_refused_in_the_services_words() throws IOException {
    assertThat(request("GET /api/data/v9.2/accounts?x=" + "y".repeat(33_000), "", ""))
        .startsWith("HTTP/1.1 400")
        .contains("Invalid URI: The Uri string is too long.");
  }

  @Test
  void a_header_of_a_megabyte_is_refused_or_cut_off() throws IOException {
    String answer =
        request("GET /api/data/v9.2/WhoAmI", "X-Large: " + "x".repeat(1 << 20) + "\r\n", "");
    assertThat(answer).doesNotContain("HTTP/1.1 200");
  }

  @Test
  void two_thousand_open_connections_are_all_served() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 2_000; i++) {
        sockets.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }
      byte[] request =
          "GET /api/data/v9.2/WhoAmI HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(token)
              .getBytes(StandardCharsets.US_ASCII);
      for (Socket socket : sockets) {
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(request);
      }
      byte[] status = new byte[12];
      for (Socket socket : sockets) {
        assertThat(socket.getInputStream().readNBytes(status, 0, 12)).isEqualTo(12);
        assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void a_port_in_use_is_named_in_the_refusal() {
    assertThatThrownBy(() -> LoopbackServer.start(server.port(), environment, Time.real()))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("port %d of this machine cannot be used".formatted(server.port()));
  }

  @Test
  void noise_in_every_place_is_answered() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    String good =
        "{\"Targets\":[{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\",\"name\":\"x\"}]}";
    for (int i = 0; i < 200; i++) {
      char[] noisy = good.toCharArray();
      for (int j = 0; j < 3; j++) {
        noisy[random.nextInt(noisy.length)] = (char) (32 + random.nextInt(95));
      }
      String answer =
          request(
              "POST /api/data/v9.2/accounts/Microsoft.Dynamics.CRM.CreateMultiple",
              "Content-Length: " + noisy.length + "\r\n",
              new String(noisy));
      assertThat(answer)
          .as(new String(noisy))
          .matches("(?s)HTTP/1.1 (200|400|404) .*")
          .doesNotContainIgnoringCase("jackson")
          .doesNotContain("Unexpected character", "was expecting", "Unrecognized token", "tools.");
    }
  }
}
