package dev.sluice.simulator.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A simulated service on a port of this machine, for any HTTP client. It listens on the loopback
 * address only: nobody else can reach it. Every exchange is a task of its own, so thousands may
 * wait at the same time. Thread-safe.
 */
public final class LoopbackServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LoopbackServer.class);

  /** What the real service takes, too. */
  private static final long LARGEST_BODY = 128L << 20;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int PIECES = 10;
  private static final int BACKLOG = 4_096;

  static {
    // The JDK's server reads these once. Without the first, an answer in two packets waits for an
    // acknowledgement that waits for it; and 200 idle connections are few for a load test.
    preset("sun.net.httpserver.nodelay", "true");
    preset("sun.net.httpserver.maxIdleConnections", "20000");
    preset("sun.net.httpserver.idleInterval", "300");
  }

  private final HttpServer server;
  private final Service service;
  private final Time time;
  private final boolean secure;

  private LoopbackServer(HttpServer server, Service service, Time time, boolean secure) {
    this.server = server;
    this.service = service;
    this.time = time;
    this.secure = secure;
  }

  private static void preset(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /**
   * Starts to listen.
   *
   * @param port 1 to 65,535; 0 for any that is free
   * @throws BindException if the port is in use, or not ours to use
   */
  public static LoopbackServer start(int port, Service service, Time time) throws IOException {
    return start(port, service, time, null);
  }

  /**
   * Starts to listen for HTTPS. Requests reach the service with the header {@code
   * X-Forwarded-Proto: https}, as those behind a balancer do.
   *
   * @param port 1 to 65,535; 0 for any that is free
   * @param certificate what it shows to clients, if they are to trust it
   * @throws BindException if the port is in use, or not ours to use
   */
  public static LoopbackServer startSecure(
      int port, Service service, Time time, LoopbackCertificate certificate) throws IOException {
    return start(port, service, time, certificate.context());
  }

  private static LoopbackServer start(
      int port, Service service, Time time, @Nullable SSLContext context) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port);
    HttpServer server;
    try {
      server =
          context == null
              ? HttpServer.create(address, BACKLOG)
              : secured(HttpsServer.create(address, BACKLOG), context);
    } catch (BindException e) {
      BindException clear =
          new BindException(
              "port %d of this machine cannot be used (%s); choose another, or 0 for any"
                  .formatted(port, e.getMessage()));
      clear.initCause(e);
      throw clear;
    }
    LoopbackServer shell = new LoopbackServer(server, service, time, context != null);
    server.createContext("/", shell::exchange);
    server.setExecutor(task -> time.start("exchange", task));
    server.start();
    return shell;
  }

  private static HttpServer secured(HttpsServer server, SSLContext context) {
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return server;
  }

  /** Where it listens, without a slash at the end. */
  public URI address() {
    return URI.create((secure ? "https" : "http") + "://127.0.0.1:" + port());
  }

  /** The port on which it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void exchange(HttpExchange exchange) throws IOException {
    try (exchange) {
      String length = exchange.getRequestHeaders().getFirst("Content-Length");
      if (length != null && isTooLarge(length)) {
        send(exchange, Response.of(413, Headers.of("Content-Type", "text/plain"), "Too large."));
        return;
      }
      Request request = request(exchange);
      Reply reply;
      try {
        reply = reply(Compression.decoded(request, LARGEST_BODY));
      } catch (Compression.RefusedException e) {
        reply = Response.of(e.status(), Headers.of("Content-Type", "text/plain"), e.reason());
      }
      if (reply instanceof Response response) {
        send(exchange, Compression.encoded(response, request.headers()));
      }
      // Otherwise closing an exchange that was not answered breaks the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isTooLarge(String length) {
    try {
      return Long.parseLong(length) > LARGEST_BODY;
    } catch (NumberFormatException e) {
      return false; // the server below has refused it, or reads it as it likes
    }
  }

  private Request request(HttpExchange exchange) throws IOException {
    Headers headers = new Headers();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
    if (secure) {
      headers.add("X-Forwarded-Proto", "https");
    }
    URI uri = exchange.getRequestURI();
    String path = uri.getRawPath();
    String target = path == null || path.isEmpty() ? "/" : path;
    return new Request(
        exchange.getRequestMethod(),
        uri.getRawQuery() == null ? target : target + "?" + uri.getRawQuery(),
        headers,
        exchange.getRequestBody().readAllBytes());
  }

  private Reply reply(Request request) throws InterruptedException {
    try {
      return service.answer(request);
    } catch (RuntimeException | StackOverflowError e) {
      // Whatever a request does to the service, the next one is answered.
      log.warn("a simulated service failed at {} {}", request.method(), request.path(), e);
      return Response.of(
          500, Headers.of("Content-Type", "text/plain"), "The simulator itself failed: " + e);
    }
  }

  private void send(HttpExchange exchange, Response response)
      throws IOException, InterruptedException {
    com.sun.net.httpserver.Headers to = exchange.getResponseHeaders();
    response.headers().forEach(to::add);
    byte[] body = response.body();
    boolean empty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(response.status(), empty ? -1 : body.length);
    if (empty) {
      return;
    }
    try (OutputStream out = exchange.getResponseBody()) {
      if (response.bodyTime().isZero()) {
        out.write(body);
      } else {
        dribble(body, response.bodyTime(), out);
      }
    }
  }

  private void dribble(byte[] body, Duration over, OutputStream out)
      throws IOException, InterruptedException {
    Duration pause = over.dividedBy(PIECES);
    for (int piece = 0; piece < PIECES; piece++) {
      time.sleep(pause);
      int from = (int) ((long) body.length * piece / PIECES);
      int to = (int) ((long) body.length * (piece + 1) / PIECES);
      out.write(body, from, to - from);
      out.flush();
    }
  }

  /** Stops listening, and breaks what is under way. */
  @Override
  public void close() {
    server.stop(0);
  }
}
