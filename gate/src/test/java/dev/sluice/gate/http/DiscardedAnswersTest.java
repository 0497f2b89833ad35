package dev.sluice.gate.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.Gate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client whose answers are streams, and a server on loopback that counts its open connections: it
 * throttles each call three times, so that three answers of every call are thrown away.
 */
@Timeout(60)
class DiscardedAnswersTest {
  private static final int CALLS = 25;
  private static final int MOST_OPEN = 6;
  private static final byte[] BODY = new byte[64 * 1024];

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed = lock.newCondition();
  private final AtomicInteger requests = new AtomicInteger();
  private int open;
  private ServerSocket server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  Socket socket = server.accept();
                  count(1);
                  Thread.ofVirtual().start(() -> serve(socket));
                }
              } catch (IOException e) {
                // closed at the end of the test
              }
            });
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      OutputStream out = socket.getOutputStream();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty()) { // the end of a request without a body
          boolean done = requests.incrementAndGet() % 4 == 0;
          String head =
              done ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 429 Slow\r\nRetry-After: 0.005\r\n";
          out.write((head + "Content-Length: " + BODY.length + "\r\n\r\n").getBytes(US_ASCII));
          out.write(BODY);
          out.flush();
        }
      }
    } catch (IOException e) {
      // the client has closed it
    } finally {
      count(-1);
    }
  }

  private void count(int change) {
    lock.lock();
    try {
      open += change;
      closed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many connections stay open; waits for those that are about to close. */
  private int openAtLast() throws InterruptedException {
    lock.lock();
    try {
      long nanos = TimeUnit.SECONDS.toNanos(5);
      while (open > MOST_OPEN && nanos > 0) {
        nanos = closed.awaitNanos(nanos);
      }
      return open;
    } finally {
      lock.unlock();
    }
  }

  private interface Reader<T> {
    void readAndClose(HttpResponse<T> response) throws IOException;
  }

  private <T> int openAfterCalls(BodyHandler<T> handler, Reader<T> reader) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient();
        Gate gate = Gate.over("api", LaneOptions.fixed(4))) {
      GatedClient client = GatedClient.over(http, gate);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"))
              .build();
      for (int i = 0; i < CALLS; i++) {
        HttpResponse<T> response = client.send(request, handler);
        assertThat(response.statusCode()).isEqualTo(200);
        reader.readAndClose(response);
      }
      assertThat(requests).hasValue(4 * CALLS);
      int left = openAtLast();
      http.shutdownNow();
      return left;
    }
  }

  @Test
  void streams_that_a_retry_throws_away_keep_no_connection_open() throws Exception {
    assertThat(
            openAfterCalls(
                BodyHandlers.ofInputStream(),
                response -> {
                  try (InputStream body = response.body()) {
                    assertThat(body.readAllBytes()).hasSize(BODY.length);
                  }
                }))
        .isLessThanOrEqualTo(MOST_OPEN);
  }

  @Test
  void lines_that_a_retry_throws_away_keep_no_connection_open() throws Exception {
    assertThat(
            openAfterCalls(
                BodyHandlers.ofLines(),
                response -> {
                  try (Stream<String> lines = response.body()) {
                    assertThat(lines.count()).isEqualTo(1);
                  }
                }))
        .isLessThanOrEqualTo(MOST_OPEN);
  }

  @Test
  void publishers_that_a_retry_throws_away_keep_no_connection_open() throws Exception {
    assertThat(
            openAfterCalls(
                BodyHandlers.ofPublisher(),
                response -> response.body().subscribe(new ReadToTheEnd())))
        .isLessThanOrEqualTo(MOST_OPEN);
  }

  private static final class ReadToTheEnd implements Flow.Subscriber<List<ByteBuffer>> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }
}
