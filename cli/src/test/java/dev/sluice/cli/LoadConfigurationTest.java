package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stands in {@code sluice.yaml} has its effect at the service: an option that is read and then
 * dropped on the way to the load is noticed here.
 */
class LoadConfigurationTest {
  private static final String TABLE = "account";
  private static final Duration PER_MESSAGE = Duration.ofMillis(150);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private LoadStage stage;

  @BeforeEach
  void open() throws IOException {
    stage =
        new LoadStage(
            folder,
            new ServiceTimes(
                Duration.ZERO, Duration.ZERO, PER_MESSAGE, PER_MESSAGE, Duration.ZERO));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  /** Loads rows in messages of one, with a line more below {@code dataverse}. */
  private Ran load(int rows, String line) throws IOException {
    Files.writeString(folder.resolve("sluice.yaml"), "  " + line + "\n", StandardOpenOption.APPEND);
    String[] lines =
        IntStream.rangeClosed(0, rows)
            .mapToObj(i -> i == 0 ? "name" : "row " + i)
            .toArray(String[]::new);
    return stage.load(TABLE, stage.file("in.csv", lines), "--batch-size=1", "--output=json");
  }

  @ParameterizedTest(name = "{0} has {1} to {2} requests at once")
  @CsvSource(
      delimiter = '|',
      value = {
        "adaptiveRate: {policy: fixed}                  |  4 |  4", // as recommended
        "adaptiveRate: {enabled: false}                 |  4 |  4",
        "adaptiveRate: {initialParallelismFactor: 0.25} |  1 |  1",
        "limits: {maxInFlight: 3}                       |  3 |  3",
        "pinned: false                                  |  5 | 52" // what all others differ from
      })
  void parallelism_is_as_configured(String line, int least, int most) throws IOException {
    Ran ran = load(24, line);
    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(stage.mostAtOnce()).isBetween(least, most);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_message_is_throttled_as_often_as_configured(int retries) throws IOException {
    throttle("1");
    Ran ran = load(1, "resilience: {maxThrottleRetries: %d}".formatted(retries));
    assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.json().path("reason").asString()).isEqualTo("rate_limited");
    assertThat(stage.changes()).hasSize(1 + retries);
  }

  @Test
  void a_wait_beyond_the_configured_tolerance_ends_the_load() throws IOException {
    throttle("20");
    Ran ran = load(1, "pool: {maxRetryAfterTolerance: 10s}");
    assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.json().path("reason").asString()).isEqualTo("rate_limited");
    assertThat(stage.changes()).hasSize(1);
  }

  private void throttle(String retryAfter) {
    Headers headers = Headers.of("Content-Type", "application/json; odata.metadata=minimal");
    headers.add("Retry-After", retryAfter);
    stage.answerWith(
        request ->
            LoadStage.changes(request)
                ? Response.of(
                    429,
                    headers,
                    """
                    {"error":{"code":"0x80072322","message":"Number of requests exceeded"}}\
                    """)
                : null);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void affinity_cookies_go_out_only_where_pinned(boolean pinned) throws IOException {
    Ran ran = load(24, "pinned: " + pinned);
    assertThat(ran.code()).as(ran.toString()).isZero();
    long withCookie =
        stage.changes().stream()
            .filter(request -> request.headers().first("Cookie") != null)
            .count();
    if (pinned) {
      assertThat(withCookie).isPositive();
    } else {
      assertThat(withCookie).isZero();
    }
  }

  @Test
  void a_write_is_given_up_after_the_configured_time() throws IOException {
    CountDownLatch givenUp = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    stage.answerWith(
        request -> {
          if (LoadStage.changes(request) && isFirst.getAndSet(false)) {
            await(givenUp);
          } else if (!isFirst.get()) {
            givenUp.countDown(); // whatever is asked next, the first write is not waited for
          }
          return null;
        });
    Ran ran = load(1, "timeouts: {write: 50ms}");
    assertThat(ran.json().path("repeated").path("unknown_outcome").asInt()).isPositive();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
