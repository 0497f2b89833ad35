package dev.sluice.cli.compatibility;

import dev.sluice.cli.LoadStage;
import dev.sluice.cli.Ran;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Records two loads that are killed. Of the one that creates rows some batches are in, and of
 * others nobody knows; rows wait for a row that they name. Of the one that changes rows, one was
 * not begun although later ones were, because it waits for a row with the same key. A load that is
 * finished is in the same state.
 */
final class LoadRecorder {
  private static final Duration QUIET = Duration.ofSeconds(2);

  private final Path folder;

  LoadRecorder(Path folder) {
    this.folder = folder;
  }

  void record() throws Exception {
    Golden.copy("load", folder);
    Files.deleteIfExists(state());
    Files.deleteIfExists(folder.resolve("accounts.rejected.csv"));
    try (LoadStage stage = new LoadStage(folder)) {
      String host = stage.address().getAuthority();
      Ran contacts = stage.load("contact", file("contacts.csv"));
      if (contacts.code() != 0) {
        throw new IllegalStateException(contacts.toString());
      }
      Path mapping = folder.resolve("mapping.yaml");
      save(
          stage,
          "account",
          List.of("accountid", "name", "accountnumber", "numberofemployees"),
          new Kill(stage, 5),
          "accounts.csv",
          "--mapping",
          mapping.toString());
      save(
          stage,
          "contact",
          List.of("fullname", "externaluseridentifier"),
          new Kill(stage, 1),
          "people.csv",
          "--op",
          "upsert",
          "--key",
          "externaluseridentifier");
      try (Connection connection = Stored.sqlite(state())) {
        Stored.update(connection, "update lease set holder = ?", Stored.HOLDER);
      }
      Stored.change(state(), (table, text) -> Stored.recorded(text, host, folder));
    }
    for (String name : List.of(".sluice/state.db", "accounts.rejected.csv")) {
      Path to = Golden.file("load").resolve(name);
      Files.createDirectories(to.getParent());
      Files.copy(folder.resolve(name), to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path state() {
    return folder.resolve(".sluice/state.db");
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  /** Carries a load out until it is killed, and writes down what was in then. */
  private void save(
      LoadStage stage, String table, List<String> columns, Kill kill, String name, String... more)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("load", table, file(name), "--batch-size", "5"));
    words.addAll(List.of("--config", file("sluice.yaml")));
    words.addAll(List.of(more));
    kill.run(words);
    List<String> lines = new ArrayList<>();
    for (Map<String, Object> row : stage.rows(table)) {
      lines.add(
          columns.stream()
              .map(row::get)
              .map(value -> Objects.toString(value, ""))
              .collect(Collectors.joining(",")));
    }
    lines.removeIf(line -> line.endsWith(",")); // of another load
    lines.sort(null);
    lines.addFirst(String.join(",", columns));
    Files.write(Golden.file("load").resolve("there-" + name), lines);
    kill.over.countDown();
  }

  /** Lets some requests be answered and some only be carried out, and kills who sent them. */
  private static final class Kill {
    private final LoadStage stage;
    private final int answered;
    private final AtomicInteger changes = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    Kill(LoadStage stage, int answered) {
      this.stage = stage;
      this.answered = answered;
    }

    void run(List<String> words) throws Exception {
      stage.answerWith(request -> LoadStage.changes(request) ? answer(request) : null);
      Process process = Ran.process(words.toArray(String[]::new)).inheritIO().start();
      int before = -1;
      while (before != changes.get() || before <= answered) {
        before = changes.get();
        if (process.waitFor(QUIET.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException("it ended with " + process.exitValue());
        }
      }
      process.destroyForcibly().waitFor();
      stage.answerWith(request -> null);
    }

    private Reply answer(Request request) {
      int number = changes.incrementAndGet();
      if (number <= answered) {
        return null;
      }
      try {
        if (number % 2 == 0) {
          Reply unused = stage.environment().answer(request);
        }
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException("whoever asked was killed");
    }
  }
}
