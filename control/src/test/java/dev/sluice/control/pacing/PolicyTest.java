package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a lane sees the two pacing policies. */
class PolicyTest {
  private static final long SECOND = SECONDS.toNanos(1);

  /** Both at two a second, with a burst of 1, having been idle. */
  static Stream<Named<Policy>> twoASecond() {
    return Stream.of(
        Named.of("steady", new FixedRatePolicy(2, 1, 16, 0)),
        Named.of("paced", new PacedPolicy(PacerOptions.DEFAULTS, new WarmStart(2, 0), 0)));
  }

  @ParameterizedTest
  @MethodSource("twoASecond")
  void starts_are_one_interval_apart_within_a_fixed_cap(Policy policy) {
    assertThat(policy.rate()).isEqualTo(2);
    assertThat(policy.level(0)).isEqualTo(16);
    assertThat(policy.notBefore(7)).isEqualTo(7);
    start(policy, 7);
    assertThat(policy.notBefore(8)).isEqualTo(7 + SECOND / 2);
    assertThat(policy.level(8)).isEqualTo(16);
  }

  @ParameterizedTest
  @MethodSource("twoASecond")
  void an_abandoned_request_gives_its_place_back(Policy policy) {
    Attempt attempt = start(policy, 7);
    policy.abandoned(attempt, 9);
    assertThat(policy.notBefore(9)).isEqualTo(9);
    start(policy, 9);
    assertThat(policy.notBefore(9)).isEqualTo(9 + SECOND / 2);
  }

  @ParameterizedTest
  @MethodSource("twoASecond")
  void an_abandoned_request_gives_nothing_back_once_another_has_started(Policy policy) {
    Attempt attempt = start(policy, 0);
    start(policy, 9 * SECOND);
    policy.abandoned(attempt, 9 * SECOND);
    assertThat(policy.notBefore(9 * SECOND)).isEqualTo(9 * SECOND + SECOND / 2);
  }

  @ParameterizedTest
  @MethodSource("twoASecond")
  void a_hold_is_the_lanes_business_and_changes_no_pace(Policy policy) {
    start(policy, 0);
    policy.held(100 * SECOND);
    assertThat(policy.notBefore(1)).isEqualTo(SECOND / 2);
    assertThat(policy.rate()).isEqualTo(2);
  }

  @Test
  void a_paced_policy_starts_from_cold_and_learns() {
    PacedPolicy policy = new PacedPolicy(PacerOptions.builder().maxInFlight(9).build(), 0);
    assertThat(policy.level(0)).isEqualTo(9);
    assertThat(policy.rate()).isEqualTo(1);
    assertThat(policy.notBefore(0)).isEqualTo(SECOND);
    Attempt attempt = start(policy, SECOND);
    policy.settled(attempt, Signal.throttled(), 2 * SECOND);
    assertThat(policy.rate()).isEqualTo(0.7);
    assertThat(policy.notBefore(2 * SECOND)).isEqualTo(SECOND + Gcra.interval(0.7));
    assertThat(policy.pacer().episodes()).isEqualTo(1);
  }

  @Test
  void the_rate_does_not_rise_while_the_cap_and_not_the_pace_holds_requests_back() {
    // 4 in flight, a second each: no more than 4 a second can be sent.
    PacedPolicy capped = new PacedPolicy(PacerOptions.builder().maxInFlight(4).build(), 0);
    sendAllThatMayBeSent(capped, SECOND, 120 * SECOND);
    assertThat(capped.rate()).isBetween(3.5, 4.5);
    assertThat(capped.pacer().proven())
        .get()
        .satisfies(warm -> assertThat(warm.rate()).isBetween(3.5, 4.5));

    PacedPolicy roomy = new PacedPolicy(PacerOptions.DEFAULTS, 0);
    sendAllThatMayBeSent(roomy, SECOND, 40 * SECOND);
    assertThat(roomy.rate()).as("a tenth for every second").isBetween(14.0, 18.0);
  }

  @Test
  void one_at_a_time_still_learns_while_answers_come_quicker_than_the_pace() {
    PacedPolicy policy = new PacedPolicy(PacerOptions.builder().maxInFlight(1).build(), 0);
    sendAllThatMayBeSent(policy, SECOND / 10, 20 * SECOND);
    assertThat(policy.rate()).isBetween(6.0, 8.0);
    sendAllThatMayBeSent(policy, SECOND / 10, 120 * SECOND);
    assertThat(policy.rate()).isBetween(9.0, 10.5);
  }

  @Test
  void an_abandoned_request_leaves_its_slot_to_the_pace() {
    PacedPolicy policy = new PacedPolicy(PacerOptions.builder().maxInFlight(2).build(), 0);
    long now = policy.notBefore(0);
    policy.abandoned(start(policy, now), now);
    for (int i = 0; i < 10; i++) { // one in flight, for longer than an interval
      now += policy.pacer().interval() / 4;
      Attempt attempt = start(policy, now);
      now += policy.pacer().interval() * 5 / 4;
      policy.settled(attempt, Signal.success(Duration.ofNanos(now - attempt.sentAt())), now);
    }
    assertThat(policy.rate()).isGreaterThan(2);
  }

  /** Sends whenever pace and cap allow; every answer is a success and takes {@code latency}. */
  private static void sendAllThatMayBeSent(PacedPolicy policy, long latency, long span) {
    Deque<Attempt> inFlight = new ArrayDeque<>();
    long now = policy.notBefore(0);
    long end = now + span;
    while (now < end) {
      long answer = inFlight.isEmpty() ? Long.MAX_VALUE : inFlight.getFirst().sentAt() + latency;
      long send = inFlight.size() < policy.level(now) ? policy.notBefore(now) : Long.MAX_VALUE;
      now = Math.min(answer, send);
      if (answer <= send) {
        policy.settled(inFlight.removeFirst(), Signal.success(Duration.ofNanos(latency)), now);
      } else {
        inFlight.add(start(policy, now));
      }
    }
    inFlight.forEach(attempt -> policy.abandoned(attempt, end));
  }

  @Test
  void a_steady_policy_is_changed_by_nothing_that_comes_back() {
    FixedRatePolicy policy = new FixedRatePolicy(2, 1, 4, 0);
    Attempt attempt = start(policy, 0);
    policy.settled(attempt, Signal.throttled(), 1);
    policy.settled(attempt, Signal.success(), 1);
    assertThat(policy.rate()).isEqualTo(2);
    assertThat(policy.notBefore(1)).isEqualTo(SECOND / 2);
  }

  @Test
  void a_steady_policy_admits_its_burst_at_once() {
    FixedRatePolicy policy = new FixedRatePolicy(2, 3, 4, 0);
    for (int i = 0; i < 3; i++) {
      assertThat(policy.notBefore(0)).isZero();
      start(policy, 0);
    }
    assertThat(policy.notBefore(0)).isEqualTo(SECOND / 2);
  }

  @Test
  void requests_of_the_same_moment_can_all_be_abandoned() {
    FixedRatePolicy policy = new FixedRatePolicy(2, 3, 4, 0);
    List<Attempt> burst = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      burst.add(start(policy, 0));
    }
    burst.forEach(attempt -> policy.abandoned(attempt, 1));
    for (int i = 0; i < 3; i++) {
      assertThat(policy.notBefore(1)).isEqualTo(1);
      start(policy, 1);
    }
    assertThat(policy.notBefore(1)).isGreaterThan(1);
  }

  @Test
  void a_steady_policy_out_of_range_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedRatePolicy(0, 1, 1, 0))
        .withMessageContaining("rate is 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedRatePolicy(1, 0, 1, 0))
        .withMessageContaining("burst is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedRatePolicy(1, 1, 0, 0))
        .withMessageContaining("maxInFlight is 0");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void what_is_really_sent_never_exceeds_the_bound_whoever_abandons(long seed) {
    Random random = new Random(seed);
    int burst = random.nextInt(1, 6);
    long interval = SECOND / 10;
    FixedRatePolicy policy = new FixedRatePolicy(10, burst, 100, 0);
    List<Attempt> undecided = new ArrayList<>();
    List<Long> sent = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += Demand.pause(random, interval);
      if (policy.notBefore(now) == now) {
        undecided.add(start(policy, now));
      }
      if (!undecided.isEmpty() && random.nextInt(3) == 0) {
        Attempt attempt = undecided.remove(random.nextInt(undecided.size()));
        if (random.nextBoolean()) {
          policy.abandoned(attempt, now);
        } else {
          sent.add(attempt.sentAt());
        }
      }
    }
    long[] sorted = sent.stream().mapToLong(Long::longValue).sorted().toArray();
    for (long span : new long[] {0, interval / 2, interval, 3 * interval, 50 * interval}) {
      assertThat(Demand.mostWithin(span, sorted))
          .as("seed %d, span %d", seed, span)
          .isLessThanOrEqualTo(span / interval + burst);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  private static Attempt start(Policy policy, long now) {
    Attempt attempt = new Sent(now);
    policy.started(attempt, now);
    return attempt;
  }

  private record Sent(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }
  }
}
