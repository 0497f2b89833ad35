package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several callers of a store whose server cannot be reached for a while, in simulated time. */
@Timeout(60)
class PostgresOutageTest {
  private static final int CALLERS = 8;

  /** Hands connections on to the server of the tests, until they are cut. */
  private static final class Cable implements AutoCloseable {
    private final String server;
    private final List<Socket> ends = new CopyOnWriteArrayList<>();
    private final int port;
    private @Nullable ServerSocket listening;

    Cable(DatabaseAddress server) throws IOException {
      this.server = server.toString();
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        this.port = free.getLocalPort();
      }
      connect();
    }

    DatabaseAddress address() {
      return DatabaseAddress.of(server.replaceFirst(":[0-9]+/", ":" + port + "/"));
    }

    void connect() throws IOException {
      ServerSocket socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
      listening = socket;
      Time.Task unused = Time.real().start("cable", () -> accept(socket));
    }

    private void accept(ServerSocket socket) {
      try {
        while (true) {
          Socket near = socket.accept();
          Socket far =
              new Socket(
                  InetAddress.getLoopbackAddress(),
                  Integer.parseInt(server.replaceFirst(".*:([0-9]+)/.*", "$1")));
          ends.add(near);
          ends.add(far);
          Time.Task unused = Time.real().start("there", () -> copy(near, far));
          unused = Time.real().start("back", () -> copy(far, near));
        }
      } catch (IOException e) {
        assertThat(socket.isClosed()).isTrue();
      }
    }

    private static void copy(Socket from, Socket to) {
      try (from;
          to) {
        long unused = from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException e) {
        assertThat(from.isClosed() || to.isClosed()).isTrue();
      }
    }

    void cut() {
      try {
        if (listening != null) {
          listening.close();
        }
        for (Socket each : ends) {
          each.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      cut();
    }
  }

  /** What several callers meet who write and read at the same time, and how long that takes. */
  private record Met(List<@Nullable StoreException> failures, Duration longest) {}

  private static Met call(Store store, Time time) throws InterruptedException {
    List<Time.Task> callers = new ArrayList<>();
    List<@Nullable StoreException> failures = new ArrayList<>();
    long began = time.nanos();
    for (int i = 0; i < CALLERS; i++) {
      boolean writes = i % 2 == 0;
      callers.add(
          time.start(
              "caller " + i,
              () -> {
                Work<?> work = transaction -> transaction.now();
                failures.add(
                    catchThrowableOfType(
                        StoreException.class,
                        () -> {
                          Object unused = writes ? store.write(work) : store.read(work);
                        }));
              }));
    }
    for (Time.Task caller : callers) {
      caller.join();
    }
    return new Met(failures, Duration.ofNanos(time.nanos() - began));
  }

  @Test
  void callers_of_a_server_that_stays_away_wait_together_for_twenty_seconds() {
    SimulatedTime.run(
        1,
        time -> {
          try (Cable cable = new Cable(PostgresServer.running().newStore());
              Store store =
                  PostgresStore.open(cable.address(), PostgresServer.LOGIN, time, time::instant)) {
            assertThat(call(store, time).longest).isZero();
            cable.cut();
            Met away = call(store, time);
            assertThat(away.failures)
                .hasSize(CALLERS)
                .allMatch(
                    each -> each != null && each.problem() == StoreException.Problem.UNREACHABLE);
            assertThat(away.longest).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(21));
            assertThat(call(store, time).longest).as("the same outage").isZero();
          }
        });
  }

  @Test
  void callers_of_a_server_that_comes_back_go_on_together() {
    SimulatedTime.run(
        1,
        time -> {
          try (Cable cable = new Cable(PostgresServer.running().newStore());
              Store store =
                  PostgresStore.open(cable.address(), PostgresServer.LOGIN, time, time::instant)) {
            for (int outage = 1; outage <= 3; outage++) {
              cable.cut();
              Time.Task repair =
                  time.start(
                      "repair",
                      () -> {
                        try {
                          time.sleep(Duration.ofSeconds(15));
                          cable.connect();
                        } catch (IOException | InterruptedException e) {
                          throw new IllegalStateException(e);
                        }
                      });
              Met away = call(store, time);
              repair.join();
              assertThat(away.failures).hasSize(CALLERS).containsOnlyNulls();
              assertThat(away.longest).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(16));
            }
          }
        });
  }
}
