package dev.sluice.dataverse.signin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.signin.Credential.ClientSecret;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenCacheTest {
  private static final Duration LIFE = Duration.ofHours(1);

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 50);
  }

  /** A sign-in service that takes two seconds; {@code status} says how the n-th request ends. */
  private static final class Service {
    private final Time time;
    private final IntFunction<Integer> status;
    private int requests;
    private int atOnce;
    private int mostAtOnce;

    Service(Time time, IntFunction<Integer> status) {
      this.time = time;
      this.status = status;
    }

    TokenCache cache() {
      URI somewhere = URI.create("https://login.example.com");
      return new TokenCache(
          new TokenSource(request -> answer(), somewhere, somewhere, time, text -> {}),
          new ClientSecret("t", "c", "s"),
          time);
    }

    private WebAnswer answer() throws InterruptedException {
      int number = ++requests;
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      try {
        time.sleep(Duration.ofSeconds(2));
      } finally {
        atOnce--;
      }
      String body =
          "{\"access_token\":\"T%d\",\"expires_in\":%d,\"error\":\"invalid_client\"}"
              .formatted(number, LIFE.toSeconds());
      return new WebAnswer(
          status.apply(number),
          HttpHeaders.of(Map.of(), (name, value) -> true),
          body.getBytes(UTF_8));
    }
  }

  private static void callers(Time time, int count, Runnable body) throws InterruptedException {
    List<Time.Task> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(time.start("caller", body));
    }
    for (Time.Task task : tasks) {
      task.join();
    }
  }

  private static String token(TokenCache cache) {
    try {
      return cache.token();
    } catch (IOException e) {
      return e.getClass().getSimpleName();
    } catch (InterruptedException e) {
      return "interrupted";
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void many_callers_share_one_token(long seed) {
    SimulatedTime.run(
        seed,
        time -> {
          Service service = new Service(time, number -> 200);
          TokenCache cache = service.cache();
          Set<String> seen = new TreeSet<>();
          callers(time, 20, () -> seen.add(token(cache)));
          assertThat(seen).containsExactly("T1");
          assertThat(service.requests).isEqualTo(1);
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void one_caller_renews_before_the_end_and_the_others_go_on_with_the_old_one(long seed) {
    SimulatedTime.run(
        seed,
        time -> {
          Service service = new Service(time, number -> 200);
          TokenCache cache = service.cache();
          assertThat(cache.token()).isEqualTo("T1");
          time.sleep(Duration.ofMinutes(54));
          assertThat(cache.token()).isEqualTo("T1");
          time.sleep(Duration.ofMinutes(2));
          long start = time.nanos();
          List<String> seen = new ArrayList<>();
          List<Long> waits = new ArrayList<>();
          callers(
              time,
              10,
              () -> {
                seen.add(token(cache));
                waits.add(time.nanos() - start);
              });
          assertThat(seen).containsOnlyOnce("T2").contains("T1");
          assertThat(waits.stream().filter(wait -> wait == 0)).hasSize(9);
          assertThat(service.requests).isEqualTo(2);
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void after_the_end_all_wait_for_the_new_one(long seed) {
    SimulatedTime.run(
        seed,
        time -> {
          Service service = new Service(time, number -> 200);
          TokenCache cache = service.cache();
          assertThat(cache.token()).isEqualTo("T1");
          time.sleep(LIFE);
          List<String> seen = new ArrayList<>();
          callers(time, 10, () -> seen.add(token(cache)));
          assertThat(seen).hasSize(10).containsOnly("T2");
        });
  }

  @Test
  void a_discarded_token_is_replaced_and_a_later_one_is_not_discarded_by_mistake() {
    SimulatedTime.run(
        1,
        time -> {
          TokenCache cache = new Service(time, number -> 200).cache();
          String first = cache.token();
          cache.discard(first);
          String second = cache.token();
          assertThat(second).isEqualTo("T2");
          cache.discard(first);
          assertThat(cache.token()).isEqualTo("T2");
        });
  }

  @Test
  void a_renewal_that_fails_is_not_noticed_while_the_old_token_is_valid() {
    SimulatedTime.run(
        1,
        time -> {
          Service service = new Service(time, number -> number == 1 || number > 3 ? 200 : 503);
          TokenCache cache = service.cache();
          assertThat(cache.token()).isEqualTo("T1");
          time.sleep(Duration.ofMinutes(56));
          assertThat(cache.token()).isEqualTo("T1");
          assertThat(cache.token()).isEqualTo("T1");
          assertThat(service.requests).isEqualTo(2);
          time.sleep(Duration.ofSeconds(15));
          assertThat(cache.token()).isEqualTo("T1");
          time.sleep(Duration.ofSeconds(15));
          assertThat(cache.token()).isEqualTo("T4");
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_failure_is_everybodys_who_waits_for_it(long seed) {
    SimulatedTime.run(
        seed,
        time -> {
          Service service = new Service(time, number -> 401);
          TokenCache cache = service.cache();
          List<String> seen = new ArrayList<>();
          callers(time, 10, () -> seen.add(token(cache)));
          assertThat(seen).hasSize(10).containsOnly("SignInException");
          assertThat(service.requests).isEqualTo(1);
          Service busy = new Service(time, number -> 503);
          assertThatThrownBy(() -> busy.cache().token()).isInstanceOf(ConnectException.class);
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void if_the_one_who_renews_gives_up_another_takes_over(long seed) {
    SimulatedTime.run(
        seed,
        time -> {
          Service service = new Service(time, number -> 200);
          TokenCache cache = service.cache();
          List<String> seen = new ArrayList<>();
          Time.Task first = time.start("first", () -> seen.add(token(cache)));
          time.sleep(Duration.ofSeconds(1));
          List<Time.Task> others = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            others.add(time.start("other", () -> seen.add(token(cache))));
          }
          time.sleep(Duration.ofMillis(100));
          others.getFirst().interrupt();
          first.interrupt();
          for (Time.Task other : others) {
            other.join();
          }
          first.join();
          assertThat(seen).hasSize(6);
          assertThat(seen.stream().filter(each -> each.equals("interrupted"))).hasSize(2);
          // Who takes over may be the one that is interrupted a moment later.
          assertThat(seen.stream().filter(each -> each.startsWith("T"))).hasSize(4);
          assertThat(service.mostAtOnce).isEqualTo(1);
        });
  }
}
