package dev.sluice.runs.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.control.quota.QuotaProfile.Spent;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaMemoryTest {
  private static final String ENVIRONMENT = "https://contoso.crm4.dynamics.com";
  private static final QuotaProfile LEARNED =
      new QuotaProfile(
          Duration.ofMillis(40),
          3,
          Map.of("create account", Duration.ofMillis(460), "delete contact", Duration.ofSeconds(5)),
          List.of(
              new Spent(Duration.ZERO, 12, Duration.ofSeconds(5)),
              new Spent(Duration.ofSeconds(5), 0.25, Duration.ofMillis(1_500))));

  private interface Story {
    void tell(SimulatedTime time, Store store) throws Exception;
  }

  private static void simulate(Story story) {
    TestDatabase.SQLITE_IN_MEMORY.simulate(1, story::tell);
  }

  private static QuotaMemory keep(Store store, SimulatedTime time) {
    return QuotaMemory.keep(store, time, ENVIRONMENT, () -> Map.of("app1", LEARNED));
  }

  private static QuotaProfile found(Store store) {
    return QuotaMemory.of(store, ENVIRONMENT, List.of("app1", "app2"))
        .getOrDefault("app1", QuotaProfile.NONE);
  }

  private static void change(Store store, String quota) {
    int changed =
        store.write(transaction -> transaction.update("update lane set quota = ?", quota));
    assertThat(changed).isEqualTo(1);
  }

  @Test
  void what_was_learned_is_there_again_as_old_as_it_is_by_then() {
    simulate(
        (time, store) -> {
          keep(store, time).close();
          assertThat(found(store)).isEqualTo(LEARNED);
          assertThat(QuotaMemory.of(store, ENVIRONMENT, List.of("app2"))).isEmpty();
          assertThat(QuotaMemory.of(store, "https://other.crm4.dynamics.com", List.of("app1")))
              .isEmpty();
          time.sleep(Duration.ofSeconds(7));
          assertThat(found(store)).isEqualTo(LEARNED.aged(Duration.ofSeconds(7)));
        });
  }

  @Test
  void who_is_killed_loses_ten_seconds_at_most() {
    simulate(
        (time, store) -> {
          AtomicInteger asked = new AtomicInteger();
          QuotaMemory memory =
              QuotaMemory.keep(
                  store,
                  time,
                  ENVIRONMENT,
                  () -> {
                    asked.incrementAndGet();
                    return Map.of("app1", LEARNED);
                  });
          time.sleep(Duration.ofMillis(9_900));
          assertThat(asked).hasValue(0);
          time.sleep(Duration.ofMillis(30_200));
          assertThat(asked).hasValue(4);
          assertThat(found(store).servers()).isEqualTo(3);
          memory.close();
          assertThat(asked).hasValue(5);
        });
  }

  @Test
  void what_was_spent_in_the_future_is_forgotten_and_the_rest_is_not() {
    simulate(
        (time, store) -> {
          keep(store, time).close();
          time.sleep(Duration.ofSeconds(1));
          String text =
              store.read(
                  transaction ->
                      transaction.row("select quota from lane", row -> row.text(1)).orElseThrow());
          long written = Long.parseLong(text.split(";", -1)[1]);
          change(store, text.replace(";" + written + ";", ";" + (written + 3_600_000) + ";"));
          assertThat(found(store).spent()).isEmpty();
          assertThat(found(store).costs()).isEqualTo(LEARNED.costs());
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2;whatever a newer version writes",
        "1",
        "1;;;;;",
        "1;x;1;1;;",
        "1;99999999999999999999;1;1;;",
        "1;9223372036854775807;1;1;;0:1:1",
        "1;-9223372036854775808;1;1;;0:1:1",
        "1;0;0;0;create account=0,=1,x,create contact=-1;-1:1:1,0:NaN:1,0:-1:1,0:Infinity:1,1:2",
        "1;0;-1;-1;create account=9223372036854775807;0:1:9223372036854775807",
        "1;0;1e9;1;;",
      })
  void what_cannot_be_true_or_read_is_as_if_nothing_was_known(String quota) {
    simulate(
        (time, store) -> {
          keep(store, time).close();
          change(store, quota);
          assertThat(found(store).spent()).isEmpty();
          assertThat(found(store).costs()).isEmpty();
        });
  }

  @Test
  void a_users_limits_are_no_lane_that_somebody_asks_the_status_of() {
    simulate(
        (time, store) -> {
          keep(store, time).close();
          assertThat(store.read(Lanes::all)).isEmpty();
        });
  }

  @Test
  void a_store_that_takes_nothing_is_no_reason_to_stop() {
    simulate(
        (time, store) -> {
          QuotaMemory memory = keep(store, time);
          int unused = store.write(transaction -> transaction.update("drop table lane"));
          time.sleep(Duration.ofSeconds(11));
          memory.close();
        });
  }
}
