package dev.sluice.dataverse.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.RecordedLog;
import dev.sluice.dataverse.bulk.FakeService.Trouble;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A throttle inside a message, of a part or a row, is a throttle like any other. */
class ThrottledPartsTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private record Played(FakeService service, BulkResult result, List<String> log) {}

  private static Played play(int count, FakeService.Twist twist) {
    return SimulatedTime.with(1)
        .call(
            time -> {
              RecordedLog.start();
              FakeService service = new FakeService(time);
              service.twist = twist;
              Gate gate =
                  Gate.builder()
                      .lane("app1", LaneOptions.fixed(4))
                      .lane("app2", LaneOptions.fixed(4))
                      .time(time)
                      .build();
              List<Item> items = new ArrayList<>();
              for (int i = 0; i < count; i++) {
                items.add(new Item(i, new RecordKey.Id(new UUID(0, i)), true, "\"name\":\"a\""));
              }
              BulkJob job =
                  new BulkJob(
                      FakeService.ACCOUNT,
                      Operation.CREATE,
                      ItemSource.of(items),
                      BulkOptions.DEFAULTS,
                      outcome -> {},
                      BulkJournal.NONE,
                      Run.unbounded(),
                      List.of(),
                      Optional.empty());
              BulkResult result =
                  new BulkOperationExecutor(gate, service, ResilienceOptions.DEFAULTS).execute(job);
              return new Played(service, result, RecordedLog.lines("throttled"));
            });
  }

  @Test
  void a_throttle_of_one_batch_part_never_rejects_its_records() {
    // Ten records of every hundred are throttled; of these, one more goes in with every message.
    Played played =
        play(
            1_000,
            (message, identity, items) ->
                new Trouble.Part(
                    item -> item.index() % 10 == 7 && !item.equals(items.getFirst()),
                    Duration.ofSeconds(1)));
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(played.result.progress().rejected()).isZero();
    assertThat(played.service.rows).hasSize(1_000);
  }

  @Test
  void a_throttled_part_holds_its_lane_and_goes_on_through_another() {
    Played played =
        play(
            400,
            (message, identity, items) ->
                message == 1 ? new Trouble.Part(item -> item.index() % 2 == 0, LONG) : null);
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(played.result.progress().elapsed()).isLessThan(Duration.ofSeconds(10));
    assertThat(played.result.progress().throttles()).containsEntry(Signal.Facet.REQUESTS, 1L);
    assertThat(played.service.rows).hasSize(400);
    String held = played.service.identities.get(1);
    List<Item> remainder =
        played.service.received.stream()
            .filter(items -> items.size() == 50)
            .findFirst()
            .orElseThrow();
    assertThat(remainder).as("only what was throttled").allMatch(item -> item.index() % 2 == 0);
    assertThat(played.service.identities.get(played.service.received.indexOf(remainder)))
        .isNotEqualTo(held);
    assertThat(played.log)
        .singleElement()
        .asString()
        .startsWith(
            "throttled connection=%s facet=requests code=0x80072322 retry-after=5m attempt=1"
                .formatted(held));
  }

  @Test
  void records_of_a_part_that_stays_throttled_are_given_back_after_max_throttle_retries() {
    Played played =
        play(
            100,
            (message, identity, items) ->
                new Trouble.Part(item -> item.index() == 5, Duration.ofSeconds(1)));
    assertThat(played.result.end())
        .isInstanceOfSatisfying(
            BulkEnd.Refused.class,
            end -> assertThat(end.refusal()).isInstanceOf(Refusal.GivenUp.class));
    assertThat(played.result.progress().done()).isEqualTo(99);
    assertThat(played.result.progress().rejected()).isZero();
    assertThat(played.result.progress().deferred()).isEqualTo(1);
    assertThat(played.log).hasSize(played.service.received.size());
    assertThat(played.result.progress().elapsed()).isLessThan(Duration.ofSeconds(30));
  }
}
