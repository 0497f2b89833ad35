package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Counters;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.Facet;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Service;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/**
 * A simulated environment on loopback and a client that uses its three application users, app1 to
 * app3, over HTTP. Nothing is pretended: a user is throttled because another process, which sends
 * as the same user, has spent what service protection allows it. What the simulator wrote down is
 * the truth.
 */
final class ThreeUsers implements AutoCloseable {
  /** Nothing takes long. */
  static final EnvironmentOptions QUICK = Worlds.FREE.withTimes(ServiceTimes.TYPICAL.times(0.1));

  private static final Duration LONG = Duration.ofSeconds(30);

  final Environment environment;
  final DataverseClient client;
  final List<GateEvent> events = new CopyOnWriteArrayList<>();

  private final Time time = Time.real();
  private final List<Runnable> opened = new ArrayList<>();
  private final HttpTransport outside;
  private final URI address;

  private ThreeUsers(
      EnvironmentOptions options,
      UnaryOperator<Service> door,
      UnaryOperator<DataverseOptions> settings)
      throws IOException, InterruptedException {
    environment = new Environment(options, time, 1);
    LoopbackServer server = LoopbackServer.start(0, door.apply(environment), time);
    opened.add(server::close);
    address = server.address();
    outside = new HttpTransport(LONG, time);
    opened.add(outside::close);
    List<Identity> identities =
        Worlds.USERS.stream()
            .map(user -> new Identity(user.name(), Worlds.credential(user)))
            .toList();
    client =
        DataverseClient.connect(
            settings.apply(
                DataverseOptions.of(address, identities)
                    .withAuthority(address)
                    .withPool(ConnectionPoolOptions.DEFAULTS.withThrottleBuffer(Duration.ZERO))));
    opened.add(client::close);
    client.gate().addListener(events::add);
    assertThat(client.table("account").bulk()).isNotEmpty();
  }

  static ThreeUsers connect() throws IOException, InterruptedException {
    return connect(settings -> settings);
  }

  static ThreeUsers connect(UnaryOperator<DataverseOptions> settings)
      throws IOException, InterruptedException {
    return connect(QUICK, settings);
  }

  static ThreeUsers connect(EnvironmentOptions options, UnaryOperator<DataverseOptions> settings)
      throws IOException, InterruptedException {
    return new ThreeUsers(options, environment -> environment, settings);
  }

  /** The same behind something that all requests and answers pass. */
  static ThreeUsers connectThrough(
      UnaryOperator<Service> door, UnaryOperator<DataverseOptions> settings)
      throws IOException, InterruptedException {
    return new ThreeUsers(QUICK, door, settings);
  }

  /** Limits within which all users work for a while, and whose refusals tell exactly this wait. */
  static ProtectionOptions telling(Duration retryAfter) {
    return ProtectionOptions.DOCUMENTED.withRequests(20).withWaits(retryAfter, retryAfter);
  }

  /** From now on whatever is not told to wait already gets through. */
  void free() {
    environment.limit(ProtectionOptions.UNLIMITED);
  }

  /** From now on nothing gets through, and everybody is told this wait. */
  void shut(Duration retryAfter) {
    environment.limit(telling(retryAfter).withRequests(0));
  }

  /** Once every one of the three users was refused; the waits that they were told stay told. */
  void onceAllAreRefused(Runnable action) {
    AtomicBoolean done = new AtomicBoolean();
    onThrottle(
        unused -> {
          if (names().stream().allMatch(user -> refused(user) > 0)
              && done.compareAndSet(false, true)) {
            action.run();
          }
        });
  }

  /** After each throttle that the client heard of, before it goes on: how many there were. */
  void onThrottle(IntConsumer action) {
    client
        .gate()
        .addListener(
            event -> {
              if (event instanceof GateEvent.Throttled) {
                action.accept(throttles().size());
              }
            });
  }

  /** Another process spends all requests of a user: its next one is refused, whoever sends it. */
  void spend(String user) throws IOException, InterruptedException {
    WebAnswer answer;
    do {
      answer = sendAs(user, "WhoAmI");
      assertThat(answer.succeeded()).as("%s of %s", answer, user).isTrue();
    } while (!answer
        .headers()
        .firstValue("x-ms-ratelimit-burst-remaining-xrm-requests")
        .orElse("")
        .equals("0"));
  }

  private WebAnswer sendAs(String user, String resource) throws IOException, InterruptedException {
    String token = environment.token(names().indexOf(user));
    return get("/api/data/v9.2/" + resource, "Authorization", "Bearer " + token);
  }

  private WebAnswer get(String path, String... headers) throws IOException, InterruptedException {
    return outside.send(
        new WebRequest("GET", URI.create(address + path), List.of(headers), new byte[0], LONG));
  }

  /** Asks the simulator for its counters, again and again, until something is so. */
  void until(BooleanSupplier condition) throws IOException, InterruptedException {
    long deadline = time.deadline(LONG);
    while (!condition.getAsBoolean()) {
      assertBefore(deadline);
      assertThat(get("/simulator/counters").succeeded()).isTrue();
    }
  }

  /** Creates records by a bulk message each, one after the other. */
  void write(int messages) throws IOException, InterruptedException {
    for (int i = 0; i < messages; i++) {
      BulkResult result = client.createMultiple("account", List.of(Map.of("name", "row " + i)));
      assertThat(result.succeeded()).as("%s", result).isTrue();
    }
  }

  /** The same until something is so. */
  void writeUntil(BooleanSupplier condition) throws IOException, InterruptedException {
    long deadline = time.deadline(LONG);
    while (!condition.getAsBoolean()) {
      assertBefore(deadline);
      write(1);
    }
  }

  private void assertBefore(long deadline) {
    assertThat(time.nanos())
        .as("it never came so: %s", environment.counters())
        .isLessThan(deadline);
  }

  /** Writes until these users have been refused: three messages in a row go to three users. */
  void writeUntilRefused(String... users) throws IOException, InterruptedException {
    write(3);
    for (String user : users) {
      assertThat(refused(user)).as("requests of %s that were refused", user).isPositive();
    }
  }

  static List<String> names() {
    return Worlds.USERS.stream().map(ApplicationUser::name).toList();
  }

  /** What the client heard of throttles. */
  List<GateEvent.Throttled> throttles() {
    return events.stream()
        .filter(GateEvent.Throttled.class::isInstance)
        .map(GateEvent.Throttled.class::cast)
        .toList();
  }

  Counters.OfUser counters(String user) {
    return environment.counters().users().get(names().indexOf(user));
  }

  /** How many requests of a user the simulator has refused. */
  long refused(String user) {
    return counters(user).rejected().values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many requests the simulator has refused for that reason. */
  long refused(Facet facet) {
    return environment.counters().users().stream()
        .mapToLong(user -> user.rejected().getOrDefault(facet, 0L))
        .sum();
  }

  /** How many requests the simulator has refused. */
  long refused() {
    return names().stream().mapToLong(this::refused).sum();
  }

  /** How many requests came while their sender was told to wait and could have known. */
  long pressed() {
    return environment.counters().users().stream().mapToLong(Counters.OfUser::pressed).sum();
  }

  /** What the client sent to change rows, in the order in which it came. */
  List<RequestRecord> writes() {
    return environment.requests(Integer.MAX_VALUE).stream()
        .filter(request -> request.operation().writes())
        .sorted(Comparator.comparingLong(RequestRecord::arrived))
        .toList();
  }

  /** How long after one request another came. */
  static Duration between(RequestRecord first, RequestRecord second) {
    return Duration.ofNanos(second.arrived() - first.arrived());
  }

  @Override
  public void close() {
    for (Runnable each : opened.reversed()) {
      each.run();
    }
  }
}
