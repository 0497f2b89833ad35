package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.farm.Balancer;
import dev.sluice.simulator.farm.Facet;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Service protection and service time, in simulated time. */
class ProtectionTest {
  private static EnvironmentOptions limited(ProtectionOptions limits) {
    return EnvironmentOptions.of(Worlds.USERS)
        .withFarm(FarmOptions.DEFAULTS.withProtection(limits));
  }

  @Test
  void the_execution_time_refusal_reads_as_documented_and_its_wait_is_true() {
    ProtectionOptions limits =
        ProtectionOptions.DOCUMENTED.withExecutionTime(Duration.ofMillis(50));
    Worlds.in(
        limited(limits),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          assertThat(client.post("accounts", "{}").status()).isEqualTo(204);
          assertThat(time.nanos()).isEqualTo(Duration.ofMillis(50).toNanos());
          Response refused = client.post("accounts", "{}");
          assertThat(refused.status()).isEqualTo(429);
          assertThat(code(refused)).isEqualTo("0x80072321");
          assertThat(message(refused))
              .isEqualTo(
                  "Combined execution time of incoming requests exceeded limit of 50  milliseconds"
                      + " over time window of 300 seconds. Decrease number of concurrent requests"
                      + " or reduce the duration of requests and try again later.");
          assertThat(refused.headers().first("Retry-After")).isEqualTo("300");
          assertThat(refused.headers().first("x-ms-ratelimit-time-remaining-xrm-requests"))
              .isEqualTo("0.00");
          time.sleep(Duration.ofMinutes(5));
          assertThat(client.post("accounts", "{}").status()).isEqualTo(204);
        });
  }

  @Test
  void too_many_at_once_are_refused_and_the_rest_take_their_time_side_by_side() {
    Worlds.in(
        limited(ProtectionOptions.DOCUMENTED),
        (environment, time) -> {
          List<Time.Task> tasks = new ArrayList<>();
          List<Response> answers = new ArrayList<>();
          for (int i = 0; i < 60; i++) {
            Client client = new Client(environment, 0);
            tasks.add(
                time.start(
                    "client " + i,
                    () -> {
                      try {
                        answers.add(client.get("accounts"));
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
          }
          for (Time.Task task : tasks) {
            task.join();
          }
          assertThat(time.nanos()).isEqualTo(ServiceTimes.TYPICAL.read().toNanos());
          List<Response> refused = answers.stream().filter(each -> each.status() == 429).toList();
          assertThat(refused).hasSize(8);
          assertThat(message(refused.get(0)))
              .isEqualTo("Number of concurrent requests exceeded the limit of 52.");
          assertThat(code(refused.get(0))).isEqualTo("0x80072326");
          Counters.OfUser user = environment.counters().users().get(0);
          assertThat(user.sent()).isEqualTo(60);
          assertThat(user.accepted()).isEqualTo(52);
          assertThat(user.rejected()).containsEntry(Facet.CONCURRENCY, 8L);
          assertThat(user.inFlight()).isZero();
        });
  }

  @Test
  void what_was_refused_had_no_effect_and_limits_of_zero_refuse_everything() {
    Worlds.in(
        limited(ProtectionOptions.DOCUMENTED.withRequests(0)),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          Response refused = client.post("accounts", "{'name':'x'}");
          assertThat(refused.status()).isEqualTo(429);
          assertThat(refused.headers().first("Retry-After")).isEqualTo("1020");
          assertThat(client.post("accounts", "not even JSON").status()).isEqualTo(429);
          assertThat(environment.rows("account")).isEmpty();
        });
  }

  @Test
  void a_batch_is_one_request_and_takes_as_long_as_its_parts() {
    Worlds.in(
        limited(ProtectionOptions.DOCUMENTED),
        (environment, time) -> {
          String part =
              String.join(
                  "\r\n",
                  "--b",
                  "Content-Type: application/http",
                  "",
                  "POST /api/data/v9.2/accounts HTTP/1.1",
                  "",
                  "{}",
                  "");
          new Client(environment, 0)
              .call(
                  "POST",
                  "$batch",
                  part.repeat(3) + "--b--\r\n",
                  "Content-Type",
                  "multipart/mixed;boundary=b");
          assertThat(time.nanos())
              .isEqualTo(
                  ServiceTimes.TYPICAL.light().toNanos()
                      + 3 * ServiceTimes.TYPICAL.write().toNanos());
          assertThat(environment.counters().users().get(0).sent()).isEqualTo(1);
          assertThat(environment.rows("account")).hasSize(3);
        });
  }

  @Test
  void a_bulk_message_takes_longer_the_more_rows_it_carries() {
    Worlds.in(
        limited(ProtectionOptions.DOCUMENTED),
        (environment, time) -> {
          Client client = new Client(environment, 0);
          String row = "{'@odata.type':'Microsoft.Dynamics.CRM.account'}";
          client.post(
              "accounts/Microsoft.Dynamics.CRM.CreateMultiple",
              "{'Targets':[" + String.join(",", row, row, row) + "]}");
          assertThat(time.nanos())
              .isEqualTo(
                  ServiceTimes.TYPICAL.bulk().toNanos() + 3 * ServiceTimes.TYPICAL.row().toNanos());
        });
  }

  @Test
  void a_cookie_leads_back_to_its_server_and_without_one_all_servers_are_met() {
    EnvironmentOptions options =
        Worlds.FREE.withFarm(
            FarmOptions.DEFAULTS.withServers(4).withBalancer(Balancer.ROUND_ROBIN));
    Worlds.in(
        options,
        (environment, time) -> {
          Client client = new Client(environment, 0);
          Set<String> cookies = new HashSet<>();
          for (int i = 0; i < 4; i++) {
            cookies.add(client.get("WhoAmI").headers().first("Set-Cookie"));
          }
          assertThat(cookies).hasSize(4);
          String pinned =
              Objects.requireNonNull(client.get("WhoAmI").headers().first("Set-Cookie"));
          for (int i = 0; i < 5; i++) {
            Response again =
                client.get("WhoAmI", "Cookie", "x=y; " + pinned.substring(0, pinned.indexOf(';')));
            assertThat(again.headers().first("Set-Cookie")).isEqualTo(pinned);
          }
          assertThat(environment.requests(5)).allMatch(each -> each.server() == 0);
          assertThat(client.get("WhoAmI").headers().first("x-ms-dop-hint")).isEqualTo("16");
        });
  }

  @Test
  void the_same_seed_gives_the_same_day() {
    List<String> first = day(5);
    assertThat(day(5)).isEqualTo(first);
    assertThat(day(6)).isNotEqualTo(first);
  }

  private static List<String> day(long seed) {
    List<String> log = new ArrayList<>();
    EnvironmentOptions options =
        limited(ProtectionOptions.DOCUMENTED.withRequests(20))
            .withFaults(
                List.of(
                    FaultRule.rate(FaultKind.DEADLOCK, 0.2),
                    FaultRule.rate(FaultKind.DROPPED, 0.2)));
    Worlds.in(
        options,
        seed,
        (environment, time) -> {
          List<Time.Task> tasks = new ArrayList<>();
          for (int user = 0; user < 3; user++) {
            Client client = new Client(environment, user);
            tasks.add(
                time.start(
                    "user " + user,
                    () -> {
                      try {
                        for (int i = 0; i < 30; i++) {
                          var unused = client.send("POST", "accounts", "{}");
                        }
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }));
          }
          for (Time.Task task : tasks) {
            task.join();
          }
          environment.requests(1_000).forEach(each -> log.add(each.toString()));
          log.add(environment.rows("account").toString());
        });
    return log;
  }
}
