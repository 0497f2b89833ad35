package dev.sluice.dataverse.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyGuardTest {
  private final KeyGuard guard = new KeyGuard();

  private static Item item(int number, String key) {
    return new Item(
        number,
        new RecordKey.Alternate("accountnumber='" + key + "'"),
        false,
        "\"name\":\"" + number + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "K1,k1",
    "Ünal,unal",
    "'K1  ',K1",
    "ﬁx,FIX",
    "K1,K1",
    "Straße-1,STRASSE-1",
    "GROẞ,gross",
    "οδος,οδοσ"
  })
  void keys_that_the_service_takes_for_the_same_wait_for_each_other(String one, String other) {
    Item first = item(1, one);
    Item second = item(2, other);
    assertThat(guard.take(first)).isTrue();
    assertThat(guard.take(second)).isFalse();
    guard.release(first, false);
    assertThat(guard.takePostponed(second, new HashSet<>())).isTrue();
  }

  @Test
  void other_keys_do_not_wait() {
    assertThat(guard.take(item(1, "K1"))).isTrue();
    assertThat(guard.take(item(2, "K2"))).isTrue();
    assertThat(guard.take(item(3, "K 1"))).isTrue();
  }

  private static Item created(int number, String... keys) {
    return new Item(
        number,
        new RecordKey.Id(new UUID(1, number)),
        true,
        "",
        Stream.of(keys).map(key -> new RecordKey.Alternate("a='" + key + "'")).toList());
  }

  @Test
  void new_rows_that_share_one_of_several_keys_go_in_the_order_of_the_input() {
    Item first = created(1, "A");
    Item second = created(2, "a", "B");
    Item third = created(3, "b");
    assertThat(guard.take(first)).isTrue();
    assertThat(guard.take(second)).isFalse();
    assertThat(guard.take(third)).as("its key is free, but not its turn").isFalse();
    Set<Object> earlier = new HashSet<>();
    assertThat(guard.takePostponed(second, earlier)).isFalse();
    assertThat(guard.takePostponed(third, earlier)).isFalse();
    guard.release(first, false);
    earlier.clear();
    assertThat(guard.takePostponed(second, earlier)).isTrue();
    assertThat(guard.takePostponed(third, earlier)).isFalse();
    guard.release(second, false);
    assertThat(guard.takePostponed(third, new HashSet<>())).isTrue();
  }

  @Test
  void once_a_row_is_in_those_with_its_key_do_not_wait_for_each_other() {
    Item first = created(1, "A");
    Item second = created(2, "a");
    Item third = created(3, "A");
    assertThat(guard.take(first)).isTrue();
    assertThat(guard.take(second)).isFalse();
    assertThat(guard.take(third)).isFalse();
    guard.release(first, true);
    Set<Object> earlier = new HashSet<>();
    assertThat(guard.takePostponed(second, earlier)).isTrue();
    assertThat(guard.takePostponed(third, earlier)).isTrue();
    assertThat(guard.take(created(4, "a"))).isTrue();
  }

  @Test
  void of_rows_whose_keys_differ_in_case_alone_the_last_one_of_the_input_stays() {
    EnvironmentOptions environment =
        EnvironmentOptions.of(Worlds.USERS).withTimes(ServiceTimes.TYPICAL);
    Worlds.in(
        environment,
        world -> {
          Identity identity =
              new Identity(Worlds.USERS.get(0).name(), Worlds.credential(Worlds.USERS.get(0)));
          List<Item> items = new ArrayList<>();
          Map<String, String> expected = new TreeMap<>();
          for (int i = 0; i < 2_000; i++) {
            String key = (i % 3 == 0 ? "K" : "k") + i * 7919 % 400;
            items.add(item(i, key));
            expected.put(key.toLowerCase(Locale.ROOT), String.valueOf(i));
          }
          try (DataverseClient client =
              DataverseClient.connect(
                  DataverseOptions.of(Worlds.ADDRESS, List.of(identity))
                      .withAuthority(Worlds.ADDRESS),
                  world.transport(),
                  world.time(),
                  message -> {})) {
            BulkResult result =
                client
                    .bulk()
                    .execute(
                        BulkJob.of(Worlds.ACCOUNT, Operation.UPSERT, ItemSource.of(items))
                            .withOptions(BulkOptions.DEFAULTS.withFixedBatch(20)));
            assertThat(result.progress().done()).isEqualTo(2_000);
          }
          Map<String, String> stored = new TreeMap<>();
          world
              .environment()
              .rows("account")
              .forEach(
                  row ->
                      stored.put(
                          String.valueOf(row.get("accountnumber")).toLowerCase(Locale.ROOT),
                          String.valueOf(row.get("name"))));
          assertThat(stored).isEqualTo(expected);
        });
  }
}
