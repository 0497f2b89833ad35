package dev.sluice.dataverse.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.RecordedLog;
import dev.sluice.dataverse.bulk.FakeService.Trouble;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BulkOperationExecutorTest {
  private static final Table ROW_BY_ROW =
      FakeService.ACCOUNT.without(Operation.CREATE.bulkMessage());

  @Test
  void every_record_arrives_once() {
    Played played = play(1, 1_000, Operation.CREATE, service -> {});
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(played.result.progress().done()).isEqualTo(1_000);
    assertThat(played.service.rows).hasSize(1_000);
    assertThat(played.outcomes).hasSize(1_000);
  }

  @Test
  void the_first_message_goes_alone_and_then_all_identities_work_at_once() {
    Played played = play(1, 2_000, Operation.CREATE, service -> {});
    assertThat(played.service.received.getFirst()).hasSize(100);
    assertThat(played.service.mostInFlight).isEqualTo(8);
    assertThat(played.service.identities).contains("app1", "app2");
  }

  @Test
  void one_bad_row_of_a_thousand_costs_one_row_and_twenty_requests() {
    Played played =
        play(
            1,
            1_000,
            Operation.CREATE,
            service -> service.poisoned.add(617L),
            BulkOptions.DEFAULTS.withFixedBatch(1_000));
    assertThat(played.service.received).hasSizeLessThanOrEqualTo(1 + 20);
    assertThat(played.result.progress().done()).isEqualTo(999);
    assertThat(played.result.failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.index()).isEqualTo(617))
        .satisfies(failure -> assertThat(failure.fault().code()).isEqualTo("0x80044331"));
    assertThat(played.service.rows).hasSize(999);
  }

  @Test
  void a_message_of_long_records_is_closed_at_a_number_of_characters() {
    String long3 = "x".repeat(3 << 20);
    List<Item> items =
        items(300).stream()
            .map(
                item ->
                    new Item(
                        item.index(), item.key(), true, item.index() < 20 ? long3 : item.columns()))
            .toList();
    Played played = play(1, FakeService.ACCOUNT, items, service -> {});
    assertThat(played.result.progress().done()).isEqualTo(300);
    assertThat(played.service.received.stream().map(List::size))
        .as("three long ones have over 8 million; two have not, and short ones follow them")
        .containsExactlyInAnyOrder(3, 3, 3, 3, 3, 3, 100, 100, 82);
  }

  @Test
  void a_batch_that_went_in_unseen_is_looked_up_and_not_sent_again() {
    Played played =
        play(
            1,
            300,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) -> message == 1 ? new Trouble.NoAnswer(true) : null);
    assertThat(played.service.lookUps).isEqualTo(1);
    assertThat(played.service.received).hasSize(3);
    assertThat(played.service.rows).hasSize(300);
    assertThat(played.result.progress().done()).isEqualTo(300);
  }

  @Test
  void a_batch_that_was_lost_unseen_is_sent_again_exactly_as_it_was() {
    Played played =
        play(
            1,
            300,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        message == 1 ? new Trouble.NoAnswer(false) : null);
    assertThat(played.service.received).hasSize(4);
    assertThat(played.service.received.subList(2, 4)).contains(played.service.received.get(1));
    assertThat(played.service.rows).hasSize(300);
  }

  @Test
  void every_request_says_how_many_are_left_if_that_is_known() {
    List<OptionalLong> told = new ArrayList<>();
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          Policy one = new OneAtATime(attempt -> told.add(attempt.work().left()));
          Gate gate = Gate.builder().time(time).lane("app1", LaneOptions.of(now -> one)).build();
          BulkOperationExecutor executor =
              new BulkOperationExecutor(gate, service, ResilienceOptions.DEFAULTS);
          BulkOptions hundred = BulkOptions.DEFAULTS.withFixedBatch(100);
          executor.execute(createJob(items(300)).withOptions(hundred));
          ItemSource all = ItemSource.of(items(200));
          ItemSource ofUnknownSize = () -> all.next();
          executor.execute(
              BulkJob.of(FakeService.ACCOUNT, Operation.UPDATE, ofUnknownSize)
                  .withOptions(hundred));
        });
    assertThat(told)
        .containsExactly(
            OptionalLong.of(3),
            OptionalLong.of(2),
            OptionalLong.of(2), // it has stood in line since then
            OptionalLong.empty(),
            OptionalLong.of(1)); // by now the end has been seen
  }

  @ParameterizedTest(name = "went in unseen: {0}")
  @ValueSource(booleans = {true, false})
  void a_row_with_the_inputs_own_key_that_was_there_before_is_not_taken_for_ours(boolean wentIn) {
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          Item older = items(1).getFirst();
          service.rows.put(older.key(), "older");
          service.made.put(older.key(), time.instant().minus(Duration.ofDays(1)));
          service.twist =
              (message, identity, items) -> message == 0 ? new Trouble.NoAnswer(wentIn) : null;
          List<Item> own = ownItems();
          BulkResult result = executor(time, service).execute(createJob(own));
          assertThat(result.failures())
              .singleElement()
              .satisfies(failure -> assertThat(failure.index()).isZero());
          assertThat(result.progress().done()).isEqualTo(99);
          assertThat(service.rows).hasSize(100).containsEntry(older.key(), "older");
        });
  }

  @Test
  void rows_with_the_inputs_own_keys_that_went_in_unseen_are_known_by_when_they_were_made() {
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          service.twist =
              (message, identity, items) -> message == 0 ? new Trouble.NoAnswer(true) : null;
          List<Item> own = ownItems();
          BulkResult result = executor(time, service).execute(createJob(own));
          assertThat(result.failures()).isEmpty();
          assertThat(result.progress().done()).isEqualTo(100);
          assertThat(service.received).hasSize(1);
        });
  }

  @ParameterizedTest(name = "looks that are not answered: {0}")
  @ValueSource(ints = {0, 3})
  void rows_with_the_inputs_own_keys_that_went_in_one_by_one_unseen_are_looked_up(int blind) {
    Played played =
        play(
            1,
            ROW_BY_ROW,
            ownItems(),
            service -> {
              Item older = items(1).getFirst();
              service.rows.put(older.key(), "older");
              service.made.put(older.key(), Instant.EPOCH);
              service.blind = blind;
              service.twist =
                  (message, identity, items) -> message == 0 ? new Trouble.NoAnswer(true) : null;
            });
    assertThat(played.result.end()).isEqualTo(new BulkEnd.Completed());
    assertThat(played.result.failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.index()).isZero());
    assertThat(played.result.progress().done()).isEqualTo(99);
    assertThat(played.service.lookUps).isEqualTo(100 + blind);
  }

  @Test
  void rows_that_were_there_before_are_refused_one_by_one_without_a_look() {
    Played played =
        play(
            1,
            ROW_BY_ROW,
            ownItems(),
            service -> ownItems().forEach(item -> service.rows.put(item.key(), "older")));
    assertThat(played.result.progress().rejected()).isEqualTo(100);
    assertThat(played.service.lookUps).isZero();
  }

  @Test
  void a_look_whose_token_is_refused_is_repeated_with_another() {
    Played played =
        play(
            1,
            300,
            Operation.CREATE,
            service -> {
              service.expired = 1;
              service.twist =
                  (message, identity, items) -> message == 1 ? new Trouble.NoAnswer(true) : null;
            });
    assertThat(played.service.lookUps).isEqualTo(2);
    assertThat(played.service.received).hasSize(3);
    assertThat(played.result.progress().done()).isEqualTo(300);
  }

  @Test
  void a_look_that_is_not_answered_rejects_nothing() {
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          service.twist =
              (message, identity, items) -> message == 0 ? new Trouble.NoAnswer(true) : null;
          service.blind = 4;
          BulkResult result = executor(time, service).execute(createJob(ownItems()));
          assertThat(result.failures()).isEmpty();
          assertThat(result.progress().done()).isEqualTo(100);
        });
  }

  @Test
  void a_batch_whose_first_key_an_earlier_record_has_is_not_taken_for_in() {
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          List<Item> own = ownItems();
          BulkResult first = executor(time, service).execute(createJob(own.subList(0, 1)));
          service.twist =
              (message, identity, items) -> message == 1 ? new Trouble.NoAnswer(false) : null;
          BulkResult second = executor(time, service).execute(createJob(own));
          assertThat(first.progress().done()).isEqualTo(1);
          assertThat(second.progress().done()).isGreaterThanOrEqualTo(99);
          assertThat(service.rows).hasSize(100);
        });
  }

  @Test
  void what_an_earlier_process_sent_with_the_inputs_own_keys_is_known_when_it_is_sent_again() {
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          Instant begun = time.instant();
          List<Item> own = ownItems();
          BulkResult first = executor(time, service).execute(createJob(own));
          time.sleep(Duration.ofHours(1));
          BulkResult again =
              executor(time, service)
                  .execute(
                      createJob(List.of())
                          .withJournal(
                              BulkJournal.NONE, List.of(new BulkJob.Begun(1, own)), begun));
          assertThat(first.progress().done()).isEqualTo(100);
          assertThat(again.failures()).isEmpty();
          assertThat(again.progress().done()).isEqualTo(100);
        });
  }

  @Test
  void a_throttled_identity_passes_its_batch_on_to_another_at_once() {
    Played played =
        play(
            1,
            400,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        message == 1 ? FakeService.throttle(Duration.ofMinutes(5)) : null);
    assertThat(played.result.progress().throttles()).containsEntry(Signal.Facet.REQUESTS, 1L);
    assertThat(played.result.progress().elapsed()).isLessThan(Duration.ofSeconds(10));
    assertThat(played.service.rows).hasSize(400);
  }

  @Test
  void a_batch_out_of_throttle_retries_stands_in_line_again_while_others_get_through() {
    AtomicInteger unlucky = new AtomicInteger();
    Played played =
        play(
            1,
            1_000,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        items.getFirst().index() == 200 && unlucky.incrementAndGet() <= 10
                            ? FakeService.throttle(Duration.ofSeconds(1))
                            : null);
    assertThat(unlucky).as("more than four rounds through two lanes").hasValue(11);
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(played.service.rows).hasSize(1_000);
  }

  @Test
  void a_job_of_which_nothing_gets_through_ends_with_its_records_given_back() {
    Played played =
        play(
            1,
            500,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        message == 0 || message > 200 // for whoever never gives up
                            ? null
                            : FakeService.throttle(Duration.ofSeconds(1)));
    assertThat(played.result.end())
        .isInstanceOfSatisfying(
            BulkEnd.Refused.class,
            end -> assertThat(end.refusal()).isInstanceOf(Refusal.GivenUp.class));
    assertThat(played.result.progress().done()).isEqualTo(100);
    assertThat(played.result.progress().deferred()).isEqualTo(400);
    assertThat(played.result.progress().elapsed()).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void a_wait_that_a_gateway_tells_with_an_error_delays_that_batch_alone() {
    Duration told = Duration.ofMinutes(2);
    List<Long> sent = new ArrayList<>();
    Played played =
        play(
            1,
            1_000,
            Operation.UPDATE,
            service ->
                service.twist =
                    (message, identity, items) -> {
                      sent.add(items.getFirst().index());
                      return message == 1 ? badGateway(told) : null;
                    });
    assertThat(played.result.progress().done()).isEqualTo(1_000);
    assertThat(sent.getLast()).as("the others went on").isEqualTo(sent.get(1));
    assertThat(played.result.progress().elapsed()).isBetween(told, told.plusSeconds(5));
  }

  @Test
  void a_wait_that_a_gateway_tells_with_an_error_is_shown_in_the_progress_and_logged_once() {
    List<String> shown = new ArrayList<>();
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          service.twist =
              (message, identity, items) -> message == 1 ? badGateway(Duration.ofMinutes(2)) : null;
          BulkRun run =
              executor(time, service)
                  .prepare(
                      job(
                          FakeService.ACCOUNT,
                          items(500),
                          Operation.UPDATE,
                          BulkOptions.DEFAULTS,
                          outcome -> {}));
          RecordedLog.start();
          Time.Task task = time.start("load", () -> assertThat(run.run()).isNotNull());
          time.sleep(Duration.ofSeconds(10));
          shown.add(run.progress().reason());
          task.join();
          shown.add(run.progress().reason());
        });
    assertThat(shown)
        .containsExactly(
            "1 message failed and is sent again in 1 min 51 s, because the service asked for that"
                + " wait",
            "");
    assertThat(RecordedLog.lines("a message of"))
        .containsExactly(
            "a message of 100 records is sent again in 2 min: the service failed (unknown_outcome)"
                + " and asked for that wait");
  }

  @Test
  void a_wait_that_is_longer_than_the_one_asked_for_is_not_said_to_be_asked_for() {
    List<String> shown = new ArrayList<>();
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          service.twist =
              (message, identity, items) -> message == 1 ? badGateway(Duration.ofMillis(1)) : null;
          BulkRun run =
              executor(time, service)
                  .prepare(
                      job(
                          FakeService.ACCOUNT,
                          items(500),
                          Operation.UPDATE,
                          BulkOptions.DEFAULTS,
                          outcome -> {}));
          RecordedLog.start();
          Time.Task task = time.start("load", () -> assertThat(run.run()).isNotNull());
          for (int i = 0; i < 10_000; i++) {
            time.sleep(Duration.ofMillis(1));
            shown.add(run.progress().reason());
          }
          shown.removeIf(String::isEmpty);
          task.join();
        });
    assertThat(shown)
        .isNotEmpty()
        .allMatch(reason -> reason.matches("1 message failed and is sent again in [^,]+"));
    assertThat(RecordedLog.lines("a message of"))
        .singleElement()
        .asString()
        .matches(
            "a message of 100 records is sent again in [0-9]{2,3} ms: the service failed"
                + " \\(unknown_outcome\\) and asked for a shorter wait of 1 ms");
  }

  private static Trouble badGateway(Duration told) {
    QuotaHint hint =
        new QuotaHint(
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(told),
            new QuotaHint.Scope(
                QuotaHint.Reach.OBJECT, "", QuotaHint.Unit.REQUESTS, "Retry-After"));
    return new Trouble.Answer(
        new Fault.UnknownOutcome("", "bad gateway"),
        new Signal.Transient(Signal.Transient.Kind.UNKNOWN_OUTCOME, List.of(hint)));
  }

  @Test
  void a_deadlock_is_tried_again_as_it_was() {
    Played played =
        play(
            1,
            300,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) -> message < 3 ? FakeService.deadlock() : null);
    assertThat(played.result.progress().done()).isEqualTo(300);
    assertThat(played.result.progress().repeated()).containsEntry("deadlock", 3L);
    assertThat(played.result.progress().halved()).isZero();
  }

  @Test
  void too_slow_a_batch_in_the_database_is_halved_and_the_next_ones_are_smaller() {
    Played played =
        play(
            1,
            300,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        items.size() > 60
                            ? new Trouble.Answer(
                                new Fault.SqlTimeout("0x80044151", "Sql Number: -2"),
                                Signal.answered(Signal.Answered.Kind.SQL_TIMEOUT))
                            : null);
    assertThat(played.result.progress().done()).isEqualTo(300);
    assertThat(played.result.progress().halved()).isEqualTo(1);
    assertThat(played.service.received.getLast()).hasSizeLessThanOrEqualTo(50);
  }

  @Test
  void an_identity_whose_token_is_refused_twice_is_out_and_the_others_go_on() {
    Played played =
        play(
            1,
            600,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        identity.equals("app1")
                            ? new Trouble.Answer(
                                new Fault.Authentication("", "expired"),
                                Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED))
                            : null);
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Completed.class);
    assertThat(played.service.rows).hasSize(600);
  }

  @Test
  void without_any_right_the_job_stops_and_every_record_is_given_back() {
    Played played =
        play(
            1,
            500,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) ->
                        new Trouble.Answer(
                            new Fault.Privilege("0x80040220", "is missing prvCreateAccount"),
                            Signal.rejected(Signal.Rejected.Kind.FORBIDDEN)));
    assertThat(played.result.end()).isInstanceOf(BulkEnd.Forbidden.class);
    assertThat(played.result.progress().deferred()).isEqualTo(500);
    assertThat(played.service.received).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource
  void what_refuses_every_row_stops_a_job_that_asks_row_by_row_and_rejects_none(Fault fault) {
    Played played = playEachRefused(fault, item -> item.index() >= 250);
    assertThat(played.result.end()).isEqualTo(new BulkEnd.Forbidden(fault));
    assertThat(played.result.progress().rejected()).isZero();
    assertThat(played.result.progress().done()).isEqualTo(250);
    assertThat(played.result.progress().deferred()).isEqualTo(250);
    assertThat(played.service.rows).hasSize(250);
  }

  static List<Fault> what_refuses_every_row_stops_a_job_that_asks_row_by_row_and_rejects_none() {
    return List.of(
        new Fault.Privilege("0x80040220", "is missing prvCreateAccount"),
        new Fault.Privilege("0x80072325", "storage quota met"),
        new Fault.Authentication("0x8004A105", "the ticket was tampered with"),
        new Fault.Unsupported("0x80040219", "not implemented"));
  }

  @Test
  void a_row_that_this_user_may_not_write_is_rejected_and_others_go_in() {
    Fault fault = new Fault.Privilege("0x80048306", "no access to the record");
    Played played = playEachRefused(fault, item -> item.index() == 250);
    assertThat(played.result.end()).isEqualTo(new BulkEnd.Completed());
    assertThat(played.result.failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.index()).isEqualTo(250));
    assertThat(played.service.rows).hasSize(499);
  }

  /** Creates 500 rows one by one in messages of a hundred, of which some are refused. */
  private static Played playEachRefused(Fault fault, Predicate<Item> some) {
    return play(
        1,
        ROW_BY_ROW,
        items(500),
        service ->
            service.twist = (message, identity, items) -> new Trouble.EachRefused(some, fault));
  }

  @Test
  void a_service_that_nobody_reaches_ends_the_job_with_all_records_given_back() {
    Played played =
        play(
            1,
            500,
            Operation.CREATE,
            service -> service.twist = (message, identity, items) -> new Trouble.NoConnection());
    assertThat(played.result.end())
        .isInstanceOfAny(BulkEnd.Unreachable.class, BulkEnd.Refused.class);
    assertThat(played.result.progress().deferred()).isEqualTo(500);
    assertThat(played.outcomes.values())
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        RecordOutcome.Deferred.class,
                        back -> assertThat(back.maybeDone()).isFalse()));
  }

  @Test
  void an_error_of_the_virtual_machine_ends_the_job_with_its_records_given_back() {
    Played played =
        play(
            1,
            500,
            Operation.CREATE,
            service ->
                service.twist =
                    (message, identity, items) -> {
                      if (message == 1) {
                        throw new OutOfMemoryError("Java heap space");
                      }
                      return null;
                    });
    assertThat(played.result.end())
        .isInstanceOfSatisfying(
            BulkEnd.Broken.class,
            broken -> assertThat(broken.cause()).hasMessageContaining("Java heap space"));
    assertThat(played.result.progress().settled()).isEqualTo(500);
    assertThat(played.outcomes.values())
        .filteredOn(RecordOutcome.Deferred.class::isInstance)
        .as("of those that were being sent, nobody knows whether they are in")
        .filteredOn(outcome -> ((RecordOutcome.Deferred) outcome).maybeDone())
        .hasSize(100);
  }

  @Test
  void records_of_one_row_are_written_one_after_the_other_in_the_order_of_the_input() {
    SimulatedTime.run(
        7,
        time -> {
          FakeService service = new FakeService(time);
          List<Item> items = new ArrayList<>();
          for (int i = 0; i < 1_000; i++) {
            RecordKey key = new RecordKey.Alternate("number='" + i % 70 + "'");
            items.add(new Item(i, key, false, "\"value\":" + i));
          }
          BulkResult result =
              executor(time, service)
                  .execute(BulkJob.of(FakeService.ACCOUNT, Operation.UPSERT, ItemSource.of(items)));
          assertThat(result.progress().done()).isEqualTo(1_000);
          assertThat(service.touchedTwiceAtOnce).isFalse();
          for (int i = 930; i < 1_000; i++) {
            assertThat(service.rows).containsEntry(items.get(i).key(), items.get(i).columns());
          }
        });
  }

  @Test
  void a_cancelled_job_lets_what_is_out_come_back_and_gives_back_the_rest() {
    SimulatedTime.run(
        3,
        time -> {
          FakeService service = new FakeService(time);
          service.duration = Duration.ofSeconds(2);
          BulkRun run = executor(time, service).prepare(createJob(items(5_000)));
          Time.Task unused =
              time.start(
                  "cancel",
                  () -> {
                    try {
                      time.sleep(Duration.ofSeconds(3));
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                    run.cancel(Duration.ofSeconds(10));
                  });
          BulkResult result = run.run();
          assertThat(result.end()).isInstanceOf(BulkEnd.Cancelled.class);
          assertThat(result.progress().done()).isEqualTo(900);
          assertThat(service.rows).hasSize(900);
          assertThat(result.progress().settled()).isEqualTo(5_000);
          assertThat(result.progress().elapsed()).isEqualTo(Duration.ofSeconds(4));
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatever_goes_wrong_every_record_has_one_outcome_and_the_table_holds_what_was_done(
      long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = random.nextInt(50, 3_000);
    Played played =
        play(
            seed,
            count,
            Operation.CREATE,
            service -> {
              for (int i = random.nextInt(6); i > 0; i--) {
                service.poisoned.add(random.nextLong(count));
              }
              service.twist = (message, identity, items) -> trouble(random);
            });
    assertWhole(played, count);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void so_it_is_when_many_rows_are_refused_and_each_is_asked_for_by_itself(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = random.nextInt(500, 3_000);
    Operation operation = random.nextBoolean() ? Operation.CREATE : Operation.UPSERT;
    double share = random.nextDouble();
    Played played =
        play(
            seed,
            count,
            operation,
            service -> {
              for (long row = 0; row < count; row++) {
                if (random.nextDouble() < share) {
                  service.poisoned.add(row);
                }
              }
              service.twist = (message, identity, items) -> trouble(random);
            });
    assertWhole(played, count);
    if (played.service.poisoned.size() > 300) {
      assertThat(played.service.rowByRow).isPositive();
    }
  }

  @Test
  void rows_that_an_earlier_process_may_have_asked_for_one_by_one_are_not_taken_for_in_together() {
    SimulatedTime.run(
        1,
        time -> {
          FakeService service = new FakeService(time);
          List<Item> begun = items(1_000);
          service.poisoned.add(617L);
          for (Item item : begun.subList(0, 900)) { // all but one of these got in, unseen
            if (item.index() != 617) {
              service.rows.put(item.key(), item.columns());
            }
          }
          BulkResult result =
              executor(time, service)
                  .execute(
                      createJob(List.of())
                          .withJournal(
                              BulkJournal.NONE,
                              List.of(new BulkJob.Begun(1, begun)),
                              time.instant()));
          assertThat(result.end()).isEqualTo(new BulkEnd.Completed());
          assertThat(result.progress().done()).isEqualTo(999);
          assertThat(result.failures())
              .singleElement()
              .satisfies(failure -> assertThat(failure.index()).isEqualTo(617));
          assertThat(service.rows).hasSize(999);
          assertThat(service.received).hasSizeLessThanOrEqualTo(10);
        });
  }

  private static void assertWhole(Played played, int count) {
    BulkProgress progress = played.result.progress();
    assertThat(played.result.end()).isNotInstanceOf(BulkEnd.Broken.class);
    assertThat(progress.settled()).isEqualTo(count);
    assertThat(played.outcomes).hasSize(count);
    long done =
        played.outcomes.values().stream().filter(RecordOutcome.Done.class::isInstance).count();
    assertThat(progress.done()).isEqualTo(done);
    for (RecordOutcome outcome : played.outcomes.values()) {
      switch (outcome) {
        case RecordOutcome.Done in -> assertThat(played.service.rows).containsKey(in.key());
        case RecordOutcome.Rejected refused -> {
          assertThat(played.service.rows).doesNotContainKey(refused.key());
          // A row by itself is tried nine times, and may lose each of them.
          boolean contended =
              refused.fault() instanceof Fault.Deadlock
                  || refused.fault() instanceof Fault.SqlTimeout;
          assertThat(contended || played.service.poisoned.contains(refused.index()))
              .as("%d was rejected with %s", refused.index(), refused.fault())
              .isTrue();
        }
        case RecordOutcome.Deferred back -> {
          if (!back.maybeDone()) {
            assertThat(played.service.rows).doesNotContainKey(back.key());
          }
        }
      }
    }
    if (played.result.end() instanceof BulkEnd.Completed) {
      assertThat(done + progress.rejected()).isEqualTo(count);
      assertThat(progress.rejected()).isGreaterThanOrEqualTo(played.service.poisoned.size());
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 100 * Integer.getInteger("sluice.seeds", 1));
  }

  private static FakeService.@Nullable Trouble trouble(SplittableRandom random) {
    return switch (random.nextInt(40)) {
      case 0 -> FakeService.deadlock();
      case 1 -> new Trouble.NoAnswer(true);
      case 2 -> new Trouble.NoAnswer(false);
      case 3 -> new Trouble.NoConnection();
      case 4 -> FakeService.throttle(Duration.ofSeconds(random.nextInt(1, 60)));
      case 5 ->
          new Trouble.Answer(
              new Fault.SqlTimeout("0x80044151", ""),
              Signal.answered(Signal.Answered.Kind.SQL_TIMEOUT));
      case 6 -> {
        int modulus = random.nextInt(1, 4);
        yield new Trouble.Part(
            item -> item.index() % modulus == 0, Duration.ofSeconds(random.nextInt(1, 60)));
      }
      default -> null;
    };
  }

  /** What a job came to. */
  private record Played(
      FakeService service, BulkResult result, TreeMap<Long, RecordOutcome> outcomes) {}

  private static Played play(
      long seed, int count, Operation operation, Consumer<FakeService> setUp) {
    return play(seed, count, operation, setUp, BulkOptions.DEFAULTS);
  }

  private static Played play(
      long seed, int count, Operation operation, Consumer<FakeService> setUp, BulkOptions options) {
    return play(seed, FakeService.ACCOUNT, items(count), operation, setUp, options);
  }

  private static Played play(
      long seed,
      Table table,
      List<Item> items,
      Operation operation,
      Consumer<FakeService> setUp,
      BulkOptions options) {
    return SimulatedTime.with(seed)
        .call(
            time -> {
              FakeService service = new FakeService(time);
              setUp.accept(service);
              TreeMap<Long, RecordOutcome> outcomes = new TreeMap<>();
              BulkListener listener =
                  outcome ->
                      assertThat(outcomes.put(outcome.index(), outcome))
                          .as("a second outcome for %s", outcome)
                          .isNull();
              BulkResult result =
                  executor(time, service).execute(job(table, items, operation, options, listener));
              return new Played(service, result, outcomes);
            });
  }

  private static Played play(
      long seed, Table table, List<Item> items, Consumer<FakeService> setUp) {
    return play(
        seed, table, items, Operation.CREATE, setUp, BulkOptions.DEFAULTS.withFixedBatch(100));
  }

  private static BulkJob job(
      Table table,
      List<Item> items,
      Operation operation,
      BulkOptions options,
      BulkListener listener) {
    return new BulkJob(
        table,
        operation,
        ItemSource.of(items),
        options,
        listener,
        BulkJournal.NONE,
        Run.unbounded(),
        List.of(),
        Optional.empty());
  }

  /** Tells somebody of every request that starts. */
  private record OneAtATime(Consumer<Attempt> whom) implements Policy {
    @Override
    public int level(long now) {
      return 1;
    }

    @Override
    public long notBefore(long now) {
      return now;
    }

    @Override
    public void started(Attempt attempt, long now) {
      whom.accept(attempt);
    }

    @Override
    public void settled(Attempt attempt, Signal signal, long now) {}

    @Override
    public void abandoned(Attempt attempt, long now) {}
  }

  private static BulkJob createJob(List<Item> items) {
    return BulkJob.of(FakeService.ACCOUNT, Operation.CREATE, ItemSource.of(items));
  }

  private static BulkOperationExecutor executor(Time time, FakeService service) {
    Gate gate =
        Gate.builder()
            .time(time)
            .lane("app1", LaneOptions.fixed(4))
            .lane("app2", LaneOptions.fixed(4))
            .build();
    return new BulkOperationExecutor(gate, service, ResilienceOptions.DEFAULTS);
  }

  /** A hundred, with keys that were not made here. */
  private static List<Item> ownItems() {
    return items(100).stream()
        .map(item -> new Item(item.index(), item.key(), false, item.columns()))
        .toList();
  }

  private static List<Item> items(int count) {
    List<Item> items = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      items.add(new Item(i, new RecordKey.Id(new UUID(7, i)), true, "\"name\":\"row " + i + "\""));
    }
    return items;
  }
}
