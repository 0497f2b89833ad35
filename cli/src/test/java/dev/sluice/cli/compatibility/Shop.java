package dev.sluice.cli.compatibility;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A provider of items and their comments that will be the same for ever, because what was recorded
 * of it is: no simulator, whose items may change. On loopback.
 */
final class Shop implements AutoCloseable {
  static final int ITEMS = 40;
  static final List<Integer> IDS = IntStream.rangeClosed(1, ITEMS).boxed().toList();

  /** The item whose comments are gone. */
  static final int GONE = 5;

  private static final Instant FIRST = Instant.parse("2025-06-01T00:00:00Z");
  private static final int PAGE = 10;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch stalled = new CountDownLatch(1);
  private final HttpServer server;
  private volatile Set<Integer> refused = Set.of();
  private volatile Predicate<String> stalls = request -> false;
  private volatile int perSecond = Integer.MAX_VALUE;
  private final Map<Long, AtomicInteger> seconds = new ConcurrentHashMap<>();

  Shop() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** As lanes are called that lead here. */
  String host() {
    return "127.0.0.1:" + port();
  }

  /** Comments of these items may not be read. */
  void refuse(Integer... items) {
    refused = Set.of(items);
  }

  /** So many requests are answered in a second, and no more. */
  void limit(int requests) {
    perSecond = requests;
  }

  /** Requests like this are never answered. */
  void stall(Predicate<String> request) {
    stalls = request;
  }

  /** Waits until a request is not answered. */
  void awaitStalled() throws InterruptedException {
    stalled.await();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String request = exchange.getRequestURI().toString();
    if (stalls.test(request)) {
      stalled.countDown();
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    long second = System.currentTimeMillis() / 1000;
    AtomicInteger count = seconds.computeIfAbsent(second, unused -> new AtomicInteger());
    if (count.incrementAndGet() > perSecond) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      send(exchange, 429, "{}");
      return;
    }
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    if (path.length == 2) {
      send(exchange, 200, items(parameters(exchange)));
      return;
    }
    int item = Integer.parseInt(path[2]);
    if (item == GONE) {
      send(exchange, 404, "{}");
    } else if (refused.contains(item)) {
      send(exchange, 403, "{}");
    } else {
      send(
          exchange,
          200,
          "{\"items\": [{\"id\": %d, \"item_id\": %d}], \"next_cursor\": null}"
              .formatted(1000 + item, item));
    }
  }

  private static String items(Map<String, String> asked) {
    Instant since = Instant.parse(asked.getOrDefault("updated_since", "2000-01-01T00:00:00Z"));
    List<Integer> all = IDS.stream().filter(id -> !updated(id).isBefore(since)).toList();
    int begin = Integer.parseInt(asked.getOrDefault("cursor", "0"));
    int end = Math.min(begin + PAGE, all.size());
    return all.subList(Math.min(begin, end), end).stream()
        .map(id -> "{\"id\": %d, \"updated_at\": \"%s\"}".formatted(id, updated(id)))
        .collect(
            Collectors.joining(
                ", ",
                "{\"items\": [",
                "], \"next_cursor\": %s}"
                    .formatted(end < all.size() ? "\"" + end + "\"" : "null")));
  }

  private static Instant updated(int id) {
    return FIRST.plusSeconds(60L * id);
  }

  private static Map<String, String> parameters(HttpExchange exchange) {
    Map<String, String> parameters = new HashMap<>();
    String query = exchange.getRequestURI().getQuery();
    for (String each : query == null ? new String[0] : query.split("&", -1)) {
      int equals = each.indexOf('=');
      parameters.put(each.substring(0, equals), each.substring(equals + 1));
    }
    return parameters;
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
