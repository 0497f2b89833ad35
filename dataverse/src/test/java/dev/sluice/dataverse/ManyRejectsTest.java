package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that the service refuses: what it costs to find them, and that nothing else is lost. */
class ManyRejectsTest {
  private static final int BATCH = 100;
  private static final BulkOptions OPTIONS = BulkOptions.DEFAULTS.withFixedBatch(BATCH);
  private static final String TOO_LONG = "x".repeat(400);

  /** Three users in an environment with the documented limits and typical times. */
  private static final EnvironmentOptions TYPICAL = EnvironmentOptions.of(Worlds.USERS);

  /** What a job sent, and what came of it. */
  private record Played(BulkResult result, int batches, List<Map<String, Object>> rows) {
    long messages() {
      return result.progress().messages();
    }
  }

  /** Counts batches, and does something to some of their answers. */
  private static final class Watched implements Transport {
    private final Transport through;
    private final IntPredicate lost;
    private final IntPredicate cutOff;
    private int batches;

    Watched(Transport through, IntPredicate lost, IntPredicate cutOff) {
      this.through = through;
      this.lost = lost;
      this.cutOff = cutOff;
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      if (!request.uri().getPath().endsWith("$batch")) {
        return through.send(request);
      }
      int number = batches++;
      WebAnswer answer = through.send(request);
      if (lost.test(number)) {
        throw new IOException("connection reset");
      }
      return cutOff.test(number)
          ? new WebAnswer(
              answer.status(),
              answer.headers(),
              Arrays.copyOf(answer.body(), answer.body().length / 2))
          : answer;
    }
  }

  private static DataverseClient connect(Worlds.World world, Transport transport)
      throws IOException, InterruptedException {
    List<Identity> identities =
        Worlds.USERS.stream()
            .map(user -> new Identity(user.name(), Worlds.credential(user)))
            .toList();
    return DataverseClient.connect(
        DataverseOptions.of(Worlds.ADDRESS, identities).withAuthority(Worlds.ADDRESS),
        transport,
        world.time(),
        message -> {});
  }

  private static String id(int row) {
    return new UUID(0x4000, 0x8000_0000_0000_0000L | row).toString();
  }

  private static List<Map<String, String>> rows(int count, IntPredicate bad, boolean withIds) {
    return IntStream.range(0, count)
        .mapToObj(
            row -> {
              String name = bad.test(row) ? TOO_LONG : "row " + row;
              return withIds ? Map.of("accountid", id(row), "name", name) : Map.of("name", name);
            })
        .toList();
  }

  private static Played play(
      EnvironmentOptions environment,
      Operation operation,
      List<Map<String, String>> before,
      List<Map<String, String>> records,
      IntPredicate lost,
      IntPredicate cutOff) {
    List<Played> played = new ArrayList<>();
    Worlds.in(
        environment,
        world -> {
          if (!before.isEmpty()) {
            try (DataverseClient client = connect(world, world.transport())) {
              assertThat(
                      client.write("account", Operation.CREATE, before, OPTIONS).progress().done())
                  .isEqualTo(before.size());
            }
          }
          Watched watched = new Watched(world.transport(), lost, cutOff);
          try (DataverseClient client = connect(world, watched)) {
            BulkResult result = client.write("account", operation, records, OPTIONS);
            played.add(
                new Played(
                    result, watched.batches, List.copyOf(world.environment().rows("account"))));
          }
        });
    return played.getFirst();
  }

  private static Played create(EnvironmentOptions environment, int count, IntPredicate bad) {
    return play(
        environment,
        Operation.CREATE,
        List.of(),
        rows(count, bad, false),
        number -> false,
        number -> false);
  }

  private static void assertFound(Played played, int count, IntPredicate bad) {
    long refused = IntStream.range(0, count).filter(bad).count();
    BulkProgress progress = played.result.progress();
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(progress.rejected()).isEqualTo(refused);
    assertThat(progress.done()).isEqualTo(count - refused);
    assertThat(played.result.failures())
        .allMatch(failure -> bad.test((int) failure.index()))
        .allMatch(failure -> failure.fault().code().equals("0x80044331"));
  }

  @Test
  void a_job_of_which_everything_is_refused_costs_a_message_per_batch_after_the_first_hundred() {
    int count = 30_000;
    Played played = create(TYPICAL, count, row -> true);
    assertFound(played, count, row -> true);
    assertThat(played.messages()).isLessThan(2 * count / BATCH + 4 * BATCH);
    assertThat(played.rows).isEmpty();
  }

  @Test
  void of_a_job_with_one_bad_row_in_twenty_most_rows_are_not_sent_again_in_halves() {
    int count = 30_000;
    IntPredicate bad = row -> row * 7919L % 20 == 0;
    Played played = create(TYPICAL, count, bad);
    assertFound(played, count, bad);
    assertThat(played.messages()).isLessThan(2 * count / BATCH + 20 * BATCH);
    assertThat(played.rows).hasSize(count - count / 20);
  }

  @Test
  void one_bad_row_in_ten_thousand_is_still_found_by_halving() {
    int count = 200_000;
    IntPredicate bad = row -> row % 10_000 == 6_170;
    Played played = create(Worlds.FREE, count, bad);
    assertFound(played, count, bad);
    assertThat(played.batches).isZero();
    assertThat(played.messages()).isLessThan(count / BATCH + 20 * 16);
  }

  @Test
  void bulk_messages_come_back_when_rejects_become_rare() {
    int count = 100_000;
    IntPredicate bad = row -> row < 3_000;
    Played played = create(TYPICAL, count, bad);
    assertFound(played, count, bad);
    assertThat(played.batches).isBetween(20, 300);
    assertThat(played.rows).hasSize(97_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"UPDATE", "UPSERT"})
  void rows_that_cannot_be_updated_or_upserted_are_found_alike(Operation operation) {
    int count = 5_000;
    IntPredicate bad = row -> row % 3 == 0;
    List<Map<String, String>> old =
        rows(count, row -> false, true).stream()
            .map(row -> Map.of("accountid", String.valueOf(row.get("accountid")), "name", "old"))
            .toList();
    Played played =
        play(
            TYPICAL,
            operation,
            old,
            rows(count, bad, true),
            number -> number % 4 == 1,
            number -> number % 4 == 2);
    assertFound(played, count, bad);
    assertThat(played.batches).isPositive();
    assertThat(played.messages()).isLessThan(count);
    assertThat(played.rows).hasSize(count);
    assertThat(played.rows.stream().filter(row -> "old".equals(row.get("name"))).count())
        .isEqualTo((count + 2) / 3);
  }

  @Test
  void rows_that_cannot_be_deleted_are_told_apart_from_those_that_went_unseen() {
    int count = 3_000;
    List<Map<String, String>> all = rows(count, row -> false, true);
    List<Map<String, String>> there =
        IntStream.range(0, count).filter(row -> row % 3 != 0).mapToObj(all::get).toList();
    Played played =
        play(TYPICAL, Operation.DELETE, there, all, number -> number % 4 == 1, number -> false);
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(played.rows).isEmpty();
    assertThat(played.messages()).isLessThan(2 * count / BATCH);
  }

  @ParameterizedTest
  @CsvSource({"true,false", "false,true", "true,true"})
  void answers_of_batches_that_are_lost_or_cut_off_lose_no_row_and_double_none(
      boolean losing, boolean cutting) {
    int count = 10_000;
    IntPredicate bad = row -> row % 2 == 0;
    Played played =
        play(
            TYPICAL,
            Operation.CREATE,
            List.of(),
            rows(count, bad, false),
            number -> losing && number % 5 == 1,
            number -> cutting && number % 5 == 3);
    assertFound(played, count, bad);
    assertThat(played.batches).isGreaterThan(50);
    assertThat(played.rows.stream().map(row -> row.get("name")).distinct()).hasSize(count / 2);
    assertThat(played.rows).hasSize(count / 2);
  }

  @Test
  void rows_with_the_inputs_own_ids_are_found_by_halving_and_none_is_lost() {
    int count = 1_000;
    IntPredicate bad = row -> row % 4 == 0;
    Played played =
        play(
            TYPICAL,
            Operation.CREATE,
            List.of(),
            rows(count, bad, true),
            number -> false,
            number -> false);
    assertFound(played, count, bad);
    assertThat(played.batches).isZero();
    assertThat(played.rows).hasSize(750);
    assertThat(played.result.progress().elapsed()).isLessThan(Duration.ofMinutes(10));
  }
}
