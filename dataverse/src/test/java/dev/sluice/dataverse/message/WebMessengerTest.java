package dev.sluice.dataverse.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.Worlds.World;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.wire.Timeouts;
import dev.sluice.gate.Call.Reply;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.dataverse.FaultKind;
import dev.sluice.simulator.dataverse.FaultRule;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpHeaders;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One message, one request, and what became of every record. */
class WebMessengerTest {
  private static final Table ACCOUNT = Worlds.ACCOUNT;
  private static final Table QUEUE = Worlds.QUEUE;
  private static final Table READING = Worlds.READING;
  private static final Operation CREATE = Operation.CREATE;
  private static final Operation UPDATE = Operation.UPDATE;
  private static final Operation UPSERT = Operation.UPSERT;
  private static final Operation DELETE = Operation.DELETE;
  private static final MessageOptions PLAIN = MessageOptions.DEFAULTS;

  private static UUID id(int number) {
    return UUID.fromString("00000000-0000-4000-8000-%012d".formatted(number));
  }

  private static Item item(int number, String columns) {
    return new Item(number, new RecordKey.Id(id(number)), true, columns.replace('\'', '"'));
  }

  private static Item byKey(String predicate, String columns) {
    return new Item(0, new RecordKey.Alternate(predicate), false, columns.replace('\'', '"'));
  }

  private static Reply<Result> send(World world, Table table, Operation operation, Item... items)
      throws IOException, InterruptedException {
    return new WebMessenger(world.service()).send("app1", table, operation, List.of(items), PLAIN);
  }

  private static List<Object> column(World world, String table, String column) {
    List<Object> values = new ArrayList<>();
    world.environment().rows(table).forEach(row -> values.add(String.valueOf(row.get(column))));
    return values;
  }

  private static void isDone(Reply<Result> reply) {
    assertThat(reply.value()).isInstanceOf(Result.Done.class);
    assertThat(reply.signal()).isInstanceOf(Signal.Success.class);
    assertThat(reply.signal().quota()).isNotEmpty();
  }

  private static Fault refused(Reply<Result> reply) {
    assertThat(reply.value()).isInstanceOf(Result.Refused.class);
    return ((Result.Refused) reply.value()).fault();
  }

  private static List<@Nullable Fault> each(Reply<Result> reply) {
    assertThat(reply.value()).isInstanceOf(Result.Each.class);
    return ((Result.Each) reply.value()).faults();
  }

  @Test
  void records_are_created_updated_upserted_and_deleted_many_at_once() {
    Worlds.free(
        world -> {
          isDone(send(world, ACCOUNT, CREATE, item(1, "'name':'Ä \\' ü'"), item(2, "")));
          assertThat(column(world, "account", "name")).containsExactly("Ä \" ü", "null");
          isDone(send(world, ACCOUNT, UPDATE, item(2, "'name':'b'")));
          isDone(send(world, ACCOUNT, UPSERT, item(1, "'name':'a'"), item(3, "'name':'c'")));
          assertThat(column(world, "account", "name")).containsExactly("a", "b", "c");
          isDone(send(world, ACCOUNT, DELETE, item(1, ""), item(3, "")));
          assertThat(column(world, "account", "name")).containsExactly("b");
          assertThat(world.environment().requests(10))
              .extracting(record -> record.operation().name())
              .containsExactly("CREATE_MULTIPLE", "UPDATE_MULTIPLE", "UPSERT_MULTIPLE", "BATCH");
        });
  }

  @Test
  void a_standard_table_takes_all_or_none() {
    Worlds.free(
        world -> {
          isDone(send(world, ACCOUNT, CREATE, item(1, "")));
          Reply<Result> duplicate =
              send(world, ACCOUNT, CREATE, item(2, ""), item(1, "'name':'x'"));
          assertThat(refused(duplicate))
              .isEqualTo(new Fault.Duplicate(true, "0x80040237", "Cannot insert duplicate key."));
          assertThat(duplicate.signal()).isInstanceOf(Signal.Rejected.class);
          assertThat(refused(send(world, ACCOUNT, UPDATE, item(1, ""), item(7, ""))))
              .isInstanceOf(Fault.NotFound.class);
          assertThat(refused(send(world, ACCOUNT, CREATE, item(3, "'nme':'x'"))))
              .isInstanceOf(Fault.Validation.class);
          assertThat(world.environment().rows("account")).hasSize(1);
        });
  }

  @ParameterizedTest
  @CsvSource({"UPDATE,200", "UPSERT,200", "UPSERT,202", "DELETE,200"})
  void only_the_status_of_the_service_proves_that_rows_are_written(
      Operation operation, int status) {
    Worlds.free(
        world -> {
          Recorder recorder =
              new Recorder(world.transport(), answer(status, "{}", "OData-Version", "4.0"));
          Reply<Result> reply =
              recorder
                  .messenger(world)
                  .send("app1", READING, operation, List.of(item(1, "")), PLAIN);
          assertThat(refused(reply)).isInstanceOf(Fault.NotDataverse.class);
          assertThat(refused(reply).message()).contains("status " + status);
          assertThat(reply.signal()).isInstanceOf(Signal.Transient.class);
        });
  }

  @Test
  void alternate_keys_are_addresses_whatever_characters_they_hold() {
    Worlds.free(
        world -> {
          Item odd = byKey("accountnumber='50% of O''B & co'", "'name':'one'");
          isDone(send(world, ACCOUNT, UPSERT, odd));
          assertThat(column(world, "account", "accountnumber")).containsExactly("50% of O'B & co");
          isDone(
              send(
                  world,
                  ACCOUNT,
                  UPDATE,
                  byKey("accountnumber='50% of O''B & co'", "'name':'two'")));
          assertThat(column(world, "account", "name")).containsExactly("two");
          assertThat(
                  new WebMessenger(world.service())
                      .exists("app1", ACCOUNT, requireNonNull(odd.key()))
                      .value())
              .isTrue();
          isDone(send(world, ACCOUNT, DELETE, odd));
          assertThat(world.environment().rows("account")).isEmpty();
        });
  }

  @Test
  void where_a_table_has_no_bulk_messages_a_batch_does_and_tells_each_record_apart() {
    Worlds.free(
        world -> {
          isDone(send(world, QUEUE, CREATE, item(1, "'name':'q1'"), item(2, "'name':'Ü2'")));
          Reply<Result> mixed =
              send(world, QUEUE, CREATE, item(3, "'name':'q3'"), item(1, ""), item(4, ""));
          assertThat(each(mixed))
              .extracting(fault -> fault == null)
              .containsExactly(true, false, true);
          assertThat(each(mixed).get(1)).isInstanceOf(Fault.Duplicate.class);
          assertThat(mixed.signal()).isInstanceOf(Signal.Success.class);
          assertThat(each(send(world, QUEUE, UPDATE, item(1, "'name':'u'"), item(9, "'name':'u'"))))
              .satisfiesExactly(
                  first -> assertThat(first).isNull(),
                  second -> assertThat(second).isInstanceOf(Fault.NotFound.class));
          isDone(send(world, QUEUE, UPSERT, item(9, "'name':'new'")));
          assertThat(each(send(world, QUEUE, DELETE, item(2, ""), item(2, ""))))
              .satisfiesExactly(
                  first -> assertThat(first).isNull(),
                  second -> assertThat(second).isInstanceOf(Fault.NotFound.class));
          assertThat(column(world, "queue", "name")).containsExactly("u", "q3", "null", "new");
        });
  }

  @Test
  void a_message_that_a_table_turns_out_not_to_know_is_told_so() {
    Worlds.free(
        world -> {
          Table believed =
              new Table("queue", "queues", "queueid", false, List.of(), List.of(), ACCOUNT.bulk());
          assertThat(refused(send(world, believed, CREATE, item(1, ""))))
              .isInstanceOf(Fault.Unsupported.class);
        });
  }

  @Test
  void rows_of_an_elastic_table_have_each_an_outcome() {
    Worlds.free(
        world -> {
          Reply<Result> partly =
              send(
                  world,
                  READING,
                  CREATE,
                  item(1, "'sim_count':1"),
                  item(2, "'sim_count':-5"),
                  item(3, "'sim_count':3"),
                  item(4, "'sim_count':-7"));
          assertThat(each(partly))
              .satisfiesExactly(
                  row -> assertThat(row).isNull(),
                  row -> assertThat(row).isInstanceOf(Fault.Validation.class),
                  row -> assertThat(row).isNull(),
                  row -> assertThat(row.message()).contains("of another row only"));
          assertThat(each(partly).get(1).message()).startsWith("A validation error occurred.");
          assertThat(partly.signal()).isInstanceOf(Signal.Success.class);
          assertThat(partly.signal().quota()).isNotEmpty();
          assertThat(world.environment().rows("sim_sensorreading")).hasSize(2);

          Item elsewhere = new Item(5, new RecordKey.Id(id(5), "it's"), true, "\"sim_count\":5");
          isDone(send(world, READING, CREATE, elsewhere));
          isDone(
              send(world, READING, UPSERT, new Item(5, elsewhere.key(), true, "\"sim_count\":6")));
          WebMessenger messenger = new WebMessenger(world.service());
          assertThat(messenger.exists("app1", READING, requireNonNull(elsewhere.key())).value())
              .isTrue();
          assertThat(messenger.exists("app1", READING, new RecordKey.Id(id(5))).value()).isFalse();
          assertThat(each(send(world, READING, DELETE, elsewhere, item(8, ""))))
              .satisfiesExactly(
                  row -> assertThat(row).isNull(),
                  row -> assertThat(row).isInstanceOf(Fault.NotFound.class));
        });
  }

  @Test
  void a_token_that_is_refused_is_forgotten_and_a_repeat_has_a_new_one() {
    Worlds.free(
        world -> {
          WebMessenger messenger = new WebMessenger(world.service());
          isDone(messenger.send("app2", ACCOUNT, CREATE, List.of(item(1, "")), PLAIN));
          world.environment().expireTokens();
          Reply<Result> refused =
              messenger.send("app2", ACCOUNT, CREATE, List.of(item(2, "")), PLAIN);
          assertThat(refused(refused)).isInstanceOf(Fault.Authentication.class);
          assertThat(refused.signal())
              .isEqualTo(Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED));
          isDone(messenger.send("app2", ACCOUNT, CREATE, List.of(item(2, "")), PLAIN));
          assertThat(world.environment().requests(9)).allMatch(r -> r.user().equals("app2"));
        });
  }

  @ParameterizedTest
  @CsvSource({
    "DEADLOCK, Deadlock, 0",
    "TABLE_PREPARATION, TablePreparation, 0",
    "SQL_TIMEOUT, SqlTimeout, 0",
    "BUSY, Busy, 0",
    "BAD_GATEWAY, UnknownOutcome, 1",
    "UNAVAILABLE, UnknownOutcome, 1",
    "GATEWAY_TIMEOUT, UnknownOutcome, 1"
  })
  void what_goes_wrong_is_told_by_its_kind(FaultKind kind, String name, int stored) {
    Worlds.in(
        Worlds.FREE.withFaults(List.of(FaultRule.next(kind, 0, 1))),
        world -> {
          Fault fault = refused(send(world, ACCOUNT, CREATE, item(1, "")));
          assertThat(fault.getClass().getSimpleName()).isEqualTo(name);
          assertThat(world.environment().rows("account")).hasSize(stored);
        });
  }

  @Test
  void without_an_answer_nobody_knows_unless_nothing_was_sent() {
    Worlds.in(
        Worlds.FREE.withFaults(List.of(FaultRule.next(FaultKind.DROPPED, 0, 1))),
        world -> {
          assertThatThrownBy(() -> send(world, ACCOUNT, CREATE, item(1, "")))
              .isExactlyInstanceOf(IOException.class);
          assertThat(world.environment().rows("account")).hasSize(1);
          Transport broken =
              request -> {
                throw new IOException("connection reset");
              };
          Service offline =
              new Service(
                  world.transport(),
                  Worlds.ADDRESS,
                  DataverseOptions.API_VERSION,
                  Worlds.tokens(broken, Worlds.ADDRESS, world.time()),
                  Timeouts.DEFAULTS,
                  world.time(),
                  Routes.PLAIN);
          assertThatThrownBy(
                  () ->
                      new WebMessenger(offline)
                          .send("app1", ACCOUNT, CREATE, List.of(item(2, "")), PLAIN))
              .isInstanceOf(ConnectException.class);
        });
  }

  @Test
  void an_answer_that_dribbles_beyond_the_time_out_is_none() {
    Worlds.in(
        Worlds.FREE.withFaults(
            List.of(
                FaultRule.next(FaultKind.SLOW_BODY, 0, 1).lasting(Duration.ofSeconds(299)),
                FaultRule.next(FaultKind.SLOW_BODY, 0, 1).lasting(Duration.ofSeconds(301)))),
        world -> {
          long start = world.time().nanos();
          isDone(send(world, ACCOUNT, CREATE, item(1, "")));
          assertThatThrownBy(() -> send(world, ACCOUNT, CREATE, item(2, "")))
              .isInstanceOf(HttpTimeoutException.class);
          assertThat(Duration.ofNanos(world.time().nanos() - start))
              .isEqualTo(Duration.ofSeconds(599));
        });
  }

  @Test
  void a_throttle_carries_its_facet_and_its_wait() {
    Worlds.in(
        Worlds.FREE
            .withTimes(ServiceTimes.NONE)
            .withFarm(
                FarmOptions.DEFAULTS.withProtection(
                    ProtectionOptions.UNLIMITED.withRequests(1).withWindow(Duration.ofMinutes(5)))),
        world -> {
          for (Table table : List.of(ACCOUNT, QUEUE)) {
            Reply<Result> reply = send(world, table, CREATE, item(1, ""));
            if (reply.value() instanceof Result.Done) {
              reply = send(world, table, CREATE, item(2, ""));
            }
            assertThat(refused(reply))
                .isInstanceOfSatisfying(
                    Fault.ServiceProtection.class,
                    fault -> {
                      assertThat(fault.facet()).isEqualTo(Signal.Facet.REQUESTS);
                      assertThat(fault.retryAfter()).isPresent();
                    });
            assertThat(reply.signal()).isInstanceOf(Signal.Throttled.class);
          }
        });
  }

  /** Remembers what is sent, and answers all of it alike. */
  private static final class Recorder implements Transport {
    private final Transport signIn;
    private final WebAnswer answer;
    private final List<WebRequest> requests = new ArrayList<>();

    Recorder(Transport signIn, WebAnswer answer) {
      this.signIn = signIn;
      this.answer = answer;
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      if (request.uri().getPath().contains("oauth2")) {
        return signIn.send(request);
      }
      requests.add(request);
      return answer;
    }

    String body() {
      return new String(requests.getLast().body(), UTF_8);
    }

    Messenger messenger(World world) {
      return new WebMessenger(
          new Service(
              this,
              Worlds.ADDRESS,
              DataverseOptions.API_VERSION,
              Worlds.tokens(this, Worlds.ADDRESS, world.time()),
              Timeouts.DEFAULTS,
              world.time(),
              Routes.PLAIN));
    }
  }

  private static WebAnswer answer(int status, String body, String... headers) {
    Map<String, List<String>> fields = new TreeMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      fields.put(headers[i], List.of(headers[i + 1]));
    }
    return new WebAnswer(
        status, HttpHeaders.of(fields, (name, value) -> true), body.getBytes(UTF_8));
  }

  @Test
  void options_are_headers_of_the_message_and_of_every_part_of_a_batch() {
    MessageOptions all =
        new MessageOptions(
            MessageOptions.Bypass.ALL, List.of(), true, true, Optional.of("load 1&2"));
    Worlds.free(
        world -> {
          Recorder recorder = new Recorder(world.transport(), answer(204, ""));
          Messenger messenger = recorder.messenger(world);
          messenger.send("app1", ACCOUNT, UPDATE, List.of(item(1, "'name':'x'")), all);
          WebRequest request = recorder.requests.getLast();
          assertThat(request.uri())
              .hasToString(
                  Worlds.ADDRESS
                      + "/api/data/v9.2/accounts/Microsoft.Dynamics.CRM.UpdateMultiple?tag=load%201%262");
          assertThat(String.join("|", request.headers()))
              .contains(
                  "Authorization|Bearer ",
                  "OData-MaxVersion|4.0",
                  "OData-Version|4.0",
                  "Accept|application/json",
                  "If-None-Match|null",
                  "Content-Type|application/json; charset=utf-8",
                  "MSCRM.BypassBusinessLogicExecution|CustomSync,CustomAsync",
                  "MSCRM.SuppressCallbackRegistrationExpanderJob|true",
                  "MSCRM.SuppressDuplicateDetection|false")
              .doesNotContain("Prefer", "Cookie");
          assertThat(request.timeout()).isEqualTo(Duration.ofMinutes(5));
          assertThat(recorder.body())
              .isEqualTo(
                  "{\"Targets\":[{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\","
                      + "\"accountid\":\""
                      + id(1)
                      + "\",\"name\":\"x\"}]}");

          messenger.send("app1", ACCOUNT, DELETE, List.of(item(1, ""), item(2, "")), all);
          assertThat(String.join("|", recorder.requests.getLast().headers()))
              .contains("Prefer|odata.continue-on-error", "multipart/mixed; boundary=\"batch_")
              .doesNotContain("MSCRM");
          assertThat(recorder.body().split("MSCRM.SuppressDuplicateDetection: false\r\n", -1))
              .hasSize(3);
          assertThat(recorder.body())
              .contains(
                  "DELETE /api/data/v9.2/accounts(" + id(1) + ")?tag=load%201%262 HTTP/1.1\r\n");
        });
  }

  @Test
  void steps_are_bypassed_by_their_ids_and_plug_ins_by_the_older_header() {
    MessageOptions steps =
        new MessageOptions(
            MessageOptions.Bypass.LEGACY, List.of(id(7), id(8)), false, false, Optional.empty());
    Worlds.free(
        world -> {
          Recorder recorder = new Recorder(world.transport(), answer(204, ""));
          Messenger messenger = recorder.messenger(world);
          messenger.send("app1", ACCOUNT, UPDATE, List.of(item(1, "'name':'x'")), steps);
          assertThat(String.join("|", recorder.requests.getLast().headers()))
              .contains(
                  "MSCRM.BypassCustomPluginExecution|true",
                  "MSCRM.BypassBusinessLogicExecutionStepIds|" + id(7) + "," + id(8))
              .doesNotContain("MSCRM.BypassBusinessLogicExecution|");
          messenger.send("app1", ACCOUNT, DELETE, List.of(item(1, ""), item(2, "")), steps);
          assertThat(recorder.body().split("MSCRM.BypassCustomPluginExecution: true\r\n", -1))
              .hasSize(3);
          assertThat(recorder.body().split("StepIds: " + id(7) + "," + id(8) + "\r\n", -1))
              .hasSize(3);
        });
  }

  @Test
  void a_step_is_named_once() {
    assertThatThrownBy(
            () ->
                new MessageOptions(
                    MessageOptions.Bypass.NONE,
                    List.of(id(7), id(7)),
                    false,
                    false,
                    Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bypassSteps has %s twice, but must name each step once".formatted(id(7)));
  }

  @Test
  void parts_that_are_missing_from_a_batchs_answer_are_unknown_and_throttled_ones_hold_the_lane() {
    String part =
        "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 %s\r\nRetry-After: 9\r\n\r\n%s\r\n";
    String throttled =
        part.formatted(
            "429 Too Many Requests", "{\"error\":{\"code\":\"0x80072321\",\"message\":\"m\"}}");
    Worlds.free(
        world -> {
          Recorder recorder =
              new Recorder(
                  world.transport(),
                  answer(
                      200,
                      part.formatted("204 No Content", "") + throttled + "--b--\r\n",
                      "OData-Version",
                      "4.0",
                      "Content-Type",
                      "multipart/mixed; boundary=b"));
          Reply<Result> reply =
              recorder
                  .messenger(world)
                  .send(
                      "app1",
                      ACCOUNT,
                      DELETE,
                      List.of(item(1, ""), item(2, ""), item(3, "")),
                      PLAIN);
          assertThat(each(reply))
              .satisfiesExactly(
                  first -> assertThat(first).isNull(),
                  second -> assertThat(second).isInstanceOf(Fault.ServiceProtection.class),
                  third -> assertThat(third).isInstanceOf(Fault.UnknownOutcome.class));
          assertThat(reply.signal())
              .isEqualTo(
                  new Signal.Throttled(
                      Optional.of(Duration.ofSeconds(9)),
                      Signal.Facet.EXECUTION_TIME,
                      "0x80072321",
                      List.of()));
          // A boundary that the service did not find: it says 200, and has done nothing.
          Recorder deaf =
              new Recorder(
                  world.transport(),
                  answer(200, "--b--\r\n", "Content-Type", "multipart/mixed; boundary=b"));
          assertThat(
                  each(
                      deaf.messenger(world)
                          .send("app1", ACCOUNT, DELETE, List.of(item(1, "")), PLAIN)))
              .satisfiesExactly(one -> assertThat(one).isInstanceOf(Fault.UnknownOutcome.class));
          Recorder odd =
              new Recorder(
                  world.transport(), answer(200, "{}", "Content-Type", "application/json"));
          assertThat(
                  refused(
                      odd.messenger(world)
                          .send("app1", ACCOUNT, DELETE, List.of(item(1, "")), PLAIN)))
              .isInstanceOf(Fault.NotDataverse.class);
        });
  }

  @Test
  void an_elastic_table_without_room_for_some_row_is_a_throttle() {
    String body =
        "{\"error\":{\"code\":\"0x80048d0a\",\"message\":\"m\",\"@x.BulkApiErrorDetails\":"
            + "\"[{\\\"RequestIndex\\\":0,\\\"StatusCode\\\":429},{\\\"RequestIndex\\\":1,\\\"StatusCode\\\":%d}]\"}}";
    Worlds.free(
        world -> {
          List<Item> two = List.of(item(1, ""), item(2, ""));
          Reply<Result> full =
              new Recorder(world.transport(), answer(500, body.formatted(429)))
                  .messenger(world)
                  .send("app1", READING, CREATE, two, PLAIN);
          assertThat(each(full)).allMatch(fault -> fault instanceof Fault.Busy);
          assertThat(full.signal()).isInstanceOf(Signal.Throttled.class);
          Reply<Result> partly =
              new Recorder(world.transport(), answer(500, body.formatted(201)))
                  .messenger(world)
                  .send("app1", READING, CREATE, two, PLAIN);
          assertThat(partly.signal()).isInstanceOf(Signal.Throttled.class);
        });
  }

  @ParameterizedTest
  @CsvSource({"0x80048d0a,validation", "0x80040220,privilege"})
  void a_row_of_an_elastic_table_is_forbidden_to_the_user_only_if_the_code_says_so(
      String code, String name) {
    String body =
        ("{\"error\":{\"code\":\"%s\",\"message\":\"m\",\"@x.BulkApiErrorDetails\":"
                + "\"[{\\\"RequestIndex\\\":0,\\\"StatusCode\\\":403}]\"}}")
            .formatted(code);
    Worlds.free(
        world ->
            assertThat(
                    each(
                        new Recorder(world.transport(), answer(500, body))
                            .messenger(world)
                            .send("app1", READING, CREATE, List.of(item(1, "")), PLAIN)))
                .satisfiesExactly(
                    fault -> assertThat(requireNonNull(fault).wireName()).isEqualTo(name)));
  }

  @Test
  void whether_a_row_exists_is_yes_no_or_not_known() {
    Worlds.free(
        world -> {
          isDone(send(world, ACCOUNT, CREATE, item(1, "")));
          WebMessenger messenger = new WebMessenger(world.service());
          assertThat(messenger.exists("app1", ACCOUNT, new RecordKey.Id(id(1))).value()).isTrue();
          assertThat(messenger.exists("app1", ACCOUNT, new RecordKey.Id(id(2))).value()).isFalse();
          world.environment().strike(List.of(FaultRule.next(FaultKind.UNAVAILABLE, 0, 1)));
          assertThat(messenger.exists("app1", ACCOUNT, new RecordKey.Id(id(1))).value()).isNull();
          Table wrong =
              new Table("acc", "accs", "accid", false, List.of(), List.of(), ACCOUNT.bulk());
          assertThat(messenger.exists("app1", wrong, new RecordKey.Id(id(1))).value()).isNull();
        });
  }

  @Test
  void whether_a_row_was_made_after_a_time_is_yes_no_or_not_known() {
    Worlds.free(
        world -> {
          isDone(send(world, ACCOUNT, CREATE, item(1, "")));
          WebMessenger messenger = new WebMessenger(world.service());
          RecordKey there = new RecordKey.Id(id(1));
          Instant before = world.time().instant().minusSeconds(10);
          Instant after = world.time().instant().plusSeconds(10);
          assertThat(messenger.madeAfter("app1", ACCOUNT, there, before).value()).isTrue();
          assertThat(messenger.madeAfter("app1", ACCOUNT, there, after).value()).isFalse();
          assertThat(messenger.madeAfter("app1", ACCOUNT, new RecordKey.Id(id(2)), before).value())
              .isFalse();
          world.environment().strike(List.of(FaultRule.next(FaultKind.UNAVAILABLE, 0, 1)));
          assertThat(messenger.madeAfter("app1", ACCOUNT, there, before).value()).isNull();
        });
  }

  @Test
  void what_cannot_be_sent_is_refused_before() {
    Worlds.free(
        world -> {
          assertThatThrownBy(() -> send(world, ACCOUNT, CREATE)).hasMessageContaining("0 items");
          assertThatThrownBy(() -> send(world, ACCOUNT, CREATE, byKey("accountnumber='1'", "")))
              .hasMessageContaining("create with the key");
          assertThatThrownBy(
                  () ->
                      new WebMessenger(world.service())
                          .send("nobody", ACCOUNT, CREATE, List.of(item(1, "")), PLAIN))
              .hasMessageContaining("there is no identity 'nobody'");
          assertThat(world.environment().requests(10)).isEmpty();
        });
  }
}
