package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.LoadStage;
import dev.sluice.cli.Ran;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands print for programs has the members that it had, and they end with their codes. */
class JsonOutputTest {
  private static final long FAR = 4_102_444_800_000L; // in 2100

  @TempDir Path folder;

  private final StringBuilder shapes = new StringBuilder();
  private Shop shop;
  private LoadStage stage;

  @BeforeEach
  void open() throws IOException {
    shop = new Shop();
    stage = new LoadStage(folder);
    CollectionRecorder.copy(shop, folder);
    Golden.copy("load", folder.resolve("input"));
  }

  @AfterEach
  void close() {
    stage.close();
    shop.close();
  }

  private Ran run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--output", "json"));
    return Ran.of(all.toArray(String[]::new));
  }

  /** Notes the shape of what a command answered, and its exit code. */
  private void note(String title, Ran ran) {
    assertThat(ran.out().lines()).as("%s: %s", title, ran.err()).hasSize(1);
    shapes.append("== %s: exit code %d%n".formatted(title, ran.code()));
    shapes.append(JsonShape.of(ran.json()));
  }

  private Ran load(String... more) {
    List<String> words = new ArrayList<>(List.of("load"));
    words.addAll(List.of(more));
    words.addAll(List.of("--config", folder.resolve("sluice.yaml").toString()));
    return run(words.toArray(String[]::new));
  }

  private Ran accounts(String... more) {
    return load(
        Stream.concat(
                Stream.of(
                    "account",
                    folder.resolve("input/accounts.csv").toString(),
                    "--mapping",
                    folder.resolve("input/mapping.yaml").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void loads() throws IOException {
    String contacts = folder.resolve("input/contacts.csv").toString();
    Files.delete(folder.resolve("input/accounts.rejected.csv"));
    note("load, with nothing sent", accounts("--dry-run"));
    note("load, deferred", accounts("--max-requests", "4", "--batch-size", "5"));
    note("load, with rejected records", accounts("--batch-size", "5"));
    note("load, done before", accounts());
    note("load", load("contact", contacts));
    note("load, with an option that is wrong", load("contact", contacts, "--batch-size", "0"));
    note("load, of a file that is not there", load("contact", contacts + "x"));
    note("load, of too many rejects", accounts("--again", "--max-rejects", "1"));
    note("probe", probe("--table", "account"));
    stage.configure(stage.address(), "not the secret");
    note("load, not signed in", load("contact", contacts, "--again"));
    note("probe, not signed in", probe());
    stage.configure(URI.create("http://127.0.0.1:1"), "secret");
    note("load, without a connection", load("contact", contacts, "--again"));
    Golden.compare("json-loads.txt", shapes.toString());
  }

  private Ran probe(String... more) {
    return run(
        Stream.concat(
                Stream.of("probe", "--config", folder.resolve("sluice.yaml").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void collections() throws Exception {
    String mine = folder.resolve("mine.yaml").toString();
    String state = folder.resolve(".sluice/state.db").toString();
    shop.refuse(3);
    note("collect, deferred", run("collect", mine, "--max-requests", "18"));
    note("gaps", run("gaps", "--state", state));
    note("gaps explain", run("gaps", "explain", "mine", "--state", state));
    note("gaps requeue", run("gaps", "requeue", "mine", "--state", state));
    shop.refuse();
    note("collect", run("collect", mine));
    note("gaps, with nothing missing", run("gaps", "--state", state));
    note("runs", run("runs", "--state", state));
    try (Connection connection = Stored.sqlite(folder.resolve(".sluice/state.db"))) {
      Stored.update(
          connection,
          "insert into evidence (run, at, kind, facts) values (1, 1, 'lane_held', 'held_ms=1')");
      note("evidence", run("evidence", "--run", "1", "--state", state));
      note("status", run("status", "--state", state));
      Stored.update(
          connection,
          "update lane set hold_until = ?1, hold_cause = 'told', cooldown_until = ?1,"
              + " cooldown_reason = 'rate_limited', consecutive = 1, stopped = 'suspended',"
              + " circuit = 'open', circuit_moved = ?1,"
              + " circuit_fact = 'closed failure_rate transient_failures 1 1'",
          FAR);
      note("status, of a lane that is stopped", run("status", "--state", state));
      note("collect, through a lane that is stopped", run("collect", mine));
      String lane = Stored.values(connection, "select name from lane").getFirst();
      note("status --reopen", run("status", "--reopen", lane, "--state", state));
      Stored.update(
          connection,
          "update lease set expires = ?, holder = ?",
          System.currentTimeMillis() + 50_000,
          Stored.HOLDER);
      note("collect, running elsewhere", run("collect", mine));
      Stored.update(connection, "update lease set expires = 0");
      Stored.update(connection, "update run set ended = null, outcome = null where id = 2");
      note("gaps, after a run that was killed", run("gaps", "--state", state));
    }
    note("reset, which is only looked at", run("reset", "mine", "--state", state));
    note("reset", run("reset", "mine", "--yes", "--state", state));
    String items = folder.resolve("items.yaml").toString();
    note("check", run("check", items));
    String checks = Golden.file("yaml/connector/everything.yaml").toString();
    note("check, with checks", run("check", checks));
    Files.writeString(Path.of(items), "connectr: items\n");
    note("check, of a file with mistakes", run("check", items));
    Golden.compare("json-collections.txt", shapes.toString());
  }

  @Test
  void the_arena() throws IOException {
    note("arena", run("arena", "--scenario", "one-server", "--policy", "quota", "--job", "0.3"));
    Golden.compare("json-arena.txt", shapes.toString());
  }
}
