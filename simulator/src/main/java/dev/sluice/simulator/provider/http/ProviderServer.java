package dev.sluice.simulator.provider.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.provider.Header;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A provider over HTTP, on loopback, in real time: the JDK's own server with a virtual thread for
 * each call.
 *
 * <p>Whatever comes in, it goes on: what is no HTTP gets 400, what is too large 413, and what fails
 * here 500. Thread-safe.
 */
public final class ProviderServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProviderServer.class);
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int BACKLOG = 4_096;
  private static final int LONGEST_BODY = 64 * 1_024;
  private static final int TRICKLES = 10;
  private static final Duration TRICKLE = Duration.ofMillis(500);

  static {
    // The JDK's server reads these once. Without the first, an answer in two packets waits 40 ms
    // for an acknowledgement that waits for it; and 200 idle connections are few for a load test.
    preset("sun.net.httpserver.nodelay", "true");
    preset("sun.net.httpserver.maxIdleConnections", "20000");
  }

  private final Provider provider;
  private final Time time;
  private final HttpServer server;

  private ProviderServer(Provider provider, Time time, HttpServer server) {
    this.provider = provider;
    this.time = time;
    this.server = server;
  }

  private static void preset(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /**
   * Starts to serve.
   *
   * @param time real time: the same that the provider was made with
   * @param port 0 for any that is free
   * @throws IOException if the port cannot be had; the message says so
   */
  public static ProviderServer start(Provider provider, Time time, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    HttpServer http;
    try {
      http = HttpServer.create(address, BACKLOG);
    } catch (BindException taken) {
      throw new IOException(
          "port %d cannot be had (%s); choose another, or 0 for any that is free"
              .formatted(port, taken.getMessage()),
          taken);
    }
    ProviderServer server = new ProviderServer(provider, time, http);
    http.setExecutor(
        call -> {
          Time.Task unused = time.start("provider call", call);
        });
    http.createContext("/", server::handle);
    http.start();
    return server;
  }

  /** Where it can be reached. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Ends at once; open connections are closed. */
  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      deliver(exchange, answer(exchange));
    } catch (IOException lost) {
      log.debug("a client went away: {}", lost.toString());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Reply answer(HttpExchange exchange) throws IOException, InterruptedException {
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
    if (body.length > LONGEST_BODY) {
      return Provider.complaint(
          new MistakenCall(413, "too_large", "a body may have 64 KiB at most"));
    }
    Map<String, String> headers = new HashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    Call call =
        new Call(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            headers,
            new String(body, StandardCharsets.UTF_8));
    try {
      return provider.serve(call);
    } catch (RuntimeException mistake) {
      log.warn("a call could not be answered", mistake);
      return Reply.json(500, Json.error("internal", "the simulated provider is at fault"));
    }
  }

  private void deliver(HttpExchange exchange, Reply reply)
      throws IOException, InterruptedException {
    if (reply.delivery() == Reply.Delivery.LOST) {
      time.sleep(Provider.PATIENCE);
      return;
    }
    if (reply.delivery() == Reply.Delivery.DROPPED) {
      return; // closing an exchange that was not answered closes its connection
    }
    for (Header header : reply.headers()) {
      exchange.getResponseHeaders().add(header.name(), header.value());
    }
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.status(), empty ? -1 : body.length);
    if (empty) {
      return;
    }
    OutputStream out = exchange.getResponseBody();
    switch (reply.delivery()) {
      case TRUNCATED -> {
        out.write(body, 0, body.length / 2);
        out.flush();
      }
      case TRICKLED -> trickle(body, out);
      default -> out.write(body);
    }
  }

  private void trickle(byte[] body, OutputStream out) throws IOException, InterruptedException {
    int sent = 0;
    for (int i = 1; i <= TRICKLES; i++) {
      time.sleep(TRICKLE);
      int until = (int) ((long) body.length * i / TRICKLES);
      out.write(body, sent, until - sent);
      out.flush();
      sent = until;
    }
  }
}
