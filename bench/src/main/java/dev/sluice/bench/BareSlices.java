package dev.sluice.bench;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The least that durable slices can cost: for each one the same answer of the provider is read, and
 * a commit is made with its bookmark, and its records in the same commit, or appended to a file
 * that is synced before. There is nothing else: no gate, no lease, no evidence.
 */
final class BareSlices {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final List<String> MEMBERS =
      List.of("id", "name", "state", "amount", "updated_at", "note");
  private static final String UPSERT =
      """
      insert into items (_sluice_key, _sluice_cursor, _sluice_fetched,
        id, name, state, amount, updated_at, note) values (?, '', ?, ?, ?, ?, ?, ?, ?)
      on conflict (_sluice_key) do update set _sluice_fetched = excluded._sluice_fetched,
        id = excluded.id, name = excluded.name, state = excluded.state, amount = excluded.amount,
        updated_at = excluded.updated_at, note = excluded.note
      """;
  private static final String MOVE =
      """
      insert into bookmark (track, cursor, mark, committed) values ('mine', ?, ?, ?)
      on conflict (track) do update set cursor = excluded.cursor, mark = excluded.mark,
        committed = excluded.committed
      """;

  private final MemoryProvider provider;
  private final int slices;
  private final Time time;

  BareSlices(MemoryProvider provider, int slices, Time time) {
    this.provider = provider;
    this.slices = slices;
    this.time = time;
  }

  /** What is done with the records of a slice. */
  @FunctionalInterface
  private interface Content {
    void write(JsonNode records) throws SQLException, IOException;
  }

  /** Records and bookmark in one commit. */
  CollectBesideBareLoop.Turn rows(Path folder) throws SQLException, IOException {
    try (Connection database = open(folder.resolve("bare.db"));
        PreparedStatement upsert = database.prepareStatement(UPSERT)) {
      return commitEach(
          database,
          folder.resolve("bare.db"),
          records -> {
            for (JsonNode each : records) {
              upsert.setString(1, each.path("id").asString());
              upsert.setLong(2, time.instant().toEpochMilli());
              int column = 3;
              for (String member : MEMBERS) {
                upsert.setString(column, each.path(member).asString());
                column++;
              }
              int unused = upsert.executeUpdate();
            }
          },
          records -> {});
    }
  }

  /** Records appended and synced, then the bookmark's commit. */
  CollectBesideBareLoop.Turn lines(Path folder) throws SQLException, IOException {
    try (Connection database = open(folder.resolve("bare.db"));
        RandomAccessFile file = new RandomAccessFile(folder.resolve("bare.jsonl").toFile(), "rw")) {
      return commitEach(
          database,
          folder.resolve("bare.db"),
          records -> {},
          records -> {
            StringBuilder lines = new StringBuilder();
            records.forEach(each -> lines.append(each).append('\n'));
            file.write(lines.toString().getBytes(StandardCharsets.UTF_8));
            file.getFD().sync();
          });
    }
  }

  private CollectBesideBareLoop.Turn commitEach(
      Connection database, Path file, Content within, Content before)
      throws SQLException, IOException {
    try (PreparedStatement begin = database.prepareStatement("begin immediate");
        PreparedStatement move = database.prepareStatement(MOVE);
        PreparedStatement commit = database.prepareStatement("commit")) {
      CommitCount commits = CommitCount.of(file);
      long start = time.nanos();
      for (int slice = 0; slice < slices; slice++) {
        JsonNode records = JSON.readTree(provider.page(slice).body()).path("items");
        before.write(records);
        int unused = begin.executeUpdate();
        within.write(records);
        move.setString(1, String.valueOf(slice + 1));
        move.setString(2, "{\"bare.jsonl\":" + slice + "}");
        move.setLong(3, time.instant().toEpochMilli());
        int unusedToo = move.executeUpdate();
        int unusedAsWell = commit.executeUpdate();
      }
      double rate = slices / ((time.nanos() - start) / 1e9);
      return new CollectBesideBareLoop.Turn(rate, commits.since());
    }
  }

  /** With the settings of the state database. */
  private static Connection open(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setGetGeneratedKeys(false);
    Connection database = config.createConnection("jdbc:sqlite:" + file);
    try (Statement statement = database.createStatement()) {
      int unused =
          statement.executeUpdate(
              "create table items (_sluice_key text primary key, _sluice_cursor text not null,"
                  + " _sluice_fetched bigint not null, id, name, state, amount, updated_at, note)");
      int unusedToo =
          statement.executeUpdate(
              "create table bookmark (track text primary key, cursor text, mark text,"
                  + " committed integer not null) without rowid");
    }
    return database;
  }
}
