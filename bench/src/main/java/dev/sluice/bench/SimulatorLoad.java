package dev.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much the simulated Dataverse environment bears over HTTP: {@code WhoAmI} per second, and
 * {@code CreateMultiple} of 100 rows per second, without limits and without service time. Client
 * and server share one process and all processors. The client is a bare one, plain sockets and
 * requests that were put together beforehand, so that it is mostly the server that is measured.
 * Beside each figure stands the processor time per request, client included, which other programs
 * on the machine disturb less.
 *
 * <p>Arguments: seconds per measurement (default 5, at most 60) and connections (default 16).
 */
public final class SimulatorLoad {
  private static final int ROWS = 100;
  private static final Duration WARM_UP = Duration.ofSeconds(3);

  private final Time time = Time.real();
  private final int connections;

  private SimulatorLoad(int connections) {
    this.connections = connections;
  }

  /** Measures, and prints two figures. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int seconds = args.length > 0 ? Math.clamp(Integer.parseInt(args[0]), 1, 60) : 5;
    int connections = args.length > 1 ? Math.clamp(Integer.parseInt(args[1]), 1, 1_000) : 16;
    new SimulatorLoad(connections).run(Duration.ofSeconds(seconds));
  }

  private void run(Duration duration) throws IOException, InterruptedException {
    Environment environment =
        new Environment(
            EnvironmentOptions.of(ApplicationUser.several(1, 1))
                .withFarm(FarmOptions.DEFAULTS.withProtection(ProtectionOptions.UNLIMITED))
                .withTimes(ServiceTimes.NONE),
            time,
            1);
    String token = environment.token(0);
    try (LoopbackServer server = LoopbackServer.start(0, environment, time)) {
      byte[] who = request("GET", "WhoAmI", token, "");
      byte[] create =
          request("POST", "accounts/Microsoft.Dynamics.CRM.CreateMultiple", token, rows());
      print("WhoAmI", measure(server.port(), who, duration), 5_000);
      print("CreateMultiple of 100 rows", measure(server.port(), create, duration), 1_000);
      System.out.printf(
          Locale.ROOT, "rows stored: %,d%n", environment.counters().rows().get("account"));
    }
  }

  private record Rate(double perSecond, double microsEach) {}

  private static void print(String what, Rate rate, int wanted) {
    System.out.printf(
        Locale.ROOT,
        "%-28s %,10.0f per second (wanted: %,d), %,.0f µs of processor time each%n",
        what,
        rate.perSecond(),
        wanted,
        rate.microsEach());
  }

  private static String rows() {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          ("{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\",\"name\":\"Account %1$d\","
                  + "\"emailaddress1\":\"account%1$d@example.com\",\"numberofemployees\":%1$d,"
                  + "\"revenue\":%1$d.50,\"creditonhold\":false,\"accountcategorycode\":1}")
              .formatted(i));
    }
    return "{\"Targets\":[" + String.join(",", rows) + "]}";
  }

  private static byte[] request(String method, String path, String token, String body) {
    return String.join(
            "\r\n",
            method + " /api/data/v9.2/" + path + " HTTP/1.1",
            "Host: localhost",
            "Authorization: Bearer " + token,
            "Accept: application/json",
            "OData-Version: 4.0",
            "OData-MaxVersion: 4.0",
            "Content-Type: application/json",
            "Content-Length: " + body.length(),
            "",
            body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Answers per second, after a warm-up that is not counted. */
  private Rate measure(int port, byte[] request, Duration duration) throws InterruptedException {
    LongAdder answers = new LongAdder();
    long start = time.deadline(WARM_UP);
    long end = Time.after(start, duration);
    List<Time.Task> tasks = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      tasks.add(time.start("client " + i, () -> press(port, request, start, end, answers)));
    }
    time.sleepUntil(start);
    long before = processorTime();
    for (Time.Task task : tasks) {
      task.join();
    }
    double spent = processorTime() - before;
    return new Rate(
        answers.sum() / (duration.toNanos() / 1e9), spent / 1e3 / Math.max(1, answers.sum()));
  }

  private static long processorTime() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private void press(int port, byte[] request, long start, long end, LongAdder answers) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream(), 16_384);
      while (time.nanos() - end < 0) {
        out.write(request);
        out.flush();
        receive(in);
        long now = time.nanos();
        if (now - start >= 0 && now - end < 0) {
          answers.increment();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads an answer to its end; anything but success is an error here. */
  private static void receive(InputStream in) throws IOException {
    int length = 0;
    String status = line(in);
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.regionMatches(true, 0, "Content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    in.skipNBytes(length);
    if (!status.startsWith("HTTP/1.1 20")) {
      throw new IOException("unexpected answer: " + status);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("the connection broke");
      }
      if (each != '\r') {
        line.append((char) each);
      }
    }
    return line.toString();
  }
}
