package dev.sluice.gate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.pacing.HintedPolicy;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits that a provider tells are spent almost whole, and nothing is refused. */
class ToldLimitsTest {
  private static final int REQUESTS = 2_000;

  /** What a run came to. */
  private record Result(double seconds, int refused) {}

  /** The headers of express-rate-limit, a window of which begins with the first request in it. */
  enum Form {
    DRAFT_6,
    DRAFT_7,
    DRAFT_8,
    LEGACY,
    /** As legacy, but the reset is rounded down: it names a time before the quota returns. */
    ROUNDED_DOWN
  }

  @ParameterizedTest
  @CsvSource({
    "DRAFT_6,1,0", "DRAFT_6,1,400", "DRAFT_6,200,0", "DRAFT_6,200,700",
    "DRAFT_7,1,0", "DRAFT_7,1,400", "DRAFT_7,200,0", "DRAFT_7,200,700",
    "DRAFT_8,1,0", "DRAFT_8,1,400", "DRAFT_8,200,0", "DRAFT_8,200,700",
    "LEGACY,1,0", "LEGACY,1,100", "LEGACY,1,400", "LEGACY,1,900",
    "LEGACY,200,0", "LEGACY,200,100", "LEGACY,200,400", "LEGACY,200,900"
  })
  void a_hundred_in_ten_seconds_are_spent_to_97_percent_and_none_is_refused(
      Form form, long latency, long phase) {
    LaneOptions declared =
        LaneOptions.paced(
            PacerOptions.builder().coldStart(10).ceiling(1_000).maxInFlight(4).build());
    for (LaneOptions options : List.of(unbounded(8), declared, LaneOptions.learning())) {
      Result result = run(options, new Limiter(form, 100, 10_000), latency, phase, 0);
      assertThat(result.refused).isZero();
      // The length of the window is not told there: it is learned from the first two.
      assertThat(result.seconds).isLessThan(form == Form.LEGACY ? 200 * 1.04 : 200 / 0.97);
    }
  }

  @ParameterizedTest
  @CsvSource({"DRAFT_6", "DRAFT_7", "DRAFT_8", "LEGACY"})
  void answers_that_overtake_each_other_cost_little_and_none_is_refused(Form form) {
    for (int phase = 0; phase < 1_000; phase += 130) {
      Result result = run(unbounded(8), new Limiter(form, 100, 10_000), 100, phase, 0.6);
      assertThat(result.refused).isZero();
      assertThat(result.seconds).isLessThan(200 * 1.04);
    }
  }

  @ParameterizedTest
  @CsvSource({"5,60,0.98", "30,10,0.96", "600,60,0.98", "1000,3600,0.99"})
  void other_limits_are_spent_likewise(int limit, long window, double share) {
    for (Form form : Form.values()) {
      Result result = run(unbounded(4), new Limiter(form, limit, window * 1_000), 20, 300, 0.2);
      assertThat((double) REQUESTS * window / limit / result.seconds)
          .as("%s", form)
          .isGreaterThan(share);
      // Who rounds down is believed until it refuses, once.
      assertThat(result.refused)
          .as("%s", form)
          .isLessThanOrEqualTo(form == Form.ROUNDED_DOWN ? 1 : 0);
    }
  }

  private static LaneOptions unbounded(int inFlight) {
    return LaneOptions.of(now -> new HintedPolicy(new FixedRatePolicy(1_000, 1, inFlight, now)));
  }

  private static Result run(
      LaneOptions options, Limiter limiter, long latency, long phase, double sigma) {
    Result[] result = new Result[1];
    SimulatedTime.run(
        1,
        time -> {
          Signals signals = Signals.builder().build();
          SplittableRandom random = new SplittableRandom(3);
          time.sleep(Duration.ofMillis(phase));
          Gate gate = Gate.builder().time(time).lane("api", options).build();
          AtomicInteger left = new AtomicInteger(REQUESTS);
          AtomicInteger refused = new AtomicInteger();
          long begun = time.nanos();
          List<Time.Task> workers = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            workers.add(
                time.start(
                    "worker",
                    () -> {
                      while (left.getAndDecrement() > 0) {
                        try (Permit permit = gate.acquire(Run.unbounded(), Ask.patient())) {
                          double factor = Math.exp(sigma * random.nextGaussian());
                          Duration half = Duration.ofNanos((long) (latency * 500_000L * factor));
                          time.sleep(half);
                          Answer answer = limiter.answer(time.instant());
                          time.sleep(half);
                          if (answer.status() == 429) {
                            refused.incrementAndGet();
                            left.incrementAndGet();
                          }
                          permit.settle(
                              signals
                                  .read(
                                      Answer.of(answer.status(), answer.headers(), time.instant())
                                          .withRoundTrip(half.multipliedBy(2)))
                                  .signal());
                        } catch (InterruptedException e) {
                          throw new AssertionError(e);
                        }
                      }
                    }));
          }
          for (Time.Task worker : workers) {
            worker.join();
          }
          result[0] = new Result((time.nanos() - begun) / 1e9, refused.get());
        });
    return result[0];
  }

  private static final class Limiter {
    private final Form form;
    private final int limit;
    private final long window;
    private long resetsAt;
    private int used;

    Limiter(Form form, int limit, long windowMillis) {
      this.form = form;
      this.limit = limit;
      this.window = windowMillis;
    }

    Answer answer(Instant at) {
      long now = at.toEpochMilli();
      if (now >= resetsAt) {
        resetsAt = now + window;
        used = 0;
      }
      used++;
      int remaining = Math.max(0, limit - used);
      String seconds = Long.toString(Math.ceilDiv(resetsAt - now, 1_000));
      Map<String, List<String>> told =
          switch (form) {
            case DRAFT_6 ->
                Map.of(
                    "RateLimit-Policy", List.of(limit + ";w=" + window / 1_000),
                    "RateLimit-Limit", List.of("" + limit),
                    "RateLimit-Remaining", List.of("" + remaining),
                    "RateLimit-Reset", List.of(seconds));
            case DRAFT_7 ->
                Map.of(
                    "RateLimit-Policy", List.of(limit + ";w=" + window / 1_000),
                    "RateLimit",
                        List.of(
                            "limit=%d, remaining=%d, reset=%s"
                                .formatted(limit, remaining, seconds)));
            case DRAFT_8 ->
                Map.of(
                    "RateLimit-Policy",
                        List.of("\"100-in-10sec\"; q=" + limit + "; w=" + window / 1_000),
                    "RateLimit", List.of("\"100-in-10sec\"; r=" + remaining + "; t=" + seconds));
            case LEGACY, ROUNDED_DOWN ->
                Map.of(
                    "X-RateLimit-Limit", List.of("" + limit),
                    "X-RateLimit-Remaining", List.of("" + remaining),
                    "Date",
                        List.of(
                            DateTimeFormatter.RFC_1123_DATE_TIME
                                .withLocale(Locale.ROOT)
                                .format(at.atOffset(ZoneOffset.UTC))),
                    "X-RateLimit-Reset",
                        List.of(
                            ""
                                + (form == Form.LEGACY
                                    ? Math.ceilDiv(resetsAt, 1_000)
                                    : resetsAt / 1_000)));
          };
      Map<String, List<String>> headers = new TreeMap<>(told);
      if (used > limit) {
        headers.put("Retry-After", List.of(seconds));
      }
      return Answer.of(used > limit ? 429 : 200, headers, at);
    }
  }
}
