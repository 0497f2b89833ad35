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
import java.util.ArrayList;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The least that durable slices can cost: for each one a commit with its bookmark, and its records
 * in the same commit, or appended to a file that is synced before. Everything that is written was
 * made beforehand.
 */
final class BareSlices {
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

  private final Time time;
  private final List<byte[]> lines = new ArrayList<>();
  private final List<List<List<String>>> rows = new ArrayList<>();

  BareSlices(int slices, int records, Time time) {
    this.time = time;
    for (int slice = 0; slice < slices; slice++) {
      List<String> bodies = MemoryProvider.lines(slice, records);
      lines.add((String.join("\n", bodies) + "\n").getBytes(StandardCharsets.UTF_8));
      rows.add(bodies.stream().map(BareSlices::values).toList());
    }
  }

  private static List<String> values(String body) {
    JsonNode record = JsonMapper.shared().readTree(body);
    return MEMBERS.stream().map(member -> record.path(member).asString()).toList();
  }

  /** What a slice does inside its commit. */
  @FunctionalInterface
  private interface Content {
    void write(int slice) throws SQLException, IOException;
  }

  /** Records and bookmark in one commit. */
  CollectBesideBareLoop.Turn rows(Path folder) throws SQLException, IOException {
    try (Connection database = open(folder.resolve("bare.db"));
        PreparedStatement upsert = database.prepareStatement(UPSERT)) {
      return commitEach(
          database,
          folder.resolve("bare.db"),
          slice -> {
            for (List<String> row : rows.get(slice)) {
              upsert.setString(1, row.getFirst());
              upsert.setLong(2, time.instant().toEpochMilli());
              for (int i = 0; i < row.size(); i++) {
                upsert.setString(3 + i, row.get(i));
              }
              int unused = upsert.executeUpdate();
            }
          },
          slice -> {});
    }
  }

  /** Records appended and synced, then the bookmark's commit. */
  CollectBesideBareLoop.Turn lines(Path folder) throws SQLException, IOException {
    try (Connection database = open(folder.resolve("bare.db"));
        RandomAccessFile file = new RandomAccessFile(folder.resolve("bare.jsonl").toFile(), "rw")) {
      return commitEach(
          database,
          folder.resolve("bare.db"),
          slice -> {},
          slice -> {
            file.write(lines.get(slice));
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
      for (int slice = 0; slice < lines.size(); slice++) {
        before.write(slice);
        int unused = begin.executeUpdate();
        within.write(slice);
        move.setString(1, String.valueOf(slice + 1));
        move.setString(2, "{\"bare.jsonl\":" + slice + "}");
        move.setLong(3, time.instant().toEpochMilli());
        int unusedToo = move.executeUpdate();
        int unusedAsWell = commit.executeUpdate();
      }
      double rate = lines.size() / ((time.nanos() - start) / 1e9);
      return new CollectBesideBareLoop.Turn(rate, commits.since());
    }
  }

  /** With the settings of the state database. */
  private static Connection open(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.enforceForeignKeys(true);
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
