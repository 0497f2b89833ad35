package dev.sluice.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.http.GatedClient;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;

/**
 * The first minute of the README's example: 20 threads call a provider, over HTTP on this machine,
 * that allows 10 requests a second with a bucket of 10, and otherwise answers 429 with {@code
 * Retry-After: 1}. Beside it, a plain retry loop at a provider of its own. All clients run at the
 * same time, so the whole takes a minute.
 *
 * <p>Arguments: latencies of the provider in milliseconds (default: 1 and 200).
 */
public final class FirstMinute {
  private static final Time TIME = Time.real();
  private static final int THREADS = 20;
  private static final int PER_SECOND = 10;
  private static final int BUCKET = 10;
  private static final int GOAL_DONE = 500;
  private static final double GOAL_REFUSED = 0.02;

  private FirstMinute() {}

  /** Prints a table in Markdown. Exit code 1: the example missed its goal. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else an answer may take 40 ms
    List<Provider> providers = new ArrayList<>();
    List<Time.Task> threads = new ArrayList<>();
    for (String millis : args.length > 0 ? List.of(args) : List.of("1", "200")) {
      Duration latency = Duration.ofMillis(Long.parseLong(millis));
      Provider forExample = new Provider("README's example", latency);
      Provider forLoop = new Provider("plain retry loop", latency);
      providers.addAll(List.of(forExample, forLoop));
      threads.addAll(forExample.callers(example()));
      threads.addAll(forLoop.callers(retryLoop()));
    }
    TIME.sleep(Duration.ofMinutes(1));
    providers.forEach(Provider::close);
    threads.forEach(Time.Task::interrupt);

    System.out.println("| latency | client | done of 600 | sent | refused | gave up |");
    System.out.println("|---:|---|---:|---:|---:|---:|");
    providers.forEach(provider -> System.out.println(provider.row()));
    boolean met = true;
    for (int i = 0; i < providers.size(); i += 2) {
      met &= providers.get(i).meetsGoal();
    }
    System.out.println(met ? "\nThe example met its goal." : "\nThe example missed its goal.");
    System.exit(met ? 0 : 1);
  }

  /** Sends a request until it succeeds. */
  private interface Client {
    void send(HttpRequest request) throws IOException, InterruptedException;
  }

  /** What the README shows. */
  private static Client example() {
    Gate gate = Gate.over("billing", LaneOptions.learning());
    HttpClient http = HttpClient.newHttpClient();
    return request -> GatedClient.over(http, gate).send(request, BodyHandlers.ofString());
  }

  private static Client retryLoop() {
    HttpClient http = HttpClient.newHttpClient();
    return request -> {
      while (true) {
        var answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 429) {
          return;
        }
        TIME.sleep(Duration.ofSeconds(answer.headers().firstValueAsLong("Retry-After").orElse(1)));
      }
    };
  }

  /** A limiter with one client. It counts until it is closed. */
  private static final class Provider {
    private static final byte[] BODY = "[]".getBytes(StandardCharsets.UTF_8);

    private final String client;
    private final Duration latency;
    private final HttpServer server;
    private double tokens = BUCKET;
    private long countedAt = TIME.nanos();
    private int done;
    private int refused;
    private int gaveUp;
    private volatile boolean closed;

    Provider(String client, Duration latency) throws IOException {
      this.client = client;
      this.latency = latency;
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        boolean granted = take();
        TIME.sleep(latency);
        if (!granted) {
          exchange.getResponseHeaders().add("Retry-After", "1");
        }
        exchange.sendResponseHeaders(granted ? 200 : 429, BODY.length);
        exchange.getResponseBody().write(BODY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private synchronized boolean take() {
      long now = TIME.nanos();
      tokens = Math.min(BUCKET, tokens + (now - countedAt) * PER_SECOND / 1e9);
      countedAt = now;
      boolean granted = tokens >= 1;
      if (granted) {
        tokens--;
      }
      if (!closed) {
        done += granted ? 1 : 0;
        refused += granted ? 0 : 1;
      }
      return granted;
    }

    List<Time.Task> callers(Client client) {
      URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/bills");
      HttpRequest request = HttpRequest.newBuilder(address).build();
      List<Time.Task> callers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        callers.add(TIME.start("caller", () -> call(client, request)));
      }
      return callers;
    }

    private void call(Client client, HttpRequest request) {
      try {
        while (!closed) {
          try {
            client.send(request);
          } catch (RefusedException e) {
            gaveUp();
            TIME.sleep(Duration.ofSeconds(1));
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the minute is over
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException(e);
        }
      }
    }

    private synchronized void gaveUp() {
      gaveUp++;
    }

    synchronized void close() {
      closed = true;
    }

    synchronized boolean meetsGoal() {
      return done >= GOAL_DONE && refused <= GOAL_REFUSED * (done + refused);
    }

    synchronized String row() {
      int sent = done + refused;
      return String.format(
          Locale.ROOT,
          "| %d ms | %s | %d | %d | %d (%.1f %%) | %d |",
          latency.toMillis(),
          client,
          done,
          sent,
          refused,
          100.0 * refused / Math.max(1, sent),
          gaveUp);
    }
  }
}
