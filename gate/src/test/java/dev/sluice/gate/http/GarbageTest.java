package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.NOW;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.Signal.Throttled;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever headers say, reading them neither throws nor makes us wait below zero or for ever. */
class GarbageTest {
  private static final int CASES = 10_000;

  private static final int[] STATUSES = {
    200,
    202,
    204,
    304,
    302,
    400,
    401,
    403,
    404,
    408,
    413,
    420,
    429,
    430,
    500,
    503,
    509,
    529,
    999,
    100,
    0,
    -1,
    Integer.MAX_VALUE
  };
  // Rarer than the rest: a structured field that is refused costs a stack trace.
  private static final String[] STRUCTURED = {
    "RateLimit", "RateLimit-Policy", "Beta-RateLimit", "X-Beta-RateLimit-Policy"
  };
  private static final String[] NAMES = {
    "Retry-After",
    "retry-after-ms",
    "x-amz-retry-after",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Reset-After",
    "X-RateLimit-Used",
    "X-RateLimit-Interval-Seconds",
    "X-RateLimit-Interval-Milliseconds",
    "X-RateLimit-FillRate",
    "X-RateLimit-Bucket",
    "X-RateLimit-Resource",
    "X-RateLimit-Retry-After",
    "X-RateLimit-ResetTime",
    "X-RateLimit-Limit-Day",
    "X-RateLimit-Remaining-Day",
    "X-RateLimit-Reset-Day",
    "X-RateLimit-",
    "X-RateLimit--",
    "X-Rate-Limit",
    "X-Rate-Limit-Remaining",
    "Date",
    "Age",
    "Content-Type"
  };
  private static final String[] PIECES = {
    "0",
    "1",
    "-1",
    "30",
    "2.0",
    "0.3",
    "3600",
    "1768478430",
    "1768478430000",
    "1768478430000000",
    "9000000",
    "999999999999999999",
    "9999999999999999999",
    "-999999999999999999",
    "NaN",
    "1e9",
    "0x10",
    "٣٠",
    " ",
    "\t",
    "",
    ",",
    ";",
    "=",
    "\"",
    "\\",
    "(",
    ")",
    ":",
    "-",
    "+",
    ".",
    "s",
    "ms",
    "h",
    "m",
    "6m0s",
    "r=",
    "t=",
    "q=",
    "w=",
    "pk=",
    "qu=",
    "r=1",
    "t=30",
    "q=100",
    "w=60",
    "\"a\";",
    "default;",
    "limit=100",
    "remaining=0",
    "reset=30",
    ":YWJj:",
    ":!:",
    "?1",
    "é",
    "\u0000",
    "\ud800",
    "Thu, 15 Jan 2026 12:00:30 GMT",
    "Thursday, 15-Jan-26 12:00:30 GMT",
    "Thu Jan 15 12:00:30 2026",
    "2026-01-15T12:00:30Z",
    "9999-12-31T23:59:59-18:00",
    "0000-01-01T00:00:00+18:00",
    "Thu Jan 15 2026 13:00:30 GMT+0100 (CET)",
    "Jan",
    "GMT",
    "(",
    "application/problem+json",
    "text/html",
    "100, 100;w=60, 1000;w=3600"
  };

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 10 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void reading_garbage_never_throws_and_gives_only_valid_waits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Signals signals = Signals.builder().expectJson().dialect(Dialect.prefixed("retry-")).build();
    for (int i = 0; i < CASES; i++) {
      Answer answer = answer(random);
      try {
        check(signals.read(answer));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed " + seed + ", case " + i + ": " + answer.status() + " " + answer.headers(), e);
      }
    }
  }

  private static void check(Reading reading) {
    for (QuotaHint hint : reading.signal().quota()) {
      hint.retryAfter().ifPresent(GarbageTest::checkWait);
      hint.resetAfter().ifPresent(GarbageTest::checkWait);
    }
    if (reading.signal() instanceof Throttled throttled) {
      throttled.retryAfter().ifPresent(GarbageTest::checkWait);
    }
  }

  private static void checkWait(Duration wait) {
    if (!wait.isPositive() || wait.compareTo(Duration.ofDays(31)) > 0) {
      throw new AssertionError("a wait of " + wait);
    }
  }

  private static Answer answer(SplittableRandom random) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      headers
          .computeIfAbsent(
              pick(random, random.nextInt(20) == 0 ? STRUCTURED : NAMES),
              unused -> new ArrayList<>())
          .add(value(random));
    }
    Instant received = random.nextInt(50) == 0 ? Instant.EPOCH : NOW;
    Answer answer =
        Answer.of(STATUSES[random.nextInt(STATUSES.length)], headers, received)
            .withBody(value(random));
    return random.nextBoolean()
        ? answer.withRoundTrip(Duration.ofMillis(random.nextInt(20_000)))
        : answer;
  }

  private static String value(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append(pick(random, PIECES));
    }
    if (random.nextInt(20) == 0) {
      text.insert(random.nextInt(text.length() + 1), (char) random.nextInt(0x10000));
    }
    return text.toString().repeat(random.nextInt(100) == 0 ? 200 : 1);
  }

  private static String pick(SplittableRandom random, String[] from) {
    return from[random.nextInt(from.length)];
  }
}
