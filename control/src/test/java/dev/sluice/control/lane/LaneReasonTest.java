package dev.sluice.control.lane;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.lane.LaneRun.Reply;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.pacing.HintedPolicy;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.parallelism.FixedPolicy;
import dev.sluice.control.policy.DelegatingPolicy;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.WireName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever makes a lane slower than it could be has a reason in one sentence. */
class LaneReasonTest {
  private static final long SECOND = SECONDS.toNanos(1);
  private static final Signal FAILURE = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);

  /** A lane after answers of this kind, one a second. */
  private static LaneRun after(LaneOptions options, int answers, Signal signal) {
    LaneRun run = new LaneRun(options, (item, now) -> new Reply(signal, MILLISECONDS.toNanos(50)));
    while (run.sent < answers) {
      run.until(run.now + SECOND);
    }
    return run;
  }

  private static void assertReason(LaneRun run, SlowedBy cause, String reason) {
    LaneStatistics shown = run.lane().statistics(run.now);
    assertThat(shown.reason()).isEqualTo(reason);
    assertThat(shown.slowedBy()).isEqualTo(cause);
  }

  @Test
  void a_lane_that_nothing_holds_back_has_no_reason() {
    assertReason(after(LaneOptions.fixed(1), 1, Signal.success()), SlowedBy.NOTHING, "");
  }

  @Test
  void a_told_wait() {
    Signal told = Signal.throttled(Duration.ofSeconds(37));
    LaneRun run = after(LaneOptions.fixed(1), 1, told);
    run.now = MILLISECONDS.toNanos(50);
    assertReason(run, SlowedBy.HOLD, "held for another 37 s: the provider said so");
  }

  @Test
  void a_refusal_that_told_no_wait() {
    LaneRun run = after(LaneOptions.fixed(1), 1, Signal.throttled());
    run.now = MILLISECONDS.toNanos(50);
    assertReason(
        run,
        SlowedBy.PROBING,
        "held for another 1 s: the provider refused and did not say for how long; then one request"
            + " is tried");
    run.now = run.lane().heldUntil();
    assertReason(
        run,
        SlowedBy.PROBING,
        "one request at a time finds out whether it is open again: the provider refused and did not"
            + " say for how long");
  }

  @Test
  void a_hold_that_was_told_elsewhere() {
    LaneRun run = after(LaneOptions.fixed(1), 1, Signal.success());
    run.lane().holdUntil(run.now + 125 * SECOND, run.now);
    assertReason(run, SlowedBy.HOLD, "held for another 2 min 5 s: it was told elsewhere");
  }

  @Test
  void a_quota_of_which_nothing_is_left() {
    QuotaHint spent = hint(100, 0, 30, Optional.of(Duration.ofSeconds(30)));
    LaneRun run = after(LaneOptions.fixed(1), 1, new Signal.Success(-1, List.of(spent)));
    run.now = MILLISECONDS.toNanos(50);
    assertReason(
        run, SlowedBy.HOLD, "held for another 30 s: the provider says that no quota is left");
  }

  @Test
  void an_open_circuit_and_one_that_is_tried() {
    LaneRun run = after(LaneOptions.fixed(1), 8, FAILURE);
    LaneStatistics open = run.lane().statistics(run.now);
    assertThat(open.reason())
        .matches("the circuit is open for another (1 min|\\d+ s): too many calls failed");
    assertThat(open.slowedBy()).isEqualTo(SlowedBy.CIRCUIT);
    run.now += 60 * SECOND;
    assertReason(
        run,
        SlowedBy.CIRCUIT,
        "one request at a time finds out whether it works again: too many calls failed");
  }

  @Test
  void a_stopped_lane() {
    for (Signal.Stopped.Reason reason : Signal.Stopped.Reason.values()) {
      Lane lane = new Lane("lane", LaneOptions.fixed(1), new SplittableRandom(1), 0);
      LaneRun run =
          new LaneRun(
              LaneOptions.fixed(2),
              (item, now) -> new Reply(Signal.stopped(reason), MILLISECONDS.toNanos(1)));
      try {
        run.requests(1);
      } catch (AssertionError stuck) {
        assertThat(stuck).hasMessageContaining("stuck");
      }
      assertThat(run.lane().reason(run.now)).startsWith("stopped until somebody reopens it: the ");
      assertThat(run.lane().slowedBy(run.now)).isEqualTo(SlowedBy.STOP);
      assertThat(lane.reason(0)).isEmpty();
    }
  }

  @Test
  void a_declared_rate() {
    assertReason(
        after(LaneOptions.of(now -> new FixedRatePolicy(0.2, 1, 1, now)), 1, Signal.success()),
        SlowedBy.DECLARED_LIMIT,
        "12/min: that is the declared rate");
  }

  @Test
  void a_declared_ceiling_and_the_way_to_it() {
    PacerOptions options = PacerOptions.builder().coldStart(10).ceiling(20).build();
    LaneRun run = after(LaneOptions.paced(options), 1, Signal.success());
    assertThat(run.lane().reason(run.now))
        .matches("1[0-9]/s: no limit was met yet; it rises while requests succeed");
    assertThat(run.lane().slowedBy(run.now)).isEqualTo(SlowedBy.START);
    run.until(30 * SECOND);
    assertReason(run, SlowedBy.DECLARED_LIMIT, "20/s: that is the declared ceiling");
    assertThat(run.lane().statistics(run.now).measuredRate()).isCloseTo(20, within(0.5));
  }

  @Test
  void refusals_and_slow_answers() {
    PacerOptions options = PacerOptions.builder().coldStart(20).ceiling(20).build();
    LaneRun run =
        new LaneRun(
            LaneOptions.paced(options),
            (item, now) ->
                now == 30 * SECOND
                    ? new Reply(Signal.throttled(Duration.ofMillis(1)), 1)
                    : new Reply(
                        Signal.success(), MILLISECONDS.toNanos(now < 60 * SECOND ? 50 : 150)));
    run.until(30 * SECOND + SECOND / 2);
    assertThat(run.lane().reason(run.now))
        .matches("1[4-9]/s: pressure came at 20/s; it rises while requests succeed");
    assertThat(run.lane().slowedBy(run.now)).isEqualTo(SlowedBy.REFUSALS);
    run.until(70 * SECOND);
    assertThat(run.lane().reason(run.now))
        .matches("1\\d/s: answers take 150 ms instead of \\d+ ms");
    assertThat(run.lane().slowedBy(run.now)).isEqualTo(SlowedBy.SLOW_ANSWERS);
  }

  @Test
  void a_limit_that_the_provider_tells() {
    QuotaHint told = hint(100, 42, 10, Optional.empty());
    assertReason(
        after(
            LaneOptions.of(now -> new HintedPolicy(new FixedPolicy(1))),
            1,
            new Signal.Success(-1, List.of(told))),
        SlowedBy.TOLD_LIMIT,
        "10/s: the provider tells a limit of 100 in 10 s, of which 42 are left");
  }

  @Test
  void a_learning_lane_from_the_first_request_to_a_learned_rate() {
    double[] tokens = {10, 0}; // of a bucket that refills 10 a second, and since when
    LaneRun run =
        new LaneRun(
            LaneOptions.learning(),
            (item, now) -> {
              tokens[0] = Math.min(10, tokens[0] + (now - tokens[1]) / 1e8);
              tokens[1] = now;
              boolean granted = tokens[0] >= 1;
              tokens[0] -= granted ? 1 : 0;
              return new Reply(
                  granted ? Signal.success() : Signal.throttled(),
                  MILLISECONDS.toNanos(now < 90 * SECOND ? 50 : 150));
            });
    run.until(SECOND / 10);
    assertReason(
        run,
        SlowedBy.START,
        "4/s and 2 at once: the limit is not known yet; it rises while requests succeed");
    while (run.refused == 0) {
      run.until(run.now + SECOND / 20);
    }
    assertReason(run, SlowedBy.PROBING, "the provider refuses; one request is tried in 960 ms");
    run.until(60 * SECOND);
    assertThat(run.lane().reason(run.now))
        .matches("(9\\.\\d|10)/s: \\d of the last \\d+ requests were refused; more is tried .*");
    run.until(120 * SECOND);
    assertReason(run, SlowedBy.SLOW_ANSWERS, "5.5/s: answers take 150 ms instead of 50 ms");
  }

  @Test
  void a_change_of_the_reason_is_told_once() {
    LaneRun run = after(LaneOptions.fixed(1), 1, Signal.success());
    assertThat(run.lane().takeSlowedBy(run.now)).isNull();
    run.lane().holdUntil(run.now + SECOND, run.now);
    assertThat(run.lane().takeSlowedBy(run.now)).isEqualTo(SlowedBy.HOLD);
    assertThat(run.lane().takeSlowedBy(run.now)).isNull();
    assertThat(run.lane().takeSlowedBy(run.now + SECOND)).isEqualTo(SlowedBy.NOTHING);
  }

  @Test
  void a_hold_from_elsewhere_is_told_to_the_policy() {
    List<Long> held = new ArrayList<>();
    Lane lane =
        new Lane(
            "lane",
            LaneOptions.of(
                start ->
                    new DelegatingPolicy(new FixedPolicy(1)) {
                      @Override
                      public void held(long until) {
                        held.add(until);
                      }
                    }),
            new SplittableRandom(1),
            0);
    lane.holdUntil(5 * SECOND, 0);
    lane.holdUntil(3 * SECOND, SECOND); // shorter: the longer one stays
    lane.holdUntil(2 * SECOND, 9 * SECOND); // over already
    assertThat(held).containsExactly(5 * SECOND, 5 * SECOND);
  }

  @Test
  void the_measured_rate_is_what_was_really_sent_lately() {
    SendRate rate = new SendRate(0);
    assertThat(rate.at(0)).isZero();
    for (long now = 0; now < 100 * SECOND; now += SECOND / 4) {
      rate.sent(now);
      if (now >= 2 * SECOND) {
        assertThat(rate.at(now)).isCloseTo(4, within(0.6));
      }
    }
    assertThat(rate.at(100 * SECOND)).isCloseTo(4, within(0.1));
    assertThat(rate.at(115 * SECOND)).as("nothing for 15 s").isLessThan(2);
    assertThat(rate.at(125 * SECOND)).as("nothing for 25 s").isZero();
    rate.sent(125 * SECOND);
    rate.unsent();
    assertThat(rate.at(126 * SECOND)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "20, 20/s",
    "2.14, 2.1/s",
    "1, 1/s",
    "0.2, 12/min",
    "0.0033333, 12/h",
    "0.0001, 8.6/day",
    "1234.4, 1234/s",
    "9.99, 10/s"
  })
  void rates_are_shown_in_the_unit_that_suits_them(double perSecond, String shown) {
    assertThat(Figures.rate(perSecond)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "-5, 0 ms",
    "1, 1 ms",
    "999000000, 999 ms",
    "1000000000, 1 s",
    "36000000001, 37 s",
    "60000000000, 1 min",
    "125000000000, 2 min 5 s",
    "3600000000000, 1 h",
    "5400000000000, 1 h 30 min"
  })
  void times_are_shown_in_the_unit_that_suits_them_and_rounded_up(long nanos, String shown) {
    assertThat(Figures.time(nanos)).isEqualTo(shown);
  }

  @Test
  void the_wire_names_are_stable() {
    assertThat(Arrays.stream(SlowedBy.values()).map(WireName::wireName))
        .containsExactly(
            "nothing",
            "start",
            "refusals",
            "slow_answers",
            "told_limit",
            "declared_limit",
            "probing",
            "hold",
            "circuit",
            "stop");
  }

  private static QuotaHint hint(
      long limit, long remaining, long seconds, Optional<Duration> notBefore) {
    return new QuotaHint(
        OptionalLong.of(limit),
        OptionalLong.of(remaining),
        Optional.of(Duration.ofSeconds(seconds)),
        Optional.of(Duration.ofSeconds(seconds)),
        notBefore,
        new QuotaHint.Scope(Reach.CREDENTIAL, "", Unit.REQUESTS, "test"));
  }
}
