package dev.sluice.collect.sink.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlErrorsTest {
  private static final Track TRACK = new Track("github", "events", "", Mode.STEADY);

  @TempDir Path folder;

  @Test
  void secrets_of_an_address_are_never_shown() throws IOException {
    String url = "jdbc:postgresql://127.0.0.1:1/db?user=me&password=swordfish";
    try (Sink sink = SqlSink.at(url, new Properties(), Time.real())) {
      assertThat(sink.description())
          .isEqualTo("tables in the database postgresql://127.0.0.1:1/db");
      assertThatIOException()
          .isThrownBy(() -> open(sink))
          .withMessageContaining("postgresql://127.0.0.1:1/db")
          .satisfies(e -> assertThat(e.toString()).doesNotContain("swordfish"));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SqlSink.at("jdbc:mysql://x?password=swordfish", new Properties(), Time.real()))
        .withMessageContaining("jdbc:postgresql:")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("swordfish"));
  }

  @Test
  void a_file_in_a_folder_that_does_not_exist_is_named_with_what_to_do() throws IOException {
    String url = "jdbc:sqlite:" + folder.resolve("missing/tables.db");
    try (Sink sink = SqlSink.at(url, new Properties(), Time.real())) {
      assertThatIOException()
          .isThrownBy(() -> open(sink))
          .withMessageContainingAll("missing/tables.db", "folder");
    }
  }

  /** A database that breaks a few transactions off, to let others go on. */
  private static final class Busy implements Store {
    private final Store store = Store.inMemory(Time.real());
    private final String code;
    private int left;

    Busy(int left, String code) {
      this.left = left;
      this.code = code;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      if (left-- > 0) {
        SQLException cause = new SQLException("it said", code);
        throw new StoreException(StoreException.Problem.BUSY, "broken off", cause);
      }
      return store.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      return store.read(work);
    }

    @Override
    public void close() {
      store.close();
    }

    @Override
    public String toString() {
      return "database of the test";
    }
  }

  @ParameterizedTest
  @CsvSource({"40P01", "40001"})
  void a_transaction_that_is_broken_off_for_another_one_is_done_again(String code)
      throws IOException {
    try (Sink sink = new DatabaseSink(new Busy(3, code), Dialect.SQLITE, Time.real())) {
      open(sink);
    }
    try (Sink sink = new DatabaseSink(new Busy(4, code), Dialect.SQLITE, Time.real())) {
      assertThatIOException().isThrownBy(() -> open(sink)).withMessage("broken off");
    }
  }

  @Test
  void a_transaction_that_fails_for_another_reason_is_not_done_again() throws IOException {
    try (Sink sink = new DatabaseSink(new Busy(1, "55P03"), Dialect.SQLITE, Time.real())) {
      assertThatIOException().isThrownBy(() -> open(sink)).withMessage("broken off");
    }
  }

  private static void open(Sink sink) throws IOException {
    sink.open(
            TRACK,
            List.of(new StreamShape("events", List.of(), Optional.empty())),
            1,
            Optional.empty())
        .close();
  }
}
