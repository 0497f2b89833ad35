package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Answered;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Transient;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptivePacerTest {
  private static final long SECOND = SECONDS.toNanos(1);
  private static final long LATENCY = MILLISECONDS.toNanos(50);
  private static final Signal QUICK = Signal.success(Duration.ofMillis(50));

  // ---- the start

  @ParameterizedTest
  @ValueSource(longs = {0, -7_000_000_000L, Long.MAX_VALUE - 1_000})
  void the_first_request_waits_one_interval_at_the_cold_start_rate(long origin) {
    AdaptivePacer pacer = new AdaptivePacer(PacerOptions.DEFAULTS, origin);
    assertThat(pacer.rate()).isEqualTo(1);
    assertThat(pacer.earliest(origin)).isEqualTo(origin + SECOND);
    assertThat(pacer.earliest(origin + SECOND / 2)).isEqualTo(origin + SECOND);
    assertThat(pacer.earliest(origin + SECOND)).isEqualTo(origin + SECOND);
    pacer.sent(origin + SECOND);
    assertThat(pacer.earliest(origin + SECOND)).isEqualTo(origin + 2 * SECOND);
  }

  @Test
  void the_first_wait_begins_with_the_first_question_not_when_the_pacer_was_built() {
    AdaptivePacer pacer = new AdaptivePacer(PacerOptions.DEFAULTS, 0);
    assertThat(pacer.earliest(HOURS.toNanos(1))).isEqualTo(HOURS.toNanos(1) + SECOND);
  }

  @Test
  void a_cold_start_waits_one_interval_whatever_the_burst() {
    AdaptivePacer pacer = new AdaptivePacer(PacerOptions.builder().burst(5).build(), 0);
    assertThat(pacer.earliest(0)).isEqualTo(SECOND);
    pacer.sent(SECOND);
    assertThat(pacer.earliest(SECOND)).isEqualTo(2 * SECOND);
  }

  @Test
  void the_cold_start_rate_is_brought_between_floor_and_ceiling() {
    assertThat(new AdaptivePacer(PacerOptions.builder().ceiling(0.25).build(), 0).rate())
        .isEqualTo(0.25);
    assertThat(new AdaptivePacer(PacerOptions.builder().floor(5).build(), 0).rate()).isEqualTo(5);
  }

  @Test
  void a_new_warm_start_goes_at_once_at_the_proven_rate() {
    long now = HOURS.toNanos(7);
    WarmStart proven = new WarmStart(8, now);
    AdaptivePacer pacer = new AdaptivePacer(PacerOptions.DEFAULTS, proven, now);
    assertThat(pacer.rate()).isEqualTo(8);
    assertThat(pacer.earliest(now)).isEqualTo(now);
    pacer.sent(now);
    assertThat(pacer.earliest(now)).isEqualTo(now + SECOND / 8);
  }

  @Test
  void a_warm_start_finds_its_burst_spent() {
    AdaptivePacer pacer =
        new AdaptivePacer(PacerOptions.builder().burst(5).build(), new WarmStart(8, 0), 0);
    assertThat(pacer.earliest(0)).isZero();
    pacer.sent(0);
    assertThat(pacer.earliest(0)).isEqualTo(SECOND / 8);
  }

  @Test
  void a_warm_start_of_the_greatest_age_counts_as_none_and_one_from_the_future_as_new() {
    long now = HOURS.toNanos(7 * 24);
    AdaptivePacer stale = new AdaptivePacer(PacerOptions.DEFAULTS, new WarmStart(8, 0), now);
    assertThat(stale.rate()).isEqualTo(1);
    assertThat(stale.earliest(now)).isEqualTo(now + SECOND);
    WarmStart future = new WarmStart(8, now + HOURS.toNanos(24));
    assertThat(new AdaptivePacer(PacerOptions.DEFAULTS, future, now).rate()).isEqualTo(8);
    PacerOptions never = PacerOptions.builder().warmStartMaxAge(Duration.ZERO).build();
    assertThat(new AdaptivePacer(never, new WarmStart(8, now), now).rate()).isEqualTo(1);
  }

  // ---- success

  @Test
  void sustained_success_raises_the_rate_by_a_tenth_for_every_second() {
    Driver driver = new Driver(atRate(10));
    driver.succeedFor(10 * SECOND);
    double before = driver.pacer.rate();
    driver.succeedFor(10 * SECOND);
    assertThat(driver.pacer.rate() / before).isCloseTo(Math.exp(0.1 * 10), within(0.1));
  }

  @Test
  void where_the_last_pressure_came_the_rate_rises_a_tenth_as_fast() {
    Driver driver = new Driver(atRate(20));
    driver.pacer.sent(0);
    driver.pacer.settled(0, Signal.throttled(), 1);
    assertThat(driver.pacer.rate()).isEqualTo(14);
    int second = 0;
    while (driver.pacer.rate() < 18) { // 0.9 × 20
      driver.succeedFor(SECOND);
      second++;
    }
    assertThat(second).as("seconds up to nine tenths").isBetween(2, 4);
    second = 0;
    while (driver.pacer.rate() < 22) {
      driver.succeedFor(SECOND);
      second++;
    }
    assertThat(second).as("seconds past it").isBetween(17, 22);
    double before = driver.pacer.rate();
    driver.succeedFor(10 * SECOND);
    assertThat(driver.pacer.rate() / before).as("refuted").isGreaterThan(2);
  }

  @Test
  void a_success_counts_for_one_second_or_one_interval_at_most_and_never_more_than_doubles() {
    AdaptivePacer pacer = atRate(0.25);
    pacer.sent(0);
    pacer.sent(4 * SECOND);
    pacer.settled(4 * SECOND, QUICK, 13 * SECOND);
    assertThat(pacer.rate()).as("4 s of 9").isCloseTo(0.25 * 1.4, within(1e-9));
    AdaptivePacer faster = atRate(2);
    faster.sent(0);
    faster.sent(SECOND / 2);
    faster.settled(SECOND / 2, QUICK, 13 * SECOND);
    assertThat(faster.rate()).as("1 s of 13").isCloseTo(2 * 1.1, within(1e-9));
    AdaptivePacer slower = atRate(0.01);
    slower.sent(0);
    slower.sent(100 * SECOND);
    slower.settled(100 * SECOND, QUICK, 101 * SECOND);
    assertThat(slower.rate()).isEqualTo(0.02);
  }

  @Test
  void a_success_adds_for_the_time_since_the_one_before_it() {
    AdaptivePacer pacer = atRate(10);
    long tenth = SECOND / 10;
    pacer.sent(5 * tenth);
    pacer.settled(5 * tenth, QUICK, 5 * tenth);
    pacer.sent(6 * tenth);
    pacer.settled(6 * tenth, QUICK, 6 * tenth);
    assertThat(pacer.rate()).isCloseTo(10 * 1.01, within(1e-9));
    pacer.sent(7 * tenth);
    pacer.settled(7 * tenth, QUICK, 9 * tenth);
    assertThat(pacer.rate()).isCloseTo(10 * 1.01 * 1.03, within(1e-9));
  }

  @Test
  void a_rise_moves_the_next_place_to_one_new_interval_after_the_last_send() {
    AdaptivePacer pacer = atRate(1);
    pacer.sent(0);
    pacer.sent(SECOND);
    assertThat(pacer.earliest(SECOND)).isEqualTo(2 * SECOND);
    pacer.settled(SECOND, QUICK, SECOND + SECOND / 2);
    assertThat(pacer.rate()).isEqualTo(1.1);
    assertThat(pacer.earliest(SECOND + SECOND / 2)).isEqualTo(SECOND + Gcra.interval(1.1));
  }

  @Test
  void a_rise_hands_out_no_second_burst() {
    PacerOptions options = PacerOptions.builder().burst(4).increase(1).build();
    AdaptivePacer pacer = new AdaptivePacer(options, new WarmStart(1, 0), 0);
    long rested = 100 * SECOND;
    for (int i = 0; i < 3; i++) { // of four
      pacer.sent(rested);
    }
    pacer.settled(rested, QUICK, rested + SECOND);
    assertThat(pacer.rate()).isEqualTo(2);
    // One of three was earned back; two are still spent, and so last two new intervals.
    assertThat(pacer.theoreticalArrival()).isEqualTo(rested + SECOND + 2 * Gcra.interval(2));
  }

  @Test
  void the_rate_never_rises_above_its_ceiling() {
    Driver driver = new Driver(new AdaptivePacer(PacerOptions.builder().ceiling(2).build(), 0));
    driver.succeedFor(60 * SECOND);
    assertThat(driver.pacer.rate()).isEqualTo(2);
  }

  @Test
  void a_pace_that_is_not_used_does_not_rise() {
    AdaptivePacer pacer = atRate(10);
    for (long now = 0; now < 100 * SECOND; now += SECOND) {
      pacer.sent(now);
      pacer.settled(now, QUICK, now + LATENCY);
    }
    assertThat(pacer.rate()).isEqualTo(10);
    assertThat(pacer.proven()).isEmpty();
  }

  @Test
  void sends_two_intervals_apart_still_use_the_pace_and_further_apart_do_not() {
    AdaptivePacer pacer = atRate(1);
    pacer.sent(0);
    pacer.sent(2 * SECOND + 1);
    pacer.settled(2 * SECOND + 1, QUICK, 3 * SECOND);
    assertThat(pacer.rate()).isEqualTo(1);
    pacer.sent(4 * SECOND + 1);
    pacer.settled(4 * SECOND + 1, QUICK, 5 * SECOND);
    assertThat(pacer.rate()).isCloseTo(1.1, within(1e-6));
  }

  @Test
  void idle_time_earns_nothing() {
    Driver driver = new Driver(atRate(10));
    driver.succeedFor(2 * SECOND);
    double before = driver.pacer.rate();
    driver.now += HOURS.toNanos(1);
    long resumed = driver.now;
    driver.succeedFor(SECOND);
    assertThat(driver.pacer.rate() / before)
        .isLessThanOrEqualTo(Math.exp(0.1 * (driver.now - resumed) / SECOND))
        .isGreaterThan(1);
  }

  @Test
  void a_success_of_a_request_sent_before_the_decrease_neither_raises_nor_proves() {
    AdaptivePacer pacer = atRate(10);
    pacer.sent(0);
    pacer.sent(SECOND / 10);
    pacer.settled(0, Signal.throttled(), SECOND / 10);
    pacer.settled(SECOND / 10, QUICK, SECOND);
    assertThat(pacer.rate()).isEqualTo(7);
    assertThat(pacer.proven()).isEmpty();
  }

  // ---- pressure

  @Test
  void a_throttle_leaves_seven_tenths_and_moves_the_promised_time() {
    AdaptivePacer pacer = atRate(10);
    pacer.sent(0);
    assertThat(pacer.earliest(LATENCY)).isEqualTo(SECOND / 10);
    pacer.settled(0, Signal.throttled(), LATENCY);
    assertThat(pacer.rate()).isEqualTo(7);
    assertThat(pacer.earliest(LATENCY)).isEqualTo(Gcra.interval(7));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10})
  void whatever_the_burst_a_drop_moves_the_next_place_by_the_difference(int burst) {
    AdaptivePacer pacer =
        new AdaptivePacer(PacerOptions.builder().burst(burst).build(), new WarmStart(10, 0), 0);
    pacer.sent(0);
    long promised = pacer.earliest(0);
    pacer.settled(0, Signal.throttled(), LATENCY);
    assertThat(pacer.earliest(LATENCY) - promised).isEqualTo(Gcra.interval(7) - Gcra.interval(10));
  }

  @Test
  void a_throttle_for_a_request_sent_before_the_last_decrease_does_not_decrease_again() {
    AdaptivePacer pacer = atRate(10);
    for (int i = 0; i < 4; i++) {
      pacer.sent(i);
    }
    for (int i = 0; i < 4; i++) {
      pacer.settled(i, Signal.throttled(), SECOND + i);
    }
    assertThat(pacer.rate()).isEqualTo(7);
    assertThat(pacer.throttles()).isEqualTo(4);
    assertThat(pacer.episodes()).isEqualTo(1);

    pacer.sent(SECOND); // at the very moment of the decrease: still the same episode
    pacer.settled(SECOND, Signal.throttled(), 2 * SECOND);
    assertThat(pacer.episodes()).isEqualTo(1);

    pacer.sent(SECOND + 1);
    pacer.settled(SECOND + 1, Signal.throttled(), 2 * SECOND);
    assertThat(pacer.episodes()).as("nothing succeeded since").isEqualTo(1);

    pacer.sent(SECOND + 2);
    pacer.settled(SECOND + 2, QUICK, 2 * SECOND);
    pacer.sent(3 * SECOND);
    pacer.settled(3 * SECOND, Signal.throttled(), 4 * SECOND);
    assertThat(pacer.rate()).isCloseTo(4.9, within(0.5));
    assertThat(pacer.episodes()).isEqualTo(2);
    assertThat(pacer.throttles()).isEqualTo(7);
  }

  @Test
  void ten_minutes_of_refused_probes_are_one_episode() {
    AdaptivePacer pacer = atRate(10);
    for (long now = 0; now < MINUTES.toNanos(10); now += 20 * SECOND) {
      pacer.sent(now);
      pacer.settled(now, Signal.throttled(), now + LATENCY);
    }
    assertThat(pacer.rate()).isEqualTo(7);
    assertThat(pacer.episodes()).isEqualTo(1);
  }

  @Test
  void a_service_that_is_unavailable_is_pressure_like_a_throttle_once_per_episode() {
    AdaptivePacer pacer = atRate(10);
    for (int i = 0; i < 20; i++) {
      pacer.sent(i * SECOND);
      pacer.settled(
          i * SECOND, Signal.transientFailure(Transient.Kind.UNAVAILABLE), i * SECOND + LATENCY);
    }
    assertThat(pacer.rate()).isEqualTo(7);
    assertThat(pacer.episodes()).isEqualTo(1);
    assertThat(pacer.throttles()).isZero();
  }

  @Test
  void the_rate_never_falls_below_one_in_five_minutes() {
    PacerOptions hardlyRising = PacerOptions.builder().increase(1e-12).build();
    AdaptivePacer pacer = new AdaptivePacer(hardlyRising, new WarmStart(1, 0), 0);
    for (int i = 0; i < 100; i++) {
      long now = i * MINUTES.toNanos(10);
      pacer.sent(now);
      pacer.settled(now, Signal.throttled(), now + 1);
      pacer.sent(now + SECOND);
      pacer.settled(now + SECOND, QUICK, now + 2 * SECOND);
    }
    assertThat(pacer.rate()).isCloseTo(1.0 / 300, within(1e-9));
    assertThat(pacer.interval()).isCloseTo(MINUTES.toNanos(5), within(SECOND));
    assertThat(pacer.episodes()).isEqualTo(100);
  }

  @Test
  void a_wait_told_by_the_provider_is_not_stored_as_the_rate() {
    AdaptivePacer told = atRate(10);
    AdaptivePacer untold = atRate(10);
    for (AdaptivePacer pacer : new AdaptivePacer[] {told, untold}) {
      pacer.sent(0);
    }
    told.settled(0, Signal.throttled(Duration.ofHours(1)), LATENCY);
    untold.settled(0, Signal.throttled(), LATENCY);
    assertThat(told.rate()).isEqualTo(untold.rate());
    assertThat(told.earliest(LATENCY)).isEqualTo(untold.earliest(LATENCY));
  }

  @ParameterizedTest
  @MethodSource("errorsThatAreNoThrottle")
  void an_error_however_fast_leaves_rate_and_delay_as_they_were(Signal error) {
    AdaptivePacer pacer = atRate(10);
    for (int i = 0; i < 50; i++) {
      long now = i * SECOND / 10;
      pacer.sent(now);
      long promised = pacer.earliest(now + 1);
      pacer.settled(now, error, now + 1);
      assertThat(pacer.earliest(now + 1)).isEqualTo(promised);
    }
    assertThat(pacer.rate()).isEqualTo(10);
    assertThat(pacer.proven()).isEmpty();
  }

  static Stream<Signal> errorsThatAreNoThrottle() {
    return Stream.of(
            Stream.of(Transient.Kind.values())
                .filter(kind -> kind != Transient.Kind.UNAVAILABLE)
                .map(Signal::transientFailure),
            Stream.of(Rejected.Kind.values()).map(Signal::rejected),
            Stream.of(Answered.Kind.values()).map(Signal::answered),
            Stream.of(Stopped.Reason.values()).map(Signal::stopped),
            Stream.of(Signal.CANCELLED))
        .flatMap(signals -> signals);
  }

  @Test
  void a_sustained_slow_down_leaves_85_hundredths_once_a_window_and_nothing_rises_meanwhile() {
    Driver driver = new Driver(atRate(10, 12));
    driver.latency = MILLISECONDS.toNanos(50);
    driver.succeed(40);
    double before = driver.pacer.rate();

    driver.latency = MILLISECONDS.toNanos(81);
    driver.succeed(9); // the median is still a quick one
    assertThat(driver.pacer.slowDowns()).isZero();
    driver.succeed(2);
    assertThat(driver.pacer.slowDowns()).isEqualTo(1);
    assertThat(driver.pacer.rate()).isLessThan(before).isGreaterThanOrEqualTo(before * 0.85);
    double lowered = driver.pacer.rate();
    driver.succeed(18);
    assertThat(driver.pacer.rate()).isEqualTo(lowered);
    driver.succeed(2);
    assertThat(driver.pacer.slowDowns()).isEqualTo(2);
    assertThat(driver.pacer.rate()).isEqualTo(lowered * 0.85);
  }

  @Test
  void a_success_that_says_nothing_of_its_duration_took_from_send_to_settlement() {
    AdaptivePacer pacer = atRate(10);
    long now = 0;
    for (int i = 0; i < 33; i++) {
      pacer.sent(now);
      pacer.settled(now, Signal.success(), now + (i < 20 ? LATENCY : 4 * LATENCY));
      now += SECOND;
    }
    assertThat(pacer.slowDowns()).isEqualTo(1);
  }

  @Test
  void slow_downs_can_be_turned_off() {
    Driver driver =
        new Driver(
            new AdaptivePacer(
                PacerOptions.builder().slowDownFactor(1).build(), new WarmStart(10, 0), 0));
    driver.succeed(40);
    double before = driver.pacer.rate();
    driver.latency = SECOND;
    driver.succeed(40);
    assertThat(driver.pacer.slowDowns()).isZero();
    assertThat(driver.pacer.rate()).isGreaterThan(before);
  }

  // ---- what is handed on

  @Test
  void the_proven_rate_is_the_highest_that_succeeded_lately_and_a_throttle_lowers_it() {
    AdaptivePacer pacer = atRate(10);
    assertThat(pacer.proven()).isEmpty();
    pacer.sent(0);
    pacer.sent(SECOND / 10);
    pacer.settled(SECOND / 10, QUICK, SECOND);
    assertThat(pacer.proven()).contains(new WarmStart(10, SECOND));
    assertThat(pacer.rate()).isGreaterThan(10); // not proven yet

    pacer.settled(0, Signal.throttled(), 2 * SECOND);
    double lowered = pacer.rate();
    assertThat(pacer.proven()).contains(new WarmStart(lowered, SECOND));
    pacer.sent(3 * SECOND);
    pacer.sent(3 * SECOND + SECOND / 10);
    pacer.settled(3 * SECOND, QUICK, 4 * SECOND);
    assertThat(pacer.proven()).contains(new WarmStart(lowered, 4 * SECOND));
  }

  @Test
  void neither_slow_answers_nor_an_unavailable_service_lower_what_was_proven() {
    Driver driver = new Driver(atRate(10, 20));
    driver.succeedFor(20 * SECOND);
    assertThat(driver.pacer.proven().orElseThrow().rate()).isEqualTo(20);
    driver.latency = 3 * LATENCY;
    driver.succeedFor(20 * SECOND);
    assertThat(driver.pacer.rate()).as("never below half").isEqualTo(10);
    driver.pacer.sent(driver.now);
    driver.pacer.settled(
        driver.now, Signal.transientFailure(Transient.Kind.UNAVAILABLE), driver.now + 1);
    assertThat(driver.pacer.rate()).isEqualTo(7);
    assertThat(driver.pacer.proven().orElseThrow().rate()).isEqualTo(20);
  }

  @Test
  void a_request_that_was_never_sent_gives_its_place_back() {
    AdaptivePacer pacer = atRate(1);
    pacer.sent(0);
    pacer.sent(SECOND);
    pacer.unsent(SECOND);
    assertThat(pacer.earliest(SECOND)).isEqualTo(SECOND);
    assertThat(pacer.theoreticalArrival()).isEqualTo(SECOND);
    pacer.unsent(0);
    assertThat(pacer.earliest(0)).isZero();
  }

  @Test
  void a_place_that_has_passed_is_not_given_back() {
    AdaptivePacer pacer = atRate(1);
    pacer.sent(0);
    pacer.sent(10 * SECOND);
    pacer.unsent(0);
    assertThat(pacer.earliest(10 * SECOND)).isEqualTo(11 * SECOND);
  }

  @Test
  void a_send_that_never_was_does_not_show_that_the_pace_is_used() {
    AdaptivePacer pacer = atRate(1);
    pacer.sent(0);
    pacer.sent(SECOND);
    pacer.unsent(SECOND);
    pacer.settled(0, QUICK, 2 * SECOND);
    assertThat(pacer.rate()).isEqualTo(1);
  }

  @Test
  void sending_and_settling_allocate_nothing() {
    AdaptivePacer pacer = atRate(10);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Signal throttled = Signal.throttled();
    long now = 0;
    long fewest = Long.MAX_VALUE;
    // The first rounds may pay for compiling, which takes its time on a busy machine.
    for (int round = 0; round < 200 && fewest >= 1_000; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 10_000; i++) {
        now = pacer.earliest(now);
        pacer.sent(now);
        pacer.settled(now, i % 100 == 0 ? throttled : QUICK, now + 1);
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(fewest).isLessThan(1_000);
  }

  @Test
  void a_first_send_that_never_was_leaves_no_trace() {
    AdaptivePacer pacer = atRate(1);
    pacer.unsent(0); // nothing to give back yet
    assertThat(pacer.theoreticalArrival()).isZero();
    pacer.sent(0);
    pacer.unsent(0);
    pacer.sent(SECOND);
    pacer.settled(SECOND, QUICK, 2 * SECOND);
    assertThat(pacer.rate()).isEqualTo(1);
  }

  private static AdaptivePacer atRate(double rate, double ceiling) {
    return new AdaptivePacer(
        PacerOptions.builder().ceiling(ceiling).build(), new WarmStart(rate, 0), 0);
  }

  private static AdaptivePacer atRate(double rate) {
    return new AdaptivePacer(PacerOptions.DEFAULTS, new WarmStart(rate, 0), 0);
  }

  /** One request after another, as early as the pacer lets it, each a success. */
  private static final class Driver {
    final AdaptivePacer pacer;
    long now;
    long latency = LATENCY;

    Driver(AdaptivePacer pacer) {
      this.pacer = pacer;
    }

    void succeed(int requests) {
      for (int i = 0; i < requests; i++) {
        now = pacer.earliest(now);
        pacer.sent(now);
        pacer.settled(now, Signal.success(Duration.ofNanos(latency)), now);
      }
    }

    void succeedFor(long span) {
      long end = now + span;
      while (pacer.earliest(now) - end < 0) {
        succeed(1);
      }
      now = end;
    }
  }
}
