package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.http.Lost;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong on demand, and whether the work was done. */
class FaultsTest {
  private static final String CREATE = "accounts/Microsoft.Dynamics.CRM.CreateMultiple";
  private static final String ONE =
      "{\"Targets\":[{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\",\"name\":\"x\"}]}";

  @ParameterizedTest(name = "{0} is status {1}, rows stored: {2}")
  @CsvSource({
    "DEADLOCK, 500, 0, 0x80044150, Sql Number: 1205",
    "TABLE_PREPARATION, 500, 0, 0x80044150, Cannot drop type 'account_tvp'",
    "SQL_TIMEOUT, 500, 0, 0x80044151, Sql Number: -2",
    "BUSY, 503, 0, 0x8004A001, busy",
    "DROPPED_BEFORE, 0, 0, , ",
    "BAD_GATEWAY, 502, 1, , 502 Bad Gateway",
    "UNAVAILABLE, 503, 1, , 503 Service Unavailable",
    "GATEWAY_TIMEOUT, 504, 1, , 504 Gateway Time-out",
    "DROPPED, 0, 1, , ",
    "SLOW_BODY, 200, 1, , Ids",
    "EXPIRED_TOKEN, 401, 0, , "
  })
  void a_fault_strikes_the_requests_of_its_script_and_no_other(
      FaultKind kind, int status, int rows, String code, String says) {
    Worlds.in(
        Worlds.FREE.withFaults(List.of(FaultRule.next(kind, 1, 1))),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          assertThat(client.call("POST", CREATE, ONE).status()).isEqualTo(200);
          Reply struck = client.send("POST", CREATE, ONE);
          if (struck instanceof Response response) {
            assertThat(response.status()).isEqualTo(status);
            if (code != null) {
              assertThat(code(response)).isEqualTo(code);
              assertThat(message(response)).contains(says);
            } else if (says != null) {
              assertThat(response.text()).contains(says);
            }
            assertThat(response.bodyTime())
                .isEqualTo(kind == FaultKind.SLOW_BODY ? Duration.ofSeconds(2) : Duration.ZERO);
          } else {
            assertThat(struck).isInstanceOf(Lost.class);
            assertThat(status).isZero();
          }
          assertThat(environment.rows("account")).hasSize(1 + rows);
          assertThat(environment.counters().faults()).containsEntry(kind, 1L);
          Client again = kind == FaultKind.EXPIRED_TOKEN ? new Client(environment, 0) : client;
          assertThat(again.call("POST", CREATE, ONE).status()).isEqualTo(200);
        });
  }

  @Test
  void a_gateway_says_nothing_that_the_service_would_say() {
    Worlds.in(
        Worlds.FREE.withFaults(List.of(FaultRule.next(FaultKind.BAD_GATEWAY, 0, 1))),
        (environment, time) -> {
          Response response = new Client(environment, 0).call("POST", CREATE, ONE);
          assertThat(response.headers().first("x-ms-dop-hint")).isNull();
          assertThat(response.headers().first("OData-Version")).isNull();
        });
  }

  @Test
  void a_rate_strikes_its_share_of_what_matches() {
    FaultRule rule =
        FaultRule.rate(FaultKind.DEADLOCK, 0.3).onlyFor(Operation.CREATE).onlyOn("account");
    Worlds.in(
        Worlds.FREE.withFaults(List.of(rule)),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          int failed = 0;
          for (int i = 0; i < 1_000; i++) {
            failed += client.post("accounts", "{}").status() == 500 ? 1 : 0;
            assertThat(client.post("contacts", "{}").status()).isEqualTo(204);
            assertThat(client.get("WhoAmI").status()).isEqualTo(200);
          }
          assertThat(failed).isBetween(250, 350);
          assertThat(environment.rows("account")).hasSize(1_000 - failed);
        });
  }

  @Test
  void large_requests_alone_time_out_where_a_rule_says_so() {
    Worlds.in(
        Worlds.FREE.withFaults(List.of(FaultRule.rate(FaultKind.SQL_TIMEOUT, 1).from(2))),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          assertThat(client.call("POST", CREATE, ONE).status()).isEqualTo(200);
          String two = ONE.replace("[{", "[{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\"},{");
          assertThat(code(client.call("POST", CREATE, two))).isEqualTo("0x80044151");
        });
  }

  @Test
  void whoever_comes_while_the_first_prepares_the_table_fails_and_later_ones_do_not() {
    Worlds.in(
        Worlds.FREE.withTimes(ServiceTimes.TYPICAL).withPreparation(true),
        (environment, time) -> {
          List<Integer> statuses = new ArrayList<>();
          List<Time.Task> tasks = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            Client client = new Client(environment, i);
            tasks.add(
                time.start(
                    "client " + i,
                    () -> {
                      try {
                        statuses.add(client.call("POST", CREATE, ONE).status());
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
          }
          for (Time.Task task : tasks) {
            task.join();
          }
          assertThat(statuses).containsExactlyInAnyOrder(200, 500, 500);
          assertThat(new Client(environment, 0).call("POST", CREATE, ONE).status()).isEqualTo(200);
          assertThat(environment.counters().faults())
              .containsEntry(FaultKind.TABLE_PREPARATION, 2L);
        });
  }

  @Test
  void an_interrupted_request_leaves_nothing_running() {
    Worlds.in(
        Worlds.FREE.withTimes(ServiceTimes.TYPICAL),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          Time.Task task =
              time.start(
                  "client",
                  () ->
                      assertThatThrownBy(() -> client.get("accounts"))
                          .isInstanceOf(InterruptedException.class));
          time.sleep(Duration.ofMillis(1));
          assertThat(environment.counters().users().get(0).inFlight()).isEqualTo(1);
          task.interrupt();
          task.join();
          assertThat(environment.counters().users().get(0).inFlight()).isZero();
        });
  }
}
