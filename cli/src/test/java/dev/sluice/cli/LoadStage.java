package dev.sluice.cli;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code sluice load} is tried: a folder with a configuration, and a simulated environment on
 * loopback that it leads to. What is sent there is kept, and can be answered by somebody else.
 */
public final class LoadStage implements AutoCloseable {
  private final Path folder;
  private final ApplicationUser user = ApplicationUser.several(1, 1).getFirst();
  private final Environment environment;
  private final LoopbackServer server;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();
  private volatile Function<Request, @Nullable Reply> instead = request -> null;

  /** An environment that answers at once. */
  public LoadStage(Path folder) throws IOException {
    this(folder, ServiceTimes.NONE);
  }

  LoadStage(Path folder, ServiceTimes times) throws IOException {
    Time time = Time.real();
    this.folder = folder;
    this.environment =
        new Environment(EnvironmentOptions.of(List.of(user)).withTimes(times), time, 1);
    this.server = LoopbackServer.start(0, this::answer, time);
    configure(server.address(), user.secret());
  }

  private Reply answer(Request request) throws InterruptedException {
    requests.add(request);
    Reply other = instead.apply(request);
    if (other != null) {
      return other;
    }
    if (!changes(request)) {
      return environment.answer(request);
    }
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    try {
      return environment.answer(request);
    } finally {
      atOnce.decrementAndGet();
    }
  }

  /** Leads the configuration elsewhere, or lets it sign in otherwise. */
  public void configure(URI address, String secret) throws IOException {
    Files.writeString(folder.resolve("app1.secret"), secret);
    Files.writeString(
        folder.resolve("sluice.yaml"),
        """
        dataverse:
          environment: %1$s
          authority: %1$s
          tenant: %2$s
          identities:
            - {name: app1, clientId: %3$s, secretFile: app1.secret}
        """
            .formatted(address, EnvironmentOptions.TENANT, user.clientId()));
  }

  public URI address() {
    return server.address();
  }

  public String tenant() {
    return EnvironmentOptions.TENANT.toString();
  }

  public String clientId() {
    return user.clientId().toString();
  }

  String secret() {
    return user.secret();
  }

  /** Lets requests be answered by this, unless it gives back null. */
  public void answerWith(Function<Request, @Nullable Reply> other) {
    instead = other;
  }

  /** A file with these lines. */
  Path file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), Arrays.asList(lines));
  }

  /** Runs {@code sluice load} with this configuration. */
  public Ran load(Object... arguments) {
    List<String> all = new ArrayList<>(List.of("load"));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    all.addAll(List.of("--config", folder.resolve("sluice.yaml").toString()));
    return Ran.of(all.toArray(String[]::new));
  }

  /** What the environment holds. */
  public List<Map<String, @Nullable Object>> rows(String table) {
    return environment.rows(table);
  }

  /** All values of a column, in the order of the letters. */
  public List<String> values(String table, String column) {
    return rows(table).stream().map(row -> String.valueOf(row.get(column))).sorted().toList();
  }

  public Environment environment() {
    return environment;
  }

  /** The most requests to change rows that were there at the same time. */
  int mostAtOnce() {
    return mostAtOnce.get();
  }

  /** What was sent to change rows, in the order in which it came. */
  public List<Request> changes() {
    return requests.stream().filter(LoadStage::changes).toList();
  }

  /** Whether a request changes rows: nothing else is posted, patched or deleted there. */
  public static boolean changes(Request request) {
    return !request.method().equals("GET") && request.path().startsWith("/api/data/");
  }

  @Override
  public void close() {
    server.close();
  }
}
