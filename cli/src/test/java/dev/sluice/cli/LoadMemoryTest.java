package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.pressure.QuotaMemory;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.dataverse.ServiceTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one {@code sluice load} has learned of an environment is where the next begins. */
class LoadMemoryTest {
  private static final Duration MESSAGE = Duration.ofMillis(100);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private LoadStage stage;

  @BeforeEach
  void open() throws IOException {
    stage =
        new LoadStage(
            folder,
            new ServiceTimes(Duration.ZERO, Duration.ZERO, MESSAGE, MESSAGE, Duration.ZERO));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private void load(String table, String column, String file) throws IOException {
    Path input = stage.file(file, column, file, "b", "c", "d", "e", "f", "g", "h", "i", "j");
    Ran ran = stage.load(table, input, "--batch-size", 1);
    assertThat(ran.code()).as(ran.toString()).isZero();
  }

  private Store store() {
    return Store.open(folder.resolve(".sluice/state.db"), Time.real());
  }

  private QuotaProfile learned() {
    try (Store store = store()) {
      return QuotaMemory.of(store, stage.address().toString(), List.of("app1"))
          .getOrDefault("app1", QuotaProfile.NONE);
    }
  }

  private static double requests(QuotaProfile profile) {
    return profile.spent().stream().mapToDouble(QuotaProfile.Spent::requests).sum();
  }

  @Test
  void what_one_load_has_spent_the_next_one_knows_and_adds_to() throws IOException {
    load("account", "name", "accounts.csv");
    double first = requests(learned());
    assertThat(first).isGreaterThanOrEqualTo(10);
    load("contact", "lastname", "contacts.csv");
    assertThat(requests(learned())).isGreaterThanOrEqualTo(first + 10);
  }

  @Test
  void what_messages_cost_is_kept_by_table_and_operation() throws IOException {
    load("account", "name", "accounts.csv");
    load("contact", "lastname", "contacts.csv");
    assertThat(learned().costs()).containsOnlyKeys("create account", "create contact");
    assertThat(learned().costs().values())
        .allSatisfy(cost -> assertThat(cost).isBetween(MESSAGE, MESSAGE.multipliedBy(300)));
  }

  @Test
  void nonsense_in_the_state_does_not_keep_a_load_from_its_work() throws IOException {
    load("account", "name", "accounts.csv");
    try (Store store = store()) {
      int changed =
          store.write(
              transaction ->
                  transaction.update(
                      "update lane set quota = ?", "1;0;-5;x;create account=0;0:1e99:-1"));
      assertThat(changed).isEqualTo(1);
    }
    load("account", "name", "more.csv");
    assertThat(stage.rows("account")).hasSize(20);
  }
}
