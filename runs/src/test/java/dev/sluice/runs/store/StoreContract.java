package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.StoreException.Problem;
import dev.sluice.runs.store.TestDatabase.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every store promises, whatever database it is on. */
abstract class StoreContract {
  private static final String FENCE = "update lease set fence = ? where fence = ?";

  private final Database database;

  StoreContract(TestDatabase kind) {
    this.database = kind.create();
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  /** Opens the one database of this test. */
  Store open() {
    return database.open(Time.real());
  }

  static void addLease(Store store, String name) {
    store.write(transaction -> add(transaction, name));
  }

  static int add(Transaction transaction, String name) {
    return transaction.update(
        "insert into lease (name, fence, holder, since, expires) values (?, 1, '', 0, 0)", name);
  }

  static long leases(Store store) {
    return store.read(
        transaction ->
            transaction.row("select count(*) from lease", row -> row.number(1)).orElseThrow());
  }

  static StoreException problem(ThrowingCallable call) {
    StoreException[] caught = new StoreException[1];
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, thrown -> caught[0] = thrown);
    return caught[0];
  }

  /** Reads a number, and writes the next one: whoever writes in between loses. */
  static void count(Store store) {
    store.write(
        transaction -> {
          long fence =
              transaction.row("select fence from lease", row -> row.number(1)).orElseThrow();
          return transaction.update("update lease set fence = ?", fence + 1);
        });
  }

  static long counted(Store store) {
    return store.read(
        transaction -> transaction.row("select fence from lease", row -> row.number(1)).orElse(0L));
  }

  private static @Nullable Object[] row(@Nullable Object... arguments) {
    return arguments;
  }

  static void inParallel(int tasks, Runnable body) throws InterruptedException {
    List<Time.Task> started = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      started.add(Time.real().start("task " + i, body));
    }
    for (Time.Task task : started) {
      task.join();
    }
  }

  @Test
  void work_that_throws_leaves_nothing_behind_and_the_store_goes_on() {
    try (Store store = open()) {
      assertThatThrownBy(
              () ->
                  store.write(
                      transaction -> {
                        int unused = add(transaction, "a");
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
      assertThat(leases(store)).isZero();
      addLease(store, "b");
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void many_rows_by_one_statement_are_changed_in_their_order_or_not_at_all() {
    try (Store store = open()) {
      addLease(store, "a");
      store.write(
          transaction -> {
            transaction.updateAll(FENCE, List.of(row(2, 1), row(3, 2)));
            transaction.updateAll(FENCE, List.of());
            return null;
          });
      assertThat(counted(store)).isEqualTo(3);
      StoreException unused =
          problem(
              () ->
                  store.write(
                      transaction -> {
                        transaction.updateAll(FENCE, List.of(row(4, 3), row(null, 4)));
                        return null;
                      }));
      assertThat(counted(store)).isEqualTo(3);
      store.write(
          transaction -> {
            transaction.updateAll(FENCE, List.<@Nullable Object[]>of(row(5, 3)));
            return null;
          });
      assertThat(counted(store)).isEqualTo(5);
    }
  }

  @Test
  void a_look_sees_what_is_durable_and_is_refused_within_other_work() {
    try (Store store = open()) {
      addLease(store, "a");
      Work<Long> look =
          transaction ->
              transaction.row("select count(*) from lease", row -> row.number(1)).orElseThrow();
      assertThat(store.<Long>look(look)).isEqualTo(1);
      assertThatThrownBy(() -> store.write(transaction -> store.<Long>look(look)))
          .isInstanceOf(IllegalStateException.class);
      addLease(store, "b");
      assertThat(store.<Long>look(look)).isEqualTo(2);
    }
  }

  @Test
  void a_statement_that_is_refused_undoes_what_came_before_it() {
    try (Store store = open()) {
      StoreException thrown =
          problem(
              () ->
                  store.write(
                      transaction -> {
                        int unused = add(transaction, "a");
                        return transaction.update(
                            """
                            insert into run (kind, name, options, nonce, started, lease, fence)
                            values ('load', 'a', '', 0, 0, 'a lease that is not there', 1)
                            """);
                      }));
      assertThat(thrown.problem()).isEqualTo(Problem.OTHER);
      assertThat(leases(store)).isZero();
    }
  }

  @Test
  void a_transaction_inside_another_is_refused() {
    try (Store store = open()) {
      assertThatThrownBy(() -> store.write(transaction -> leases(store)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inside another");
      assertThatThrownBy(() -> store.read(transaction -> leases(store)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(leases(store)).isZero();
    }
  }

  @Test
  void what_is_given_to_a_statement_comes_back_as_it_was() {
    byte[] bytes = {0, -1, 1, 127, -128};
    Instant then = Instant.ofEpochMilli(-1);
    String name = "ä \uD83D\uDC1F ' \" \\ ? \n";
    try (Store store = open()) {
      store.write(
          transaction -> {
            int unused = add(transaction, name);
            int unusedToo =
                transaction.update(
                    """
                    insert into run (origin, kind, name, options, nonce, started, lease, fence)
                    values (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    null,
                    "",
                    name,
                    "x".repeat(100_000),
                    Long.MIN_VALUE,
                    then,
                    name,
                    Long.MAX_VALUE);
            return transaction.update(
                """
                insert into journal
                  (run, next_id, highest, chain, never_begun, done, rejected, sidecar)
                select id, 1, 2, 3, ?, 4, 5, ? from run
                """,
                bytes,
                6);
          });
      List<Long> read =
          store.<List<Long>>read(
              transaction ->
                  transaction.rows(
                      """
                      select origin, kind, run.name, options, nonce, started, fence, ended, never_begun,
                        sidecar from run join journal on journal.run = run.id
                      """,
                      row -> {
                        assertThat(row.isNull(1)).isTrue();
                        assertThat(row.number(1)).isZero();
                        assertThat(row.text(2)).isEmpty();
                        assertThat(row.isNull(2)).isFalse();
                        assertThat(row.text(3)).isEqualTo(name);
                        assertThat(row.text(4)).hasSize(100_000);
                        assertThat(row.number(5)).isEqualTo(Long.MIN_VALUE);
                        assertThat(row.time(6)).isEqualTo(then);
                        assertThat(row.number(7)).isEqualTo(Long.MAX_VALUE);
                        assertThat(row.textOrNull(8)).isNull();
                        assertThat(row.bytes(9)).isEqualTo(bytes);
                        return row.number(10);
                      }));
      assertThat(read).containsExactly(6L);
    }
  }

  @Test
  void texts_are_ordered_by_their_bytes_whatever_the_language() {
    try (Store store = open()) {
      for (String name : List.of("b", "ä", "B", "a", "_", "A b", "Ab")) {
        addLease(store, name);
      }
      assertThat(
              store.<List<String>>read(
                  transaction ->
                      transaction.rows("select name from lease order by name", row -> row.text(1))))
          .containsExactly("A b", "Ab", "B", "_", "a", "b", "ä");
    }
  }

  @Test
  void what_belongs_to_a_row_goes_with_it() {
    try (Store store = open()) {
      store.write(
          transaction -> {
            int unused = add(transaction, "a");
            long run =
                transaction
                    .row(
                        """
                        insert into run (kind, name, options, nonce, started, lease, fence)
                        values ('load', 'a', '', 0, 0, 'a', 1) returning id
                        """,
                        row -> row.number(1))
                    .orElseThrow();
            int unusedToo = transaction.update("insert into run_count values (?, 'rows', 7)", run);
            return transaction.update("delete from run where id = ?", run);
          });
      assertThat(
              store.<List<Long>>read(
                  transaction -> transaction.rows("select run from run_count", r -> r.number(1))))
          .isEmpty();
    }
  }

  @Test
  void tasks_of_one_process_lose_no_change_of_each_other() throws InterruptedException {
    try (Store store = open()) {
      addLease(store, "a");
      inParallel(
          8,
          () -> {
            for (int i = 0; i < 10; i++) {
              count(store);
              assertThat(counted(store)).isPositive();
            }
          });
      assertThat(counted(store)).isEqualTo(81);
    }
  }

  @Test
  void a_task_that_was_interrupted_writes_all_the_same_and_keeps_its_interrupt()
      throws InterruptedException {
    try (Store store = open()) {
      boolean[] kept = {false};
      inParallel(
          1,
          () -> {
            Thread.currentThread().interrupt();
            addLease(store, "a");
            kept[0] = Thread.interrupted();
          });
      assertThat(kept[0]).isTrue();
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void the_clock_is_the_given_one_in_whole_milliseconds() {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    Instant read =
        SimulatedTime.with(1)
            .wallClock(noon)
            .call(
                time -> {
                  time.sleep(Duration.ofNanos(7_999_999));
                  try (Store store = database.open(time)) {
                    return store.read(Transaction::now);
                  }
                });
    assertThat(read).isEqualTo(noon.plusMillis(7));
  }

  @Test
  void closing_twice_is_harmless_and_a_closed_store_refuses() {
    Store store = open();
    store.close();
    store.close();
    assertThat(problem(() -> leases(store)).problem()).isEqualTo(Problem.OTHER);
    assertThat(problem(() -> addLease(store, "a")).problem()).isEqualTo(Problem.OTHER);
  }
}
