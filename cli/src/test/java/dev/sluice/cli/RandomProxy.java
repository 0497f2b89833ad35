package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.gate.time.Time;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A gateway on loopback that does to some requests, at random, what gateways do: it answers in the
 * service's place, drops, delays, redirects, and garbles what comes back. Once in a while it does
 * so to many in a row, as one does that asks for a login. Thread-safe.
 */
final class RandomProxy implements AutoCloseable {
  /** What happens to a request. */
  enum Fate {
    FORWARDED,
    ANSWERED,
    DROPPED_BEFORE,
    DROPPED_AFTER,
    DROPPED_AND_FORWARDED_LATE,
    DELAYED,
    NEVER_ANSWERED,
    NOT_HTTP,
    CUT,
    TOO_LONG_A_LENGTH,
    TOO_SHORT_A_LENGTH,
    NOT_THE_GZIP_IT_SAYS
  }

  private static final Fate[] FATES = Fate.values();
  private static final int FAULTS_IN_10_000_WRITES = 1_000;
  private static final int FAULTS_IN_10_000_QUESTIONS = 300;
  private static final int LOGINS_IN_10_000_WRITES = 40;
  private static final int ANSWERED_BY_A_LOGIN = 12;

  /** Status, type, body, and a header more if there is one. */
  private static final String[][] ANSWERS = {
    {"200 OK", "application/json", "{}"},
    {"200 OK", "application/json", "{\"Ids\":[]}"},
    {"200 OK", "application/json", "{\"value\":[]}"},
    {"200 OK", "application/json", "{\"Ids\":[\"0000"},
    {"200 OK", "text/html", "<h1>Welcome</h1>"},
    {"202 Accepted", "text/plain", ""},
    {"204 No Content", "", ""},
    {"302 Found", "text/html", "", "Location: http://127.0.0.1:1/login"},
    {"304 Not Modified", "", ""},
    {"307 Temporary Redirect", "text/html", "", "Location: http://127.0.0.1:1/portal"},
    {"400 Bad Request", "text/html", "<h1>Bad Request</h1>"},
    {"403 Forbidden", "application/json", "{\"error\":{\"code\":\"blocked\",\"message\":\"no\"}}"},
    {"404 Not Found", "text/html", "<h1>Not Found</h1>"},
    {
      "407 Proxy Authentication Required",
      "text/html",
      "<h1>Log in</h1>",
      "Proxy-Authenticate: Basic realm=\"proxy\""
    },
    {"413 Payload Too Large", "text/html", "<h1>Too large</h1>"},
    {"500 Internal Server Error", "application/json", "{\"error\":\"oops\"}"},
    {"502 Bad Gateway", "text/html", "<h1>Bad Gateway</h1>"},
    {"503 Service Unavailable", "text/html", "<h1>Unavailable</h1>"},
    {"504 Gateway Timeout", "text/html", "<h1>Gateway Timeout</h1>"}
  };

  private final URI target;
  private final Time time;
  private final SplittableRandom chance;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Map<Fate, Integer> happened = new TreeMap<>();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger underWay = new AtomicInteger();
  private int logins;

  private RandomProxy(URI target, long seed, Time time) throws IOException {
    this.target = target;
    this.time = time;
    this.chance = new SplittableRandom(seed);
    this.server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
  }

  /** Listens in front of a service, on a port of its own. */
  static RandomProxy start(URI target, long seed, Time time) throws IOException {
    RandomProxy proxy = new RandomProxy(target, seed, time);
    Time.Task unused = time.start("proxy", proxy::listen);
    return proxy;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** How many writes have come. */
  int writes() {
    return writes.get();
  }

  /** Whether nothing that came is still to be forwarded or answered. */
  boolean isIdle() {
    return underWay.get() == 0;
  }

  /** What happened to how many requests. */
  synchronized Map<Fate, Integer> happened() {
    return new TreeMap<>(happened);
  }

  private void listen() {
    try {
      while (true) {
        Socket client = server.accept();
        open.add(client);
        Time.Task unused = time.start("connection", () -> serve(client));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      boolean goesOn = true;
      while (goesOn) {
        Message request = Message.read(in);
        if (request == null) {
          return;
        }
        underWay.incrementAndGet();
        try {
          goesOn = exchange(request, client.getOutputStream());
        } finally {
          underWay.decrementAndGet();
        }
      }
    } catch (IOException | InterruptedException e) {
      // the client is gone, or the test is over
    } finally {
      open.remove(client);
    }
  }

  /** Returns whether the connection can be used again. */
  private boolean exchange(Message request, OutputStream client)
      throws IOException, InterruptedException {
    boolean write = request.isWrite();
    if (write) {
      writes.incrementAndGet();
    }
    Fate fate = fate(write);
    switch (fate) {
      case ANSWERED -> {
        send(client, ownAnswer(ANSWERS[random(ANSWERS.length)]));
      }
      case DROPPED_BEFORE -> {
        return false;
      }
      case DROPPED_AFTER -> {
        Message unused = forward(request);
        return false;
      }
      case DROPPED_AND_FORWARDED_LATE -> {
        underWay.incrementAndGet();
        Time.Task unused =
            time.start(
                "late",
                () -> {
                  try {
                    time.sleep(Duration.ofMillis(random(1_500)));
                    Message ignored = forward(request);
                  } catch (IOException | InterruptedException e) {
                    // nobody waits for it
                  } finally {
                    underWay.decrementAndGet();
                  }
                });
        return false;
      }
      case DELAYED -> {
        time.sleep(Duration.ofMillis(random(300)));
        send(client, forward(request).bytes());
      }
      case NEVER_ANSWERED -> {
        Message unused = forward(request);
        time.sleep(Duration.ofSeconds(2));
        return false;
      }
      case NOT_HTTP -> {
        send(client, "\u0016\u0003\u0001 what?\r\n".getBytes(UTF_8));
        return false;
      }
      case CUT -> {
        Message answer = forward(request);
        send(
            client,
            answer.with(Arrays.copyOf(answer.body, random(answer.body.length + 1))).bytes());
      }
      case TOO_LONG_A_LENGTH -> {
        Message answer = forward(request);
        send(client, answer.withLength(answer.body.length + 1 + random(100)).bytes());
        return false;
      }
      case TOO_SHORT_A_LENGTH -> {
        Message answer = forward(request);
        send(client, answer.withLength(random(answer.body.length + 1)).bytes());
        return false;
      }
      case NOT_THE_GZIP_IT_SAYS -> {
        Message answer = forward(request);
        byte[] body = answer.body.length == 0 ? "gzip?".getBytes(UTF_8) : answer.body;
        send(client, answer.with(body).withHeader("Content-Encoding: gzip").bytes());
      }
      case FORWARDED -> send(client, forward(request).bytes());
    }
    return true;
  }

  private synchronized Fate fate(boolean write) {
    Fate fate = Fate.FORWARDED;
    int drawn = chance.nextInt(10_000);
    if (write && drawn < LOGINS_IN_10_000_WRITES) {
      logins = ANSWERED_BY_A_LOGIN;
    }
    if (write && logins > 0) {
      logins--;
      fate = Fate.ANSWERED;
    } else if (drawn < (write ? FAULTS_IN_10_000_WRITES : FAULTS_IN_10_000_QUESTIONS)) {
      fate = FATES[chance.nextInt(FATES.length)];
    }
    happened.merge(fate, 1, Integer::sum);
    return fate;
  }

  private synchronized int random(int bound) {
    return chance.nextInt(bound);
  }

  private static byte[] ownAnswer(String[] answer) {
    List<String> head = new ArrayList<>(List.of("HTTP/1.1 " + answer[0], "Server: proxy/1.0"));
    if (!answer[1].isEmpty()) {
      head.add("Content-Type: " + answer[1]);
    }
    if (answer.length > 3) {
      head.add(answer[3]);
    }
    return new Message(head, answer[2].getBytes(UTF_8)).bytes();
  }

  private static void send(OutputStream client, byte[] bytes) throws IOException {
    client.write(bytes);
    client.flush();
  }

  /** The service's answer to a request, on a connection of its own. */
  private Message forward(Message request) throws IOException {
    try (Socket upstream = new Socket(target.getHost(), target.getPort())) {
      upstream.setTcpNoDelay(true);
      send(upstream.getOutputStream(), request.withHeader("Connection: close").bytes());
      Message answer = Message.read(new BufferedInputStream(upstream.getInputStream()));
      if (answer == null) {
        throw new IOException("the service dropped the connection");
      }
      return answer;
    }
  }

  /** A request or an answer. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Message(List<String> head, byte[] body) {

    /** Null if nothing more comes. */
    static @Nullable Message read(InputStream in) throws IOException {
      List<String> head = new ArrayList<>();
      int length = 0;
      for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
        String small = line.toLowerCase(Locale.ROOT);
        if (small.startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(15).strip());
        } else if (!small.startsWith("connection:")) {
          head.add(line);
        }
      }
      return head.isEmpty() ? null : new Message(head, in.readNBytes(length));
    }

    private static @Nullable String line(InputStream in) throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          return null;
        }
        line.write(next);
      }
      return line.toString(ISO_8859_1).stripTrailing();
    }

    boolean isWrite() {
      return !head.getFirst().startsWith("GET ") && head.getFirst().contains(" /api/data/");
    }

    Message with(byte[] other) {
      return new Message(head, other);
    }

    Message withHeader(String line) {
      List<String> more = new ArrayList<>(head);
      more.add(line);
      return new Message(more, body);
    }

    /** As it goes over the wire, with another length than the body has. */
    Message withLength(int length) {
      return withHeader("Content-Length: " + length);
    }

    byte[] bytes() {
      List<String> lines = new ArrayList<>(head);
      boolean bodiless = head.getFirst().matches("HTTP/1.1 (204|304) .*");
      if (!bodiless && head.stream().noneMatch(line -> line.startsWith("Content-Length:"))) {
        lines.add("Content-Length: " + body.length);
      }
      byte[] start = (String.join("\r\n", lines) + "\r\n\r\n").getBytes(ISO_8859_1);
      byte[] all = Arrays.copyOf(start, start.length + (bodiless ? 0 : body.length));
      System.arraycopy(body, 0, all, start.length, all.length - start.length);
      return all;
    }
  }

  /** Stops listening, and breaks what is under way. */
  @Override
  public void close() throws IOException {
    server.close();
    for (Socket client : open) {
      client.close();
    }
  }
}
