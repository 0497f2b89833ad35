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

  /**
   * Hands connections on to the server of the tests, until they are cut. Its end is the same socket
   * all the time, so that nobody else can take the port: a connection that is not wanted is closed
   * at once. What goes wrong here fails the callers, who are asked.
   */
  private static final class Cable implements AutoCloseable {
    private final String server;
    private final List<Socket> ends = new CopyOnWriteArrayList<>();
    private final ServerSocket listening;
    private volatile boolean connects = true;

    Cable(DatabaseAddress server) throws IOException {
      this.server = server.toString();
      this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Time.Task unused = Time.real().start("cable", this::accept);
    }

    DatabaseAddress address() {
      return DatabaseAddress.of(
          server.replaceFirst(":[0-9]+/", ":" + listening.getLocalPort() + "/"));
    }

    private void accept() {
      try {
        while (true) {
          Socket near = listening.accept();
          if (connects) {
            handOn(near);
          } else {
            near.close();
          }
        }
      } catch (IOException e) { // it was closed
        cut();
      }
    }

    private void handOn(Socket near) throws IOException {
      Socket far =
          new Socket(
              InetAddress.getLoopbackAddress(),
              Integer.parseInt(server.replaceFirst(".*:([0-9]+)/.*", "$1")));
      ends.add(near);
      ends.add(far);
      Time.Task unused = Time.real().start("there", () -> copy(near, far));
      unused = Time.real().start("back", () -> copy(far, near));
    }

    private static void copy(Socket from, Socket to) {
      try (from;
          to) {
        long unused = from.getInputStream().transferTo(to.getOutputStream());
      } catch (IOException e) { // one of them was closed, and now both are
        return;
      }
    }

    /** Connections can be made again. */
    void connect() {
      connects = true;
    }

    /** Those that there are go on, but no new one can be made. */
    void connectNoMore() {
      connects = false;
    }

    void cut() {
      connectNoMore();
      try {
        for (Socket each : ends) {
          each.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      cut();
      listening.close();
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
                  PostgresDialect.open(
                      cable.address(), PostgresServer.LOGIN, time, time::instant)) {
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
                  PostgresDialect.open(
                      cable.address(), PostgresServer.LOGIN, time, time::instant)) {
            for (int outage = 1; outage <= 3; outage++) {
              cable.cut();
              Time.Task repair =
                  time.start(
                      "repair",
                      () -> {
                        try {
                          time.sleep(Duration.ofSeconds(15));
                          cable.connect();
                        } catch (InterruptedException e) {
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

  @Test
  void a_caller_that_cannot_connect_gives_up_after_twenty_seconds_although_others_are_served() {
    SimulatedTime.run(
        1,
        time -> {
          DatabaseAddress server = PostgresServer.running().newStore();
          PostgresDialect.open(server, PostgresServer.LOGIN, time, time::instant).close();
          try (Cable cable = new Cable(server);
              Store store =
                  PostgresDialect.open(
                      cable.address(), PostgresServer.LOGIN, time, time::instant)) {
            cable.connectNoMore(); // so far it has only read
            Time.Task reader =
                time.start(
                    "reader",
                    () -> {
                      try {
                        for (int i = 0; i < 600; i++) {
                          Object unused = store.read(transaction -> transaction.now());
                          time.sleep(Duration.ofMillis(100));
                        }
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    });
            long began = time.nanos();
            StoreException failure =
                catchThrowableOfType(
                    StoreException.class, () -> store.write(transaction -> transaction.now()));
            Duration waited = Duration.ofNanos(time.nanos() - began);
            reader.join();
            assertThat(failure.problem()).isEqualTo(StoreException.Problem.UNREACHABLE);
            assertThat(waited).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(21));
          }
        });
  }
}
