package dev.sluice.dataverse.webapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.Worlds.World;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.gate.Gate;
import dev.sluice.simulator.dataverse.Counters;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.FaultKind;
import dev.sluice.simulator.dataverse.FaultRule;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Single records, pages and first contact, through a gate. */
class WebApiTest {
  private interface Visit {
    void happen(World world, Calls calls) throws Exception;
  }

  private static void in(EnvironmentOptions options, Visit visit) {
    Worlds.in(
        options,
        world -> {
          try (Gate gate =
              Gate.builder()
                  .lane("app1", LaneOptions.fixed(2))
                  .lane("app2", LaneOptions.fixed(2))
                  .time(world.time())
                  .build()) {
            visit.happen(world, Calls.through(gate, world.service()));
          }
        });
  }

  private static UUID id(int number) {
    return UUID.fromString("00000000-0000-4000-8000-%012d".formatted(number));
  }

  private static RecordKey.Id key(int number) {
    return new RecordKey.Id(id(number));
  }

  @Test
  void a_record_is_created_changed_read_and_deleted() {
    in(
        Worlds.FREE,
        (world, calls) -> {
          Records records = new Records(calls, MessageOptions.DEFAULTS);
          assertThat(records.create(Worlds.ACCOUNT, key(1), "\"name\":\"a\"")).isEqualTo(id(1));
          UUID theirs = records.create(Worlds.ACCOUNT, null, "\"revenue\":20000.05");
          assertThat(
                  records
                      .retrieve(Worlds.ACCOUNT, new RecordKey.Id(theirs), List.of("revenue"))
                      .orElseThrow()
                      .get("revenue")
                      .decimalValue())
              .isEqualByComparingTo("20000.05");
          records.update(Worlds.ACCOUNT, key(1), "\"accountnumber\":\"A/1\"");
          records.upsert(Worlds.ACCOUNT, key(2), "\"name\":\"b\"");
          assertThat(world.environment().rows("account")).hasSize(3);
          assertThatThrownBy(() -> records.update(Worlds.ACCOUNT, key(9), "\"name\":\"x\""))
              .isInstanceOf(FaultException.class)
              .extracting(e -> ((FaultException) e).fault())
              .isInstanceOf(Fault.NotFound.class);
          assertThatThrownBy(() -> records.create(Worlds.ACCOUNT, key(1), ""))
              .hasMessageContaining("0x80040237");
          assertThat(records.delete(Worlds.ACCOUNT, key(1))).isTrue();
          assertThat(records.delete(Worlds.ACCOUNT, key(1))).isFalse();
          assertThat(records.retrieve(Worlds.ACCOUNT, key(1), List.of())).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultKind.class,
      names = {"BAD_GATEWAY", "GATEWAY_TIMEOUT", "DROPPED", "DROPPED_BEFORE", "EXPIRED_TOKEN"})
  void a_write_whose_answer_is_lost_is_done_once(FaultKind kind) {
    in(
        Worlds.FREE,
        (world, calls) -> {
          Records records = new Records(calls, MessageOptions.DEFAULTS);
          world.environment().strike(List.of(FaultRule.next(kind, 0, 1)));
          assertThat(records.create(Worlds.ACCOUNT, key(1), "\"name\":\"a\"")).isEqualTo(id(1));
          assertThat(world.environment().rows("account")).hasSize(1);
          world.environment().strike(List.of(FaultRule.next(kind, 0, 1)));
          assertThat(records.delete(Worlds.ACCOUNT, key(1))).isTrue();
          assertThat(world.environment().rows("account")).isEmpty();
        });
  }

  @Test
  void a_create_without_a_key_of_ours_is_not_repeated_when_nobody_knows() {
    in(
        Worlds.FREE.withFaults(List.of(FaultRule.next(FaultKind.BAD_GATEWAY, 0, 1))),
        (world, calls) -> {
          Records records = new Records(calls, MessageOptions.DEFAULTS);
          assertThatThrownBy(() -> records.create(Worlds.ACCOUNT, null, "\"name\":\"a\""))
              .isInstanceOf(FaultException.class)
              .extracting(e -> ((FaultException) e).fault())
              .isInstanceOf(Fault.UnknownOutcome.class);
          assertThat(world.environment().rows("account")).hasSize(1);
        });
  }

  @Test
  void pages_are_followed_as_their_links_say() {
    in(
        Worlds.FREE,
        (world, calls) -> {
          Records records = new Records(calls, MessageOptions.DEFAULTS);
          for (int i = 1; i <= 23; i++) {
            records.create(Worlds.ACCOUNT, key(i), "\"name\":\"n%d\"".formatted(i));
          }
          List<String> names = new ArrayList<>();
          new Queries(calls, 5)
              .forEach(
                  "accounts?$select=name&$orderby=accountid",
                  row -> names.add(row.get("name").asString()));
          assertThat(names).hasSize(23).doesNotHaveDuplicates().startsWith("n1", "n2");
        });
  }

  @Test
  void a_link_that_leads_elsewhere_gets_no_token() {
    in(
        Worlds.FREE,
        (world, calls) -> {
          for (String link :
              List.of(
                  "http://example.com/api/data/v9.2/accounts",
                  "http://localhost:5001/api/data/v9.2/accounts",
                  "https://localhost:5000/api/data/v9.2/accounts")) {
            assertThatThrownBy(() -> new Queries(calls, 5).page(URI.create(link)))
                .hasMessageContaining("no token is sent there");
          }
        });
  }

  @Test
  void reads_wait_for_throttles_to_end() {
    EnvironmentOptions narrow =
        Worlds.FREE.withFarm(
            FarmOptions.DEFAULTS.withProtection(
                ProtectionOptions.UNLIMITED
                    .withRequests(20)
                    .withWindow(Duration.ofSeconds(30))
                    .withWaits(Duration.ofSeconds(5), Duration.ofMinutes(1))));
    in(
        narrow,
        (world, calls) -> {
          Records records = new Records(calls, MessageOptions.DEFAULTS);
          for (int i = 0; i < 120; i++) {
            assertThat(records.retrieve(Worlds.ACCOUNT, key(i), List.of("name"))).isEmpty();
          }
          Counters counters = world.environment().counters();
          assertThat(counters.users().stream().mapToLong(Counters.OfUser::accepted).sum())
              .isEqualTo(120);
          assertThat(counters.users().get(0).accepted()).isPositive();
          assertThat(counters.users().get(1).accepted()).isPositive();
        });
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "48, 48", "100, 52"})
  void first_contact_tells_who_and_how_much(int hint, int degree) {
    Worlds.in(
        Worlds.FREE.withParallelism(hint),
        world -> {
          world.environment().strike(List.of(FaultRule.next(FaultKind.BAD_GATEWAY, 0, 1)));
          WhoAmI who = WhoAmI.ask(world.service(), "app2", world.time());
          assertThat(who.userId()).isEqualTo(Worlds.USERS.get(1).userId());
          assertThat(who.recommendedDegree()).isEqualTo(degree);
        });
  }
}
