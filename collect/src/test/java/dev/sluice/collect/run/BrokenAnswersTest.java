package dev.sluice.collect.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers that end before their end are told in plain words. On this machine only. */
class BrokenAnswersTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void a_body_in_chunks_that_ends_too_early_broke_off_and_is_still_known_as_such()
      throws Exception {
    IOException failure =
        failure("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[{\"id\r\n");
    assertThat(failure).hasMessage("the answer broke off");
    assertThat(Signals.failed(failure))
        .isEqualTo(Signal.transientFailure(Signal.Transient.Kind.BODY_CUT_OFF));
  }

  @Test
  void a_body_shorter_than_its_length_broke_off() throws Exception {
    assertThat(failure("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[{\"id"))
        .hasMessage("the answer broke off");
  }

  @Test
  void a_body_that_is_not_packed_as_it_says_is_told_so() throws Exception {
    assertThat(failure("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]"))
        .hasMessageMatching("the answer (broke off|is not the gzip that its header says)");
    assertThat(
            failure(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 22\r\n\r\n"
                    + "[{\"id\": 1}, {\"id\": 2}]"))
        .hasMessage("the answer is not the gzip that its header says");
  }

  /** What is thrown if a server answers so, and hangs up. */
  private static IOException failure(String answer) throws Exception {
    Time time = Time.real();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpTransport transport = new HttpTransport(LONG, time)) {
      Time.Task serving = time.start("server", () -> serve(server, answer));
      WebRequest request =
          new WebRequest(
              "GET",
              URI.create("http://127.0.0.1:%d/items".formatted(server.getLocalPort())),
              List.of(),
              new byte[0],
              LONG);
      IOException[] thrown = new IOException[1];
      assertThatThrownBy(() -> transport.send(request))
          .isInstanceOfSatisfying(IOException.class, e -> thrown[0] = e);
      serving.join();
      return thrown[0];
    }
  }

  private static void serve(ServerSocket server, String answer) {
    try (Socket socket = server.accept()) {
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
