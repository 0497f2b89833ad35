package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason.Failure;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tokens that somebody else issues, wanted by several workers at once. */
class TokenTest {

  /** Takes every refresh token once, as RFC 9700 wants it, and answers after a second. */
  private static final class Issuer implements Transport {
    final Time time;
    final List<String> taken = new ArrayList<>();
    String good = "r0";

    Issuer(Time time) {
      this.time = time;
    }

    @Override
    public WebAnswer send(WebRequest request) throws InterruptedException {
      String body = new String(request.body(), StandardCharsets.UTF_8);
      String given = body.replaceFirst(".*refresh_token=(r[0-9]+).*", "$1");
      taken.add(given);
      boolean known = given.equals(good);
      if (known) {
        good = "r" + taken.size();
      }
      time.sleep(Duration.ofSeconds(1));
      return known
          ? Script.json(
              "{\"access_token\": \"t%d\", \"refresh_token\": \"%s\", \"expires_in\": 3600}"
                  .formatted(taken.size(), good))
          : Script.answer(400, "{\"error\": \"invalid_grant\"}");
    }
  }

  @Test
  void two_workers_who_want_a_token_at_once_share_one_request_for_it() {
    SimulatedTime.run(
        1,
        time -> {
          Issuer issuer = new Issuer(time);
          Connector connector = connector(issuer, time);
          assertThat(workers(2, connector, time))
              .containsExactly("Authorization Bearer t1", "Authorization Bearer t1");
          assertThat(issuer.taken).containsExactly("r0");
        });
  }

  @Test
  void the_refresh_token_that_came_last_is_given_for_the_next_token() {
    SimulatedTime.run(
        1,
        time -> {
          Issuer issuer = new Issuer(time);
          Connector connector = connector(issuer, time);
          assertThat(workers(1, connector, time)).containsExactly("Authorization Bearer t1");
          time.sleep(Duration.ofHours(1));
          assertThat(workers(3, connector, time)).containsOnly("Authorization Bearer t2");
          assertThat(connector.provider().authorization().refused(with("t1"))).isTrue();
          assertThat(workers(1, connector, time))
              .as("a late word about an old token")
              .containsExactly("Authorization Bearer t2");
          assertThat(connector.provider().authorization().refused(with("t2"))).isTrue();
          assertThat(workers(3, connector, time)).containsOnly("Authorization Bearer t3");
          assertThat(issuer.taken).containsExactly("r0", "r1", "r2");
        });
  }

  @Test
  void a_refresh_token_that_is_refused_is_told_to_all_who_wait_and_not_sent_again_for_them() {
    SimulatedTime.run(
        1,
        time -> {
          Issuer issuer = new Issuer(time);
          issuer.good = "r9";
          assertThat(workers(3, connector(issuer, time), time))
              .containsOnly(
                  Failure.AUTH_FAILURE
                      + " 127.0.0.1 issues no token (invalid_grant); check the client's id, its"
                      + " secret and its scope");
          assertThat(issuer.taken).containsExactly("r0");
        });
  }

  @Test
  void a_request_that_got_no_answer_counts_for_all_who_waited_for_it() {
    SimulatedTime.run(
        1,
        time -> {
          List<URI> asked = new ArrayList<>();
          Transport broken =
              request -> {
                asked.add(request.uri());
                time.sleep(Duration.ofSeconds(30));
                throw new IOException("no answer");
              };
          long began = time.nanos();
          assertThat(workers(3, connector(broken, time), time)).containsOnly("no answer");
          assertThat(asked).hasSize(1);
          assertThat(Duration.ofNanos(time.nanos() - began)).hasSeconds(30);
        });
  }

  @Test
  void if_whoever_asks_is_stopped_another_asks_in_its_place() {
    SimulatedTime.run(
        1,
        time -> {
          List<URI> asked = new ArrayList<>();
          Connector connector =
              connector(
                  request -> {
                    asked.add(request.uri());
                    time.sleep(Duration.ofSeconds(1));
                    return Script.json("{\"access_token\": \"t%d\"}".formatted(asked.size()));
                  },
                  time);
          List<String> had = new ArrayList<>();
          Time.Task first = time.start("first", () -> had.add(signed(connector)));
          time.sleep(Duration.ofMillis(100));
          Time.Task second = time.start("second", () -> had.add(signed(connector)));
          time.sleep(Duration.ofMillis(100));
          first.interrupt();
          first.join();
          second.join();
          assertThat(had).containsExactly("stopped", "Authorization Bearer t2");
        });
  }

  /** What so many who sign at the same moment get. */
  private static List<String> workers(int count, Connector connector, Time time)
      throws InterruptedException {
    List<String> had = new ArrayList<>();
    List<Time.Task> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(time.start("worker " + i, () -> had.add(signed(connector))));
    }
    for (Time.Task task : tasks) {
      task.join();
    }
    return had;
  }

  private static WebRequest with(String token) {
    return request("Authorization", "Bearer " + token);
  }

  private static WebRequest request(String... headers) {
    return new WebRequest(
        "GET",
        URI.create("http://127.0.0.1:8089/items"),
        List.of(headers),
        new byte[0],
        Duration.ofSeconds(30));
  }

  private static String signed(Connector connector) {
    try {
      return String.join(" ", connector.provider().authorization().sign(request()).headers());
    } catch (ProviderException e) {
      return e.reason() + " " + e.getMessage();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      return "stopped";
    }
  }

  private static Connector connector(Transport issuer, Time time) throws Exception {
    return ConnectorFile.parse(
            "items.yaml",
            """
            connector: items
            config: {refresh: {type: secret}}
            provider:
              base: http://127.0.0.1:8089
              auth:
                oauth2:
                  grant: refresh
                  token-url: http://127.0.0.1:8089/oauth/token
                  client-id: client-1
                  client-secret: s3cret
                  refresh-token: "{config.refresh}"
            streams:
              items: {get: /items, key: id, pages: link-header}
            """)
        .bind(Map.of("refresh", "r0"), issuer, time);
  }
}
