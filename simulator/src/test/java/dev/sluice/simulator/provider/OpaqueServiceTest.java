package dev.sluice.simulator.provider;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OpaqueServiceTest {
  private static final long SECOND = SECONDS.toNanos(1);
  private static final long MINUTE = MINUTES.toNanos(1);
  private static final long LATENCY = MILLISECONDS.toNanos(50);

  @Test
  void a_request_within_the_limit_takes_its_latency() {
    OpaqueService service = service("sliding:5/1m");
    assertThat(service.arrive(0)).isEqualTo(new Verdict(Kind.ADMITTED, 200, 0, -1, LATENCY));
    assertThat(service.inFlight()).isEqualTo(1);
    service.finish(LATENCY);
    assertThat(service.inFlight()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "RETRY_AFTER, 429, 60",
    "BARE_429, 429, -1",
    "BARE_503, 503, -1",
    "RETRY_AFTER_503, 503, 60"
  })
  void a_refusal_says_what_its_signal_says(Signal signal, int status, long seconds) {
    OpaqueService service = new OpaqueService(limited("sliding:1/1m").withSignal(signal), 1, 0);
    assertThat(service.arrive(0).admitted()).isTrue();
    Verdict refused = service.arrive(1); // 59.999999999 s are left: told in whole seconds
    assertThat(refused.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(refused.status()).isEqualTo(status);
    assertThat(refused.retryAfter()).isEqualTo(seconds < 0 ? -1 : seconds * SECOND);
    assertThat(service.inFlight()).isEqualTo(1);
  }

  @Test
  void load_slows_answers_down() {
    OpaqueService service =
        new OpaqueService(ServiceOptions.DEFAULTS.withKnee(4).withLatency(ms(100), 0), 1, 0);
    assertThat(service.arrive(0).duration()).isEqualTo(ms(100).toNanos());
    assertThat(service.arrive(0).duration()).isEqualTo(ms(125).toNanos());
    service.finish(1);
    service.finish(1);
    assertThat(service.arrive(2).duration()).isEqualTo(ms(100).toNanos());
  }

  @Test
  void latency_varies_by_no_more_than_its_jitter() {
    OpaqueService service =
        new OpaqueService(ServiceOptions.DEFAULTS.withLatency(ms(100), 0.2), 1, 0);
    long[] taken = new long[1_000];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = service.arrive(i).duration();
      service.finish(i);
    }
    assertThat(LongStream.of(taken)).allMatch(nanos -> nanos >= 80_000_000 && nanos <= 120_000_000);
    assertThat(LongStream.of(taken)).anyMatch(nanos -> nanos < 85_000_000);
    assertThat(LongStream.of(taken)).anyMatch(nanos -> nanos > 115_000_000);
  }

  @Test
  void a_full_cap_tells_the_least_wait_there_is() {
    OpaqueService service = service("concurrent:1");
    assertThat(service.arrive(0).admitted()).isTrue();
    assertThat(service.arrive(1).retryAfter()).isEqualTo(SECOND);
    service.finish(2);
    assertThat(service.arrive(2).admitted()).isTrue();
  }

  @Test
  void limits_change_when_their_time_has_come() {
    OpaqueService service =
        new OpaqueService(
            limited("10/1m")
                .withChanges(
                    new Change(Duration.ofMinutes(1), 0.5),
                    new Change(Duration.ofMinutes(2), 2),
                    new Change(Duration.ofMinutes(3), 0)),
            1,
            0);
    assertThat(admitted(service, 0)).isEqualTo(10);
    assertThat(admitted(service, MINUTE)).isEqualTo(5);
    assertThat(admitted(service, 2 * MINUTE)).isEqualTo(20);
    assertThat(admitted(service, 10 * MINUTE)).isZero();
    service.changeLimit(1, 10 * MINUTE);
    assertThat(admitted(service, 10 * MINUTE)).isEqualTo(10);
  }

  @Test
  void changes_out_of_order_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServiceOptions.DEFAULTS.withChanges(
                    new Change(Duration.ofMinutes(2), 1), new Change(Duration.ofMinutes(1), 1)))
        .withMessageContaining("not in order of time");
  }

  @Test
  void more_than_a_tenth_of_the_last_minute_throttled_is_the_end() {
    OpaqueService service =
        new OpaqueService(limited("sliding:90/1m").withSuspension(Suspension.USUAL), 1, 0);
    assertThat(admitted(service, 0, 90)).isEqualTo(90);
    for (int i = 0; i < 10; i++) {
      assertThat(service.arrive(1 + i).kind()).isEqualTo(Kind.THROTTLED);
    }
    assertThat(service.suspended()).isFalse(); // 10 of 100: a tenth, not more
    assertThat(service.arrive(11).kind()).isEqualTo(Kind.THROTTLED); // 11 of 101
    assertThat(service.suspended()).isTrue();
    assertThat(service.arrive(100 * MINUTE)).isEqualTo(Verdict.end(Kind.SUSPENDED, 403));
    service.reinstate(100 * MINUTE);
    assertThat(service.arrive(100 * MINUTE).admitted()).isTrue();
  }

  @Test
  void nobody_is_judged_by_fewer_throttles_than_the_least() {
    OpaqueService service =
        new OpaqueService(limited("sliding:0/1m").withSuspension(Suspension.USUAL), 1, 0);
    for (int i = 0; i < 9; i++) {
      assertThat(service.arrive(i).kind()).isEqualTo(Kind.THROTTLED);
    }
    assertThat(service.suspended()).isFalse();
    assertThat(service.arrive(9).kind()).isEqualTo(Kind.THROTTLED);
    assertThat(service.suspended()).isTrue();
  }

  @Test
  void a_request_that_is_served_may_be_the_end_when_those_before_it_are_forgotten() {
    OpaqueService service =
        new OpaqueService(limited("bucket:100:100/1m").withSuspension(Suspension.USUAL), 1, 0);
    assertThat(admitted(service, 0, 100)).isEqualTo(100);
    for (int i = 0; i < 10; i++) {
      assertThat(service.arrive(SECOND / 10 + i).kind()).isEqualTo(Kind.THROTTLED);
    }
    assertThat(service.suspended()).isFalse(); // 10 of 110
    assertThat(service.arrive(MINUTE).admitted()).isTrue(); // 10 of 11
    assertThat(service.suspended()).isTrue();
  }

  @Test
  void errors_have_nothing_to_do_with_limits_or_suspension() {
    OpaqueService service =
        new OpaqueService(
            disturbed(new Disturbances(0.2, 0, 0, 0, 0, List.of(), List.of()))
                .withSuspension(Suspension.USUAL),
            1,
            0);
    Set<Integer> statuses = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      Verdict verdict = service.arrive(i, i);
      assertThat(verdict.runs()).isTrue();
      statuses.add(verdict.status());
    }
    assertThat(statuses)
        .containsExactlyInAnyOrder(200, 500, 502, 504, Verdict.NO_ANSWER, Verdict.LOST);
    assertThat(service.counters().of(Kind.FAILED)).isBetween(1_900L, 2_100L);
    assertThat(service.suspended()).isFalse();
  }

  @Test
  void a_broken_object_always_fails_and_no_other_does() {
    OpaqueService service =
        new OpaqueService(
            disturbed(new Disturbances(0, 0.05, 0, 0, 0, List.of(), List.of())), 1, 0);
    int broken = 0;
    for (int object = 0; object < 10_000; object++) {
      broken += service.isBroken(object) ? 1 : 0;
      for (int again = 0; again < 2; again++) {
        assertThat(service.arrive(object, object).status())
            .isEqualTo(service.isBroken(object) ? 500 : 200);
      }
    }
    assertThat(broken).isBetween(400, 600);
  }

  @Test
  void in_maintenance_everything_is_503_and_spends_nothing() {
    Disturbances disturbances =
        new Disturbances(
            0,
            0,
            0,
            0,
            0,
            List.of(),
            List.of(new Disturbances.Maintenance(Duration.ofSeconds(10), Duration.ofMinutes(1))));
    OpaqueService service =
        new OpaqueService(limited("bucket:1:1/1d").withDisturbances(disturbances), 1, 0);
    assertThat(service.arrive(10 * SECOND)).isEqualTo(Verdict.end(Kind.UNAVAILABLE, 503));
    assertThat(service.arrive(70 * SECOND - 1).kind()).isEqualTo(Kind.UNAVAILABLE);
    assertThat(service.arrive(70 * SECOND).kind()).isEqualTo(Kind.ADMITTED);
  }

  @Test
  void latency_is_noisy_steps_up_for_good_and_is_late_for_some_objects() {
    Disturbances noisy = new Disturbances(0, 0, 0, 0, 0.6, List.of(), List.of());
    List<Long> durations = durations(disturbed(noisy), 10_001, 0);
    assertThat(durations.get(5_000)).isBetween(48_000_000L, 52_000_000L); // the median
    assertThat(durations.get(8_413) / (double) durations.get(5_000))
        .isBetween(Math.exp(0.55), Math.exp(0.65)); // one standard deviation above
    Disturbances step =
        new Disturbances(0, 0, 0, 0, 0, List.of(new Change(Duration.ofMinutes(1), 3)), List.of());
    assertThat(durations(disturbed(step), 1, MINUTE - 1)).containsExactly(50_000_000L);
    assertThat(durations(disturbed(step), 1, MINUTE)).containsExactly(150_000_000L);
    Disturbances late = new Disturbances(0, 0, 0.01, 0, 0, List.of(), List.of());
    assertThat(durations(disturbed(late), 10_000, 0).stream().filter(each -> each > 20 * SECOND))
        .hasSizeBetween(70, 130);
  }

  @Test
  void a_heavy_object_costs_ten() {
    OpaqueService service =
        new OpaqueService(
            limited("sliding:25/1m")
                .withDisturbances(new Disturbances(0, 0, 0, 1, 0, List.of(), List.of())),
            1,
            0);
    assertThat(service.arrive(1, 0).admitted()).isTrue();
    assertThat(service.left(0)).isEqualTo(15);
    assertThat(service.arrive(2, 0).admitted()).isTrue();
    assertThat(service.arrive(3, 0).admitted()).isTrue(); // there was one left, if not ten
    assertThat(service.arrive(4, 0).kind()).isEqualTo(Kind.THROTTLED);
  }

  private static List<Long> durations(ServiceOptions options, int requests, long now) {
    OpaqueService service = new OpaqueService(options, 1, 0);
    List<Long> durations = new ArrayList<>();
    for (int object = 0; object < requests; object++) {
      durations.add(service.arrive(object, now).duration());
      service.finish(now);
    }
    durations.sort(null);
    return durations;
  }

  private static ServiceOptions disturbed(Disturbances disturbances) {
    return ServiceOptions.DEFAULTS.withDisturbances(disturbances);
  }

  @Test
  void slow_down_serves_the_excess_in_turn_when_the_limit_has_room() {
    OpaqueService service =
        new OpaqueService(limited("bucket:1:1/1s").withSignal(Signal.SLOW_DOWN), 1, 0);
    for (int i = 0; i < 5; i++) {
      assertThat(service.arrive(0).duration()).isEqualTo(i * SECOND + LATENCY);
    }
    // The queue has moved on by two.
    assertThat(service.arrive(2 * SECOND).duration()).isEqualTo(3 * SECOND + LATENCY);
    assertThat(service.counters().throttled()).isZero();
  }

  @Test
  void slow_down_refuses_what_would_wait_for_more_than_a_minute() {
    OpaqueService service =
        new OpaqueService(limited("bucket:1:1/20s").withSignal(Signal.SLOW_DOWN), 1, 0);
    assertThat(admitted(service, 0)).isEqualTo(4); // at 0, 20, 40 and 60 s
    assertThat(service.arrive(0).status()).isEqualTo(503);
    assertThat(service.arrive(20 * SECOND).duration()).isEqualTo(60 * SECOND + LATENCY);
  }

  @Test
  void slow_down_stretches_what_exceeds_a_cap() {
    OpaqueService service =
        new OpaqueService(limited("concurrent:2").withSignal(Signal.SLOW_DOWN), 1, 0);
    assertThat(service.arrive(0).duration()).isEqualTo(LATENCY);
    assertThat(service.arrive(0).duration()).isEqualTo(LATENCY);
    assertThat(service.arrive(0).duration()).isEqualTo(LATENCY * 3 / 2);
    assertThat(service.arrive(0).duration()).isEqualTo(LATENCY * 2);
  }

  @Test
  void slow_down_with_nothing_allowed_refuses() {
    for (String limit : List.of("0/1m", "sliding:0/1m", "concurrent:0", "bucket:0:1/s")) {
      OpaqueService service = new OpaqueService(limited(limit).withSignal(Signal.SLOW_DOWN), 1, 0);
      assertThat(service.arrive(0).status()).as(limit).isEqualTo(503);
    }
  }

  @Test
  void pressing_is_counted_once_the_client_could_know() {
    OpaqueService service = service("sliding:1/1m");
    assertThat(service.arrive(0).admitted()).isTrue();
    assertThat(service.arrive(0).admitted()).isFalse();
    assertThat(service.arrive(SECOND).admitted()).isFalse(); // on its way when the refusal came
    assertThat(service.counters().pressed()).isZero();
    assertThat(service.arrive(2 * SECOND + 1).admitted()).isFalse();
    assertThat(service.counters().pressed()).isEqualTo(1);
    assertThat(service.arrive(MINUTE + SECOND).admitted()).isTrue();
    assertThat(service.counters().pressed()).isEqualTo(1);
    assertThat(service.counters().longestTold()).isEqualTo(MINUTE);
  }

  @Test
  void escalating_waits_double_for_whoever_presses() {
    OpaqueService service = misbehaving("sliding:1/10s", Misbehaviour.WAITS_ESCALATE);
    assertThat(service.arrive(0).admitted()).isTrue();
    assertThat(service.arrive(0).retryAfter()).isEqualTo(10 * SECOND);
    assertThat(service.arrive(2 * SECOND).retryAfter()).isEqualTo(20 * SECOND);
    assertThat(service.arrive(4 * SECOND).retryAfter()).isEqualTo(40 * SECOND);
    assertThat(service.arrive(44 * SECOND - 1).admitted()).isFalse();
    assertThat(service.arrive(1_000 * SECOND).admitted()).isTrue();
  }

  @Test
  void escalating_waits_never_exceed_an_hour() {
    OpaqueService service = misbehaving("sliding:1/10m", Misbehaviour.WAITS_ESCALATE);
    assertThat(service.arrive(0).admitted()).isTrue();
    for (long now = 0; now < 1_000 * SECOND; now += 2 * SECOND) {
      assertThat(service.arrive(now).retryAfter()).isLessThanOrEqualTo(60 * MINUTE);
    }
  }

  @Test
  void a_lock_out_closes_what_the_limit_would_allow() {
    OpaqueService service = misbehaving("sliding:1/1s", Misbehaviour.LOCK_OUT);
    assertThat(service.arrive(0).admitted()).isTrue();
    assertThat(service.arrive(0).retryAfter()).isEqualTo(30 * SECOND);
    assertThat(service.arrive(30 * SECOND - 1).admitted()).isFalse();
    assertThat(service.arrive(30 * SECOND).admitted()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "RETRY_AFTER_TOO_SHORT, 429, 30",
    "RETRY_AFTER_IN_MILLISECONDS, 429, 60000",
    "RETRY_AFTER_ZERO, 429, 0",
    "THROTTLE_AS_403, 403, 60",
    "THROTTLE_AS_400, 400, 60",
    "THROTTLE_AS_401, 401, 60",
    "THROTTLE_AS_200, 200, 60",
    "THROTTLE_AS_529, 529, 60",
    "BLOCK_PAGE, 403, 60"
  })
  void a_refusal_can_be_told_wrongly(Misbehaviour misbehaviour, int status, long seconds) {
    OpaqueService service = misbehaving("sliding:1/1m", misbehaviour);
    assertThat(service.arrive(0).admitted()).isTrue();
    assertThat(service.arrive(0))
        .isEqualTo(new Verdict(Kind.THROTTLED, status, MINUTE, seconds * SECOND, 0));
  }

  @Test
  void a_credit_runs_out_and_does_not_come_back() {
    OpaqueService service = misbehaving("none", Misbehaviour.CREDIT_RUNS_OUT);
    assertThat(admitted(service, 0)).isEqualTo(1_000);
    assertThat(service.arrive(10_000 * MINUTE)).isEqualTo(Verdict.end(Kind.CREDIT_SPENT, 429));
  }

  @Test
  void one_of_twenty_objects_is_locked_and_each_only_for_a_while() {
    OpaqueService service = misbehaving("none", Misbehaviour.OBJECT_LOCKS);
    int locked = 0;
    for (long object = 0; object < 2_000; object++) {
      Verdict verdict = service.arrive(object, 0);
      if (!verdict.admitted()) {
        locked++;
        assertThat(verdict.kind()).isEqualTo(Kind.OBJECT_LOCKED);
        assertThat(service.arrive(object, 0).kind()).isEqualTo(Kind.OBJECT_LOCKED);
      }
    }
    assertThat(locked).isBetween(60, 140);
    boolean open = false;
    for (int i = 1; i < 20; i++) {
      open |= service.arrive(7, i * MINUTE).admitted();
    }
    assertThat(open).isTrue();
    assertThat(service.arrive(MINUTE * 20).admitted()).isTrue(); // no object, no lock
  }

  @Test
  void a_suspension_can_look_like_a_throttle() {
    OpaqueService service = misbehaving("sliding:18/1m", Misbehaviour.SUSPENSION_AS_429);
    assertThat(admitted(service, 0, 18)).isEqualTo(18);
    for (int i = 0; i < 10; i++) {
      assertThat(service.arrive(i).kind()).isEqualTo(Kind.THROTTLED);
    }
    assertThat(service.arrive(MINUTE)).isEqualTo(Verdict.end(Kind.SUSPENDED, 429));
  }

  @Test
  void another_limit_starts_unused_but_for_what_runs() {
    OpaqueService service = service("concurrent:3");
    assertThat(admitted(service, 0)).isEqualTo(3);
    service.change(limited("concurrent:5").withSignal(Signal.BARE_503), 1);
    assertThat(admitted(service, 1)).isEqualTo(2);
    assertThat(service.arrive(1).status()).isEqualTo(503);
    for (int i = 0; i < 5; i++) {
      service.finish(2);
    }
    assertThat(admitted(service, 2)).isEqualTo(5);
  }

  @Test
  void a_limit_that_stays_stays_spent_when_other_options_change() {
    OpaqueService service = service("sliding:3/1m");
    assertThat(admitted(service, 0)).isEqualTo(3);
    service.change(limited("sliding:3/1m").withSignal(Signal.BARE_429), 1);
    assertThat(service.arrive(1).retryAfter()).isEqualTo(Verdict.NOTHING_TOLD);
    service.change(limited("sliding:3/1m").withSignal(Signal.SLOW_DOWN), 2);
    assertThat(service.arrive(2).duration()).isEqualTo(MINUTE + LATENCY); // what runs counts
  }

  @ParameterizedTest
  @EnumSource
  void every_misbehaviour_lets_the_first_request_in_and_refuses_in_the_end(Misbehaviour each) {
    OpaqueService service = misbehaving("sliding:100/1m", each);
    assertThat(admitted(service, 0)).isEqualTo(100);
    assertThat(service.arrive(1).kind()).isEqualTo(Kind.THROTTLED);
  }

  @Test
  void all_misbehaviours_at_once_still_make_a_service() {
    OpaqueService service =
        new OpaqueService(
            limited("sliding:5/1m").withMisbehaviours(EnumSet.allOf(Misbehaviour.class)), 1, 0);
    assertThat(admitted(service, 0)).isEqualTo(5);
    assertThat(service.counters().throttled()).isEqualTo(1);
  }

  static ServiceOptions limited(String limit) {
    return ServiceOptions.DEFAULTS.withLimit(LimitOptions.parse(limit));
  }

  private static OpaqueService service(String limit) {
    return new OpaqueService(limited(limit), 1, 0);
  }

  private static OpaqueService misbehaving(String limit, Misbehaviour misbehaviour) {
    return new OpaqueService(limited(limit).withMisbehaviours(Set.of(misbehaviour)), 1, 0);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  /** How many are admitted at once before the first refusal. */
  private static int admitted(OpaqueService service, long now) {
    return admitted(service, now, Integer.MAX_VALUE);
  }

  private static int admitted(OpaqueService service, long now, int most) {
    int admitted = 0;
    while (admitted < most && service.arrive(now).admitted()) {
      admitted++;
    }
    return admitted;
  }
}
