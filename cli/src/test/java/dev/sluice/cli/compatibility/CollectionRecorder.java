package dev.sluice.cli.compatibility;

import dev.sluice.cli.Ran;
import dev.sluice.runs.store.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Records a collection that is killed: one run has ended before the end of the list, so that a rest
 * and details are missing; another one was killed while it read the list's third page. Of one item
 * the details are gone, of another they are refused.
 */
final class CollectionRecorder {
  private static final int REFUSED = 3;

  private final Path folder;

  CollectionRecorder(Path folder) {
    this.folder = folder;
  }

  /** With the state in a file, and records in files. */
  void recordFiles() throws Exception {
    try (Shop shop = new Shop()) {
      copy(shop, folder);
      String other = folder.resolve("other.yaml").toString();
      shop.limit(5);
      require(Ran.of("collect", other), 0);
      shop.limit(Integer.MAX_VALUE);
      kill(shop, "mine.yaml");
      Path state = folder.resolve(".sluice/state.db");
      try (Connection connection = Stored.sqlite(state)) {
        forgetHolder(connection);
      }
      Stored.change(state, (table, text) -> Stored.recorded(text, shop.host(), folder));
      Path to = Golden.file("collection/sqlite");
      save(state, to.resolve("state.db"));
      try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          if (file.toString().endsWith(".part")) {
            // A slice that was not committed yet, as far as it had come to the disk.
            Files.writeString(file, "{\"id\":4", StandardOpenOption.APPEND);
          }
          save(file, to.resolve(folder.relativize(file).toString()));
        }
      }
    }
  }

  /** With the state and the records in one database. */
  void recordDatabase() throws Exception {
    Postgres database = new Postgres("recorded");
    try (Shop shop = new Shop()) {
      copy(shop, folder);
      kill(shop, "tables.yaml", "--state", database.address());
      try (Connection connection = database.connect()) {
        forgetHolder(connection);
      }
      String text = Stored.recorded(database.text(), shop.host(), folder);
      Files.writeString(Golden.file("collection/postgresql.sql"), text);
    }
  }

  private static void forgetHolder(Connection connection) throws SQLException {
    Stored.update(connection, "update lease set holder = ?", Stored.HOLDER);
    Stored.update(connection, "update lane_user set process = ?", Stored.HOLDER);
  }

  private void kill(Shop shop, String file, String... more) throws Exception {
    shop.refuse(REFUSED);
    Process first = process(file, more, "--max-requests", "8");
    if (first.waitFor() != 6) {
      throw new IllegalStateException("it ended with " + first.exitValue());
    }
    shop.stall(request -> request.startsWith("/items?") && request.contains("cursor=20"));
    Process second = process(file, more);
    shop.awaitStalled();
    second.destroyForcibly().waitFor();
  }

  private Process process(String file, String[] more, String... limits) throws IOException {
    List<String> words =
        Stream.of(Stream.of("collect", file), Stream.of(more), Stream.of(limits))
            .flatMap(each -> each)
            .toList();
    ProcessBuilder builder =
        Ran.process(words.toArray(String[]::new)).directory(folder.toFile()).inheritIO();
    builder
        .environment()
        .putAll(
            Map.of(
                "SLUICE_STATE_USER",
                PostgresServer.LOGIN.user(),
                "SLUICE_STATE_PASSWORD",
                PostgresServer.LOGIN.password()));
    return builder.start();
  }

  /** The files of collections, with the port that the shop has. */
  static void copy(Shop shop, Path folder) throws IOException {
    for (Path file : Golden.files("collection", ".yaml")) {
      String text = Files.readString(file).replace("PORT", String.valueOf(shop.port()));
      Files.writeString(folder.resolve(file.getFileName().toString()), text);
    }
  }

  private static void save(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void require(Ran ran, int code) {
    if (ran.code() != code) {
      throw new IllegalStateException(ran.toString());
    }
  }
}
