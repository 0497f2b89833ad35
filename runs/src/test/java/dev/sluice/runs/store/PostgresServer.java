package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * A PostgreSQL server of the tests' own: unpacked from a library, on a free port of this machine
 * alone, with its files in a temporary folder. It is started by the first test that needs it, and
 * ends and cleans up with the tests' process, even if that is killed.
 */
public final class PostgresServer {
  /** Its administrator. */
  public static final Login LOGIN = new Login("keeper", "a secret of tests");

  /** What the server would be run as is not allowed to be root. */
  private static final int NOBODY = 65534;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Ends when its input does, which is when the process that started it is gone; restarts with
   * every line of it, after so many seconds. Nothing has to survive a power cut. Commits are
   * asynchronous unless somebody insists.
   */
  private static final String SERVE =
      """
      trap '' INT TERM HUP
      serve() {
        "$1/bin/postgres" -D "$2/data" -p "$3" -c listen_addresses=127.0.0.1 \
          -c unix_socket_directories= -c fsync=off -c synchronous_commit=off \
          -c shared_buffers=16MB -c max_connections=60 -c timezone=UTC </dev/null >>"$2/log" 2>&1 &
        server=$!
      }
      serve "$@"
      while read -r seconds; do
        kill -INT $server
        wait $server
        sleep "$seconds"
        serve "$@"
      done
      kill -INT $server
      wait $server
      rm -rf "$2"
      """;

  private static final String INITIALIZE =
      """
      printf '%s' "$4" >"$2/password"
      "$1/bin/initdb" -D "$2/data" -U "$3" --pwfile="$2/password" --auth=scram-sha-256 -E UTF8 \
        --locale=C --locale-provider=icu --icu-locale=en --no-sync
      """;

  /** Started when it is first asked for; a failure is told to everybody who asks. */
  private static final class Shared {
    private static final PostgresServer SERVER = start();
  }

  private final int port;
  private final Process process;
  private final Path folder;
  private final AtomicInteger stores = new AtomicInteger();

  private PostgresServer(int port, Process process, Path folder) {
    this.port = port;
    this.process = process;
    this.folder = folder;
  }

  /** The one that all tests of a process share. */
  public static PostgresServer running() {
    return Shared.SERVER;
  }

  /** Its address for drivers. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port);
  }

  /** The address of a store that does not exist yet. */
  DatabaseAddress newStore() {
    return address("store" + stores.incrementAndGet());
  }

  DatabaseAddress address(String schema) {
    return DatabaseAddress.of(
        "postgresql://127.0.0.1:%d/postgres?currentSchema=%s".formatted(port, schema));
  }

  /** A connection past the store, by its administrator. */
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), LOGIN.user(), LOGIN.password());
  }

  private static PostgresServer start() {
    try {
      Path folder = Files.createTempDirectory("sluice-postgres");
      boolean root = Files.getAttribute(folder, "unix:uid").equals(0);
      if (root) {
        Files.setAttribute(folder, "unix:uid", NOBODY);
      }
      try {
        return start(folder, root);
      } catch (IOException | IllegalStateException e) {
        run(command(root, "rm -rf \"$1\"", folder), null, folder);
        throw e;
      }
    } catch (IOException e) {
      throw new IllegalStateException(remedy(e.toString()), e);
    }
  }

  private static PostgresServer start(Path folder, boolean root) throws IOException {
    Path program = program(folder, root);
    String user = LOGIN.user();
    run(command(root, INITIALIZE, program, folder, user, LOGIN.password()), null, folder);
    int port = freePort();
    Process process =
        new ProcessBuilder(command(root, SERVE, program, folder, Integer.toString(port)))
            .redirectErrorStream(true)
            .start();
    PostgresServer server = new PostgresServer(port, process, folder);
    server.awaitReady();
    return server;
  }

  /** Shuts the server down, and starts it again so long afterwards; does not wait for either. */
  public void restart(Duration down) throws IOException {
    OutputStream orders = process.getOutputStream();
    orders.write("%d%n".formatted(down.toSeconds()).getBytes(Charset.defaultCharset()));
    orders.flush();
  }

  /** Where the server's programs are: an installed one's, or those of the library. */
  private static Path program(Path folder, boolean root) throws IOException {
    String installed = System.getProperty("sluice.postgres", "");
    if (!installed.isEmpty()) {
      return Path.of(installed);
    }
    String machine = System.getProperty("os.arch").matches("aarch64|arm64") ? "arm_64" : "x86_64";
    boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    String name = "/postgres-%s-%s.txz".formatted(mac ? "darwin" : "linux", machine);
    try (InputStream packed = PostgresServer.class.getResourceAsStream(name)) {
      if (packed == null) {
        throw new IllegalStateException(remedy("no library has " + name));
      }
      run(command(root, "tar -x -f - -C \"$1\"", folder), new XZInputStream(packed), folder);
    }
    return folder;
  }

  /** A command of the shell, by a user that a server may be run as. */
  private static List<String> command(boolean root, String script, Object... arguments) {
    List<String> command = new ArrayList<>();
    if (root) {
      String nobody = Integer.toString(NOBODY);
      command.addAll(List.of("setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups"));
    }
    command.addAll(List.of("/bin/sh", "-c", script, "sh"));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return command;
  }

  private static void run(List<String> command, @Nullable InputStream input, Path folder)
      throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    try (OutputStream into = process.getOutputStream()) {
      if (input != null) {
        input.transferTo(into);
      }
    }
    String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(remedy(said));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Waits until it can be used. */
  public void awaitReady() throws IOException {
    Time time = Time.real();
    long end = time.deadline(PATIENCE);
    while (true) {
      try {
        connect().close();
        return;
      } catch (SQLException e) {
        if (end - time.nanos() < 0 || !process.isAlive()) {
          throw new IllegalStateException(remedy(Files.readString(folder.resolve("log"))), e);
        }
      }
      try {
        time.sleep(Duration.ofMillis(20));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static String remedy(String why) {
    return "the PostgreSQL server of the tests could not be started: "
        + why.strip()
        + "\n"
        + "It needs /bin/sh and tar, a user that the system knows by name, and for root setpriv (of"
        + " util-linux) and a temporary folder that everybody may enter. Where its programs do not"
        + " run, install PostgreSQL 15 or later, and name the folder that its bin/ is in:"
        + " -Dsluice.postgres=/usr/lib/postgresql/18";
  }
}
