package dev.sluice.simulator.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.QuotaHeaders;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A provider in process, in simulated time. */
class ProviderTest {
  private static final ProviderOptions DEFAULTS = ProviderOptions.DEFAULTS;

  @ParameterizedTest
  @EnumSource
  void every_item_is_found_once_whichever_way_pages_are_found(Paging paging) {
    with(
        DEFAULTS.withPaging(paging, 70),
        (provider, time) -> {
          List<Long> ids = readAll(provider, "/items?per_page=90");
          assertThat(ids).hasSize(1_000).doesNotHaveDuplicates();
          assertThat(readAll(provider, "/items?sort=id"))
              .isEqualTo(LongStream.rangeClosed(1, 1_000).boxed().toList());
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_filter_holds_on_every_page(Paging paging) {
    with(
        DEFAULTS.withPaging(paging, 70),
        (provider, time) -> {
          Instant since = time.instant().minus(Duration.ofDays(100));
          List<Long> all = readAll(provider, "/items");
          List<Long> recent = readAll(provider, "/items?updated_since=" + since);
          List<Long> earlier = readAll(provider, "/items?updated_before=" + since);
          assertThat(recent).hasSizeBetween(150, 500).doesNotHaveDuplicates();
          assertThat(earlier).doesNotContainAnyElementsOf(recent);
          assertThat(new HashSet<>(all)).hasSize(recent.size() + earlier.size());
          assertThat(readAll(provider, "/items?updated_since=" + since.getEpochSecond()))
              .isEqualTo(recent);
        });
  }

  @ParameterizedTest
  @EnumSource
  void comments_come_in_pages_too(Paging paging) {
    with(
        DEFAULTS.withPaging(paging, 2),
        (provider, time) -> {
          for (long id = 1; id <= 20; id++) {
            Map<String, Object> item = json(provider.exchange(Call.get("/items/" + id)));
            assertThat(item).containsKeys("id", "title", "state", "amount", "description");
            assertThat(readAll(provider, "/items/" + id + "/comments"))
                .hasSize((int) number(item, "comments"))
                .doesNotHaveDuplicates();
          }
        });
  }

  @Test
  void an_answer_takes_its_latency() {
    with(
        DEFAULTS.withService(ServiceOptions.DEFAULTS.withLatency(Duration.ofMillis(300), 0)),
        (provider, time) -> {
          long before = time.nanos();
          assertThat(provider.exchange(Call.get("/items")).status()).isEqualTo(200);
          assertThat(time.nanos() - before).isEqualTo(300_000_000);
        });
  }

  @Test
  void too_many_requests_are_refused_until_the_time_that_was_told() {
    with(
        limited("sliding:2/1m").withQuota(QuotaHeaders.TRIPLE),
        (provider, time) -> {
          assertThat(provider.exchange(Call.get("/items/1")).header("RateLimit-Remaining"))
              .contains("1");
          assertThat(provider.exchange(Call.get("/items/2")).status()).isEqualTo(200);
          Reply refused = provider.exchange(Call.get("/items/3"));
          assertThat(refused.status()).isEqualTo(429);
          assertThat(refused.header("Retry-After")).contains("60");
          assertThat(refused.body()).contains("rate_limited");
          time.sleep(Duration.ofSeconds(60));
          assertThat(provider.exchange(Call.get("/items/3")).status()).isEqualTo(200);
          assertThat(provider.counters(0).throttled()).isEqualTo(1);
          assertThat(provider.log())
              .extracting(LoggedRequest::verdict)
              .containsExactly(
                  Verdict.Kind.ADMITTED,
                  Verdict.Kind.ADMITTED,
                  Verdict.Kind.THROTTLED,
                  Verdict.Kind.ADMITTED);
        });
  }

  @Test
  void a_cap_counts_calls_while_they_run() {
    with(
        limited("concurrent:2"),
        (provider, time) -> {
          List<Integer> statuses = new ArrayList<>();
          List<Time.Task> tasks = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            tasks.add(
                time.start("reader", () -> statuses.add(status(provider, Call.get("/items")))));
          }
          for (Time.Task task : tasks) {
            task.join();
          }
          assertThat(statuses).containsExactlyInAnyOrder(200, 200, 429);
          assertThat(provider.exchange(Call.get("/items")).status()).isEqualTo(200);
        });
  }

  @Test
  void an_interrupted_call_leaves_its_slot() {
    with(
        limited("concurrent:1"),
        (provider, time) -> {
          Time.Task task =
              time.start(
                  "reader",
                  () -> {
                    try {
                      Reply unused = provider.exchange(Call.get("/items"));
                    } catch (InterruptedException | IOException expected) {
                      return;
                    }
                    throw new AssertionError("was not interrupted");
                  });
          time.sleep(Duration.ofMillis(10));
          task.interrupt();
          task.join();
          assertThat(provider.exchange(Call.get("/items")).status()).isEqualTo(200);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "THROTTLE_AS_403 | 403 | application/json         | rate_limited",
        "THROTTLE_AS_400 | 400 | application/json         | ThrottlingException",
        "THROTTLE_AS_401 | 401 | application/json         | unauthorized",
        "THROTTLE_AS_529 | 529 | application/json         | overloaded",
        "THROTTLE_AS_200 | 200 | application/json         | ratelimited",
        "BLOCK_PAGE      | 403 | text/html; charset=utf-8 | <html>",
        "RETRY_AFTER_IN_BODY | 429 | application/json     | \"retryDelay\":\"60s\""
      })
  void a_throttle_can_look_like_something_else(
      Misbehaviour misbehaviour, int status, String type, String body) {
    with(
        misbehaving("sliding:1/1m", misbehaviour),
        (provider, time) -> {
          assertThat(provider.serve(Call.get("/items")).status()).isEqualTo(200);
          Reply refused = provider.serve(Call.get("/items"));
          assertThat(refused.status()).isEqualTo(status);
          assertThat(refused.header("Content-Type")).contains(type);
          assertThat(refused.body()).contains(body);
          assertThat(refused.header("ETag")).isEmpty();
        });
  }

  @Test
  void an_unchanged_answer_is_not_sent_again() {
    with(
        DEFAULTS,
        (provider, time) -> {
          for (String path : List.of("/items", "/items/7", "/items/7/comments")) {
            String tag = provider.exchange(Call.get(path)).header("ETag").orElseThrow();
            Reply same = provider.exchange(Call.get(path).with("if-none-match", "\"x\", " + tag));
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.body()).isEmpty();
            assertThat(same.header("ETag")).contains(tag);
          }
          String tag = provider.exchange(Call.get("/items")).header("ETag").orElseThrow();
          provider.exchange(Call.post("/control", "{\"change\": 300}"));
          assertThat(provider.exchange(Call.get("/items").with("If-None-Match", tag)).status())
              .isEqualTo(200);
        });
  }

  @Test
  void changed_items_are_found_by_the_time_of_their_change() {
    with(
        DEFAULTS,
        (provider, time) -> {
          Instant before = time.instant();
          time.sleep(Duration.ofSeconds(10));
          provider.exchange(Call.post("/control", "{\"add\": 2, \"change\": 3, \"remove\": 1}"));
          assertThat(readAll(provider, "/items?updated_since=" + before)).hasSizeBetween(4, 5);
          assertThat(readAll(provider, "/items")).hasSize(1_001);
        });
  }

  @Test
  void what_has_vanished_is_410_and_what_never_was_404() {
    with(
        DEFAULTS.withCatalogue(DEFAULTS.catalogue().withItems(3)),
        (provider, time) -> {
          provider.exchange(Call.post("/control", "{\"remove\": 3}"));
          assertThat(provider.exchange(Call.get("/items/3")).status()).isEqualTo(410);
          assertThat(provider.exchange(Call.get("/items/4")).status()).isEqualTo(404);
          assertThat(provider.exchange(Call.get("/items/4/comments")).status()).isEqualTo(404);
          assertThat(readAll(provider, "/items")).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "OAUTH2"})
  void each_account_has_its_own_limit_and_nobody_else_is_served(Credentials.Kind kind) {
    with(
        limited("sliding:1/1m").withCredentials(Credentials.of(kind, 2)),
        (provider, time) -> {
          assertThat(provider.exchange(Call.get("/items")).status()).isEqualTo(401);
          assertThat(provider.exchange(signed(kind, 2)).status()).isEqualTo(401);
          assertThat(provider.exchange(signed(kind, 0)).status()).isEqualTo(200);
          assertThat(provider.exchange(signed(kind, 0)).status()).isEqualTo(429);
          assertThat(provider.exchange(signed(kind, 1)).status()).isEqualTo(200);
          assertThat(provider.log())
              .extracting(LoggedRequest::account)
              .containsExactly(-1, -1, 0, 0, 1);
          assertThat(provider.exchange(Call.get("/control/log")).body())
              .doesNotContain("simulated-secret");
        });
  }

  private static Call signed(Credentials.Kind kind, int account) {
    String secret = Credentials.secret(account);
    String pair = Credentials.name(account) + ":" + secret;
    return switch (kind) {
      case BEARER -> Call.get("/items").with("authorization", "bearer " + secret);
      case BASIC ->
          Call.get("/items")
              .with(
                  "Authorization",
                  "Basic "
                      + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
      case HEADER -> Call.get("/items").with("x-api-key", secret);
      case QUERY -> Call.get("/items?api_key=" + secret);
      default -> throw new IllegalArgumentException(kind.toString());
    };
  }

  @Test
  void access_tokens_are_issued_and_expire() {
    Credentials credentials = new Credentials(Credentials.Kind.OAUTH2, 2, Duration.ofMinutes(10));
    with(
        DEFAULTS.withCredentials(credentials),
        (provider, time) -> {
          String form =
              "grant_type=client_credentials&client_id=client-2&client_secret=simulated-secret-2";
          Map<String, Object> issued = json(provider.exchange(Call.post("/oauth/token", form)));
          assertThat(issued).containsEntry("expires_in", 600).containsEntry("token_type", "Bearer");
          Call call =
              Call.get("/items").with("Authorization", "Bearer " + issued.get("access_token"));
          assertThat(provider.exchange(call).status()).isEqualTo(200);
          assertThat(provider.log().getLast().account()).isEqualTo(1);
          time.sleep(Duration.ofMinutes(10));
          assertThat(provider.exchange(call).status()).isEqualTo(401);
          assertThat(provider.exchange(Call.post("/oauth/token", form + "x")).status())
              .isEqualTo(401);
          assertThat(provider.exchange(Call.post("/oauth/token", "")).status()).isEqualTo(400);
          assertThat(provider.exchange(Call.get("/oauth/token")).status()).isEqualTo(405);
        });
  }

  @Test
  void a_cursor_that_expires_is_410_after_a_minute() {
    with(
        misbehaving("none", Misbehaviour.CURSOR_EXPIRES),
        (provider, time) -> {
          Object cursor = json(provider.exchange(Call.get("/items"))).get("next_cursor");
          Call next = Call.get("/items?cursor=" + cursor);
          time.sleep(Duration.ofSeconds(59));
          assertThat(provider.exchange(next).status()).isEqualTo(200);
          time.sleep(Duration.ofSeconds(2));
          Reply late = provider.exchange(next);
          assertThat(late.status()).isEqualTo(410);
          assertThat(late.body()).contains("cursor_expired");
        });
  }

  @Test
  void a_cursor_that_loops_leads_from_the_third_page_back_to_the_second() {
    with(
        misbehaving("none", Misbehaviour.CURSOR_LOOPS),
        (provider, time) -> {
          List<Object> cursors = new ArrayList<>();
          List<String> pages = new ArrayList<>();
          String next = "/items?limit=10";
          for (int i = 0; i < 7; i++) {
            Reply page = provider.exchange(Call.get(next));
            pages.add(page.body());
            cursors.add(json(page).get("next_cursor"));
            next = "/items?cursor=" + cursors.getLast();
          }
          assertThat(pages.subList(3, 5)).isEqualTo(pages.subList(1, 3));
          assertThat(pages.subList(5, 7)).isEqualTo(pages.subList(1, 3));
          assertThat(cursors.get(2)).isEqualTo(cursors.get(0));
        });
  }

  @Test
  void answers_are_lost_where_that_is_asked_for() {
    for (Misbehaviour misbehaviour :
        List.of(Misbehaviour.CONNECTION_DROPS, Misbehaviour.BODY_TRUNCATED)) {
      with(
          misbehaving("none", misbehaviour),
          (provider, time) -> {
            int lost = 0;
            for (int i = 0; i < 1_000; i++) {
              try {
                assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(200);
              } catch (IOException expected) {
                lost++;
              }
            }
            assertThat(lost).isBetween(5, 45);
          });
    }
  }

  @Test
  void a_trickling_body_takes_five_seconds_more() {
    with(
        misbehaving("none", Misbehaviour.BODY_TRICKLES),
        (provider, time) -> {
          long slow = 0;
          for (int i = 0; i < 400; i++) {
            long before = time.nanos();
            assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(200);
            slow += (time.nanos() - before) / Duration.ofSeconds(5).toNanos();
          }
          assertThat(slow).isBetween(5L, 45L);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | /nothing                      | 404 | not_found",
        "GET    | /items/x                      | 404 | not_found",
        "GET    | /items/1/2/3                  | 404 | not_found",
        "GET    | /items/99999999999999999999   | 404 | not_found",
        "DELETE | /items/1                      | 405 | method_not_allowed",
        "GET    | /items?limit=0                | 400 | limit is '0', but must be 1 to 250",
        "GET    | /items?limit=-1               | 400 | invalid_parameter",
        "GET    | /items?limit=251              | 400 | invalid_parameter",
        "GET    | /items?updated_since=tomorrow | 400 | updated_since is 'tomorrow'",
        "GET    | /items?sort=colour            | 400 | must be updated_at or id",
        "GET    | /items?cursor=rubbish         | 400 | invalid_cursor",
        "GET    | /items?cursor=                | 400 | invalid_cursor",
        "GET    | /%zz                          | 400 | malformed_address",
        "GET    | /control/nothing              | 404 | not_found",
        "PUT    | /control                      | 405 | GET, HEAD, POST",
        "GET    | /control/log?last=x           | 400 | invalid_parameter"
      })
  void a_mistaken_call_is_told_why(String method, String target, int status, String why) {
    with(
        DEFAULTS,
        (provider, time) -> {
          Reply reply = provider.exchange(new Call(method, target, Map.of(), ""));
          assertThat(reply.status()).isEqualTo(status);
          assertThat(reply.body()).contains(why);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                           | object",
        "{\"limt\": \"5/m\"}          | there is no key 'limt'",
        "{\"limit\": \"5\"}           | cannot be read",
        "{\"factor\": -1}             | factor is -1",
        "{\"signal\": \"smoke\"}      | must be one of [retry-after, bare-429",
        "{\"misbehave\": [\"dance\"]} | there is no misbehaviour 'dance'",
        "{\"misbehave\": \"x\"}       | must be a list",
        "{\"add\": 1e9}               | add is 1.0E9",
        "{\"add\": 0.5}               | add is 0.5, but must be a whole number",
        "{\"reinstate\": \"yes\"}     | reinstate is yes, but must be true or false",
        "{\"expire_tokens\": 1}       | expire_tokens is 1, but must be true or false",
        "{                            | malformed_json",
        "rubbish                      | malformed_json"
      })
  void a_mistaken_change_changes_nothing_and_is_told_why(String body, String why) {
    with(
        DEFAULTS,
        (provider, time) -> {
          Reply reply = provider.exchange(Call.post("/control", body));
          assertThat(reply.status()).isEqualTo(400);
          assertThat(reply.body())
              .contains(why.replace("\"", "\\\""))
              .doesNotContain("java.util", "Stream", "Source");
        });
  }

  @Test
  void limits_signals_and_manners_change_while_it_runs() {
    with(
        limited("sliding:4/1m"),
        (provider, time) -> {
          provider.exchange(Call.post("/control", "{\"factor\": 0.5}"));
          assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(200);
          assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(200);
          assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(429);
          provider.exchange(
              Call.post(
                  "/control", "{\"signal\": \"bare-503\", \"misbehave\": [\"headers-vanish\"]}"));
          assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(503);
          provider.exchange(Call.post("/control", "{\"limit\": \"none\"}"));
          assertThat(provider.exchange(Call.get("/items/1")).status()).isEqualTo(200);
          assertThat(json(provider.exchange(Call.get("/control"))))
              .containsEntry("signal", "bare-503")
              .containsEntry("misbehaviours", List.of("headers-vanish"));
          assertThat(provider.log()).hasSize(5); // the control address is not among them
        });
  }

  @Test
  void a_limit_of_zero_refuses_properly() {
    with(
        limited("0/1m").withQuota(QuotaHeaders.LIST),
        (provider, time) -> {
          Reply refused = provider.exchange(Call.get("/items"));
          assertThat(refused.status()).isEqualTo(429);
          assertThat(refused.header("Retry-After")).contains("1");
          assertThat(refused.header("RateLimit"))
              .hasValueSatisfying(s -> assertThat(s).contains("r=0"));
        });
  }

  @Test
  void items_live_by_themselves() {
    with(
        DEFAULTS.withCatalogue(DEFAULTS.catalogue().withChangesPerMinute(60)),
        (provider, time) -> {
          String before = provider.exchange(Call.get("/items")).body();
          time.sleep(Duration.ofMinutes(10));
          assertThat(provider.exchange(Call.get("/items")).body()).isNotEqualTo(before);
          assertThat(json(provider.exchange(Call.get("/control"))).get("items"))
              .isNotEqualTo(1_000);
        });
  }

  @Test
  void options_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withPaging(Paging.LINK, 251))
        .withMessageContaining("pageSize is 251, but must be 1 to 250");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Credentials.of(Credentials.Kind.NONE, 2))
        .withMessageContaining("without credentials there is one account");
  }

  @Test
  void a_dropped_connection_is_an_exception_as_with_any_client() {
    with(
        misbehaving("none", Misbehaviour.CONNECTION_DROPS),
        (provider, time) ->
            assertThatIOException()
                .isThrownBy(
                    () -> {
                      for (int i = 0; i < 1_000; i++) {
                        provider.exchange(Call.get("/items/1"));
                      }
                    })
                .withMessageContaining("without an answer"));
  }

  private static ProviderOptions limited(String limit) {
    return DEFAULTS.withService(ServiceOptions.DEFAULTS.withLimit(LimitOptions.parse(limit)));
  }

  private static ProviderOptions misbehaving(String limit, Misbehaviour misbehaviour) {
    ProviderOptions options = limited(limit);
    return options.withService(options.service().withMisbehaviours(Set.of(misbehaviour)));
  }

  private static void with(ProviderOptions options, Scenario scenario) {
    SimulatedTime.run(1, time -> scenario.run(new Provider(options, time), time));
  }

  private static int status(Provider provider, Call call) {
    try {
      return provider.exchange(call).status();
    } catch (IOException | InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /** Follows pages to the end, as a client of any of the five kinds would. */
  private static List<Long> readAll(Provider provider, String first) throws Exception {
    List<Long> ids = new ArrayList<>();
    String path = first.replaceFirst("\\?.*", "");
    String target = first;
    while (target != null) {
      Reply reply = provider.exchange(Call.get(target));
      assertThat(reply.status()).as("%s: %s", target, reply.body()).isEqualTo(200);
      Map<String, Object> body =
          reply.body().startsWith("[")
              ? Json.read("{\"items\":" + reply.body() + "}")
              : json(reply);
      if (body.get("items") instanceof List<?> items) {
        items.forEach(item -> ids.add(number((Map<?, ?>) item, "id")));
      }
      target =
          switch (provider.options().paging()) {
            case OFFSET ->
                ids.size() < number(body, "total") ? with(first, "offset=" + ids.size()) : null;
            case PAGE -> {
              long page = number(body, "page");
              yield page < number(body, "total_pages") ? with(first, "page=" + (page + 1)) : null;
            }
            case CURSOR ->
                body.get("next_cursor") == null
                    ? null
                    : path + "?cursor=" + body.get("next_cursor");
            case LINK ->
                reply.header("Link").map(link -> link.replaceFirst("<(.*)>.*", "$1")).orElse(null);
            case NEXT_URL -> (String) body.get("next");
          };
    }
    return ids;
  }

  private static long number(Map<?, ?> object, String key) {
    return object.get(key) instanceof Number number ? number.longValue() : -1;
  }

  private static String with(String target, String parameter) {
    return target + (target.contains("?") ? "&" : "?") + parameter;
  }

  private static Map<String, Object> json(Reply reply) {
    return Json.read(reply.body());
  }

  private interface Scenario {
    void run(Provider provider, SimulatedTime time) throws Exception;
  }
}
