package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.StoreException.Problem;
import org.junit.jupiter.api.Test;

class SqliteMemoryStoreTest extends StoreContract {
  SqliteMemoryStoreTest() {
    super(TestDatabase.SQLITE_IN_MEMORY);
  }

  @Test
  void a_store_whose_disk_was_full_goes_on_when_there_is_room_again() {
    try (Store store = Store.inMemory(Time.real())) {
      store.write(transaction -> transaction.update("create table x (text text)"));
      long pages = number(store, "pragma page_count");
      limit(store, pages + 2);
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThatThrownBy(() -> fill(store))
            .isInstanceOfSatisfying(
                StoreException.class, e -> assertThat(e.problem()).isEqualTo(Problem.DISK_FULL));
      }
      limit(store, pages + 1_000);
      fill(store);
      long rows = number(store, "select count(*) from x");
      assertThat(rows).isEqualTo(20);
    }
  }

  private static void limit(Store store, long pages) {
    long limit = number(store, "pragma max_page_count = " + pages);
    assertThat(limit).isEqualTo(pages);
  }

  private static long number(Store store, String sql) {
    return store.read(transaction -> transaction.row(sql, row -> row.number(1)).orElseThrow());
  }

  private static void fill(Store store) {
    store.write(
        transaction -> {
          for (int row = 0; row < 20; row++) {
            int unused = transaction.update("insert into x values (?)", "x".repeat(3_000));
          }
          return null;
        });
  }
}
