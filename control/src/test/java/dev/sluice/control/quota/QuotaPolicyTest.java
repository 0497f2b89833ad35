package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QuotaPolicyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long WINDOW = 300 * SECOND;
  private static final QuotaOptions ONE_SERVER = QuotaOptions.DATAVERSE.withServers(1);
  private static final Work ENDLESS = Work.UNKNOWN;

  /** One whose service is this far away. */
  private static QuotaPolicy policy(QuotaOptions options, long roundTrip) {
    Observed observed =
        new Observed() {
          @Override
          public int degree() {
            return 4;
          }

          @Override
          public long roundTrip() {
            return roundTrip;
          }
        };
    return new QuotaPolicy(options, observed, 0);
  }

  static LongStream seeds() {
    return LongStream.range(0, 20L * Integer.getInteger("sluice.seeds", 1));
  }

  private record Request(long sentAt, Work work) implements Attempt {}

  private static Request start(QuotaPolicy policy, Work work, long now) {
    Request request = new Request(now, work);
    policy.started(request, now);
    return request;
  }

  /** Sends requests that are answered at once, without execution time. */
  private static long spend(QuotaPolicy policy, int requests, long from, long spacing) {
    long now = from;
    for (int i = 0; i < requests; i++) {
      policy.settled(start(policy, ENDLESS, now), Signal.success(Duration.ZERO), now);
      now += spacing;
    }
    return now;
  }

  private static Work left(long requests) {
    return new Work("", OptionalLong.of(requests));
  }

  private static Signal throttled(Signal.Facet facet) {
    return new Signal.Throttled(Optional.of(Duration.ofMinutes(5)), facet, "", List.of());
  }

  @Test
  void the_last_request_of_the_window_is_sent_and_the_next_waits_until_the_first_is_forgotten() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = spend(policy, 5_999, 0, SECOND / 100);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    now = spend(policy, 1, now, SECOND / 100);
    assertThat(policy.notBefore(now)).isBetween(WINDOW, WINDOW + SECOND / 2);
  }

  @Test
  void what_was_sent_some_other_way_is_booked_when_it_is_answered() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    policy.booked(600 * SECOND, 7, SECOND);
    assertThat(policy.spent(SECOND)).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void what_was_sent_some_other_way_counts_beside_what_runs() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    policy.booked(600 * SECOND, 7, 0);
    Request unused = start(policy, ENDLESS, 0);
    assertThat(policy.spent(120 * SECOND)).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void as_much_is_spent_as_can_be_used_until_the_fullest_server_is_full() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    policy.usable(1.5);
    long now = spend(policy, 8_999, 0, SECOND / 100);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    now = spend(policy, 1, now, SECOND / 100);
    assertThat(policy.notBefore(now)).isGreaterThan(WINDOW - 1);
  }

  @Test
  void a_throttle_near_the_end_of_what_can_be_used_only_trims_it() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    policy.usable(2);
    long now = spend(policy, 11_870, 0, SECOND / 100);
    policy.settled(start(policy, ENDLESS, now), throttled(Signal.Facet.REQUESTS), now);
    policy.usable(2);
    assertThat(policy.notBefore(now)).isLessThan(now + SECOND);
    now = spend(policy, 20, now, SECOND / 100);
    assertThat(policy.notBefore(now)).isGreaterThan(WINDOW - 1);
  }

  @Test
  void a_throttle_much_sooner_than_expected_measures_and_what_can_be_used_is_not_heeded() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    policy.usable(2);
    long now = spend(policy, 6_000, 0, SECOND / 100);
    policy.settled(start(policy, ENDLESS, now), throttled(Signal.Facet.REQUESTS), now);
    policy.usable(2);
    assertThat(policy.notBefore(now)).isGreaterThan(WINDOW - 1);
  }

  @Test
  void a_declared_number_of_servers_wins_over_what_their_books_say() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE.withServers(2), 0);
    policy.usable(1);
    long now = spend(policy, 11_999, 0, SECOND / 100);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    policy.usable(4);
    now = spend(policy, 1, now, SECOND / 100);
    assertThat(policy.notBefore(now)).isGreaterThan(WINDOW - 1);
  }

  @Test
  void execution_time_is_spent_when_a_request_ends_and_while_it_runs() {
    QuotaPolicy ending = policy(ONE_SERVER, 0);
    Request request = start(ending, ENDLESS, 0);
    ending.settled(request, Signal.success(Duration.ofSeconds(1_194)), SECOND);
    assertThat(ending.notBefore(SECOND)).isGreaterThan(SECOND + WINDOW - 1);

    QuotaPolicy running = policy(ONE_SERVER, 0);
    for (int i = 0; i < 10; i++) {
      Request unused = start(running, ENDLESS, 0);
    }
    assertThat(running.notBefore(119 * SECOND)).isEqualTo(119 * SECOND);
    assertThat(running.notBefore(120 * SECOND)).isGreaterThan(120 * SECOND);
    assertThat(running.spent(60 * SECOND + 60 * SECOND)).isCloseTo(1, within(1e-9));
  }

  @Test
  void the_networks_part_of_an_answers_time_is_not_spent() {
    QuotaPolicy policy = policy(ONE_SERVER, 30 * SECOND);
    for (int i = 0; i < 4; i++) {
      long now = i * 60L * SECOND;
      policy.settled(start(policy, ENDLESS, now), Signal.success(), now + 60 * SECOND);
    }
    assertThat(policy.spent(240 * SECOND)).isCloseTo(4 * 30 / 1_200.0, within(1e-9));
  }

  @Test
  void what_was_refused_or_never_sent_is_not_spent() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    Request refused = start(policy, ENDLESS, 0);
    policy.settled(refused, throttled(Signal.Facet.REQUESTS), SECOND);
    policy.abandoned(start(policy, ENDLESS, SECOND), SECOND);
    assertThat(policy.spent(SECOND)).isZero();
  }

  @Test
  void what_found_no_connection_is_not_spent_however_long_that_took() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    Signal notSent = Signal.transientFailure(Signal.Transient.Kind.NOT_SENT);
    for (int i = 0; i < 50; i++) {
      policy.settled(start(policy, ENDLESS, 0), notSent, 10 * SECOND);
    }

    assertThat(policy.spent(10 * SECOND)).isZero();
  }

  @Test
  void answers_that_take_no_time_leave_a_level() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    for (int i = 0; i < 50; i++) {
      policy.settled(start(policy, left(50 - i), 0), Signal.success(Duration.ZERO), 0);
      assertThat(policy.level(0)).isPositive();
    }
  }

  @Test
  void a_budget_that_is_unknown_is_measured_by_the_first_throttle() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    long now = spend(policy, 17_900, 0, SECOND / 200);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    Request last = start(policy, ENDLESS, now);
    policy.settled(last, throttled(Signal.Facet.REQUESTS), now + 1);
    // 17,900 requests are nearly three servers' worth: there are three, and 100 are left. While
    // they go well near the limit, a few more are tried.
    int more = 0;
    now += 2;
    while (policy.notBefore(now) < now + SECOND) {
      now = spend(policy, 1, now, 1);
      more++;
    }
    assertThat(more).isBetween(100, 170);
  }

  @Test
  void one_episode_trims_the_budget_once() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = spend(policy, 5_930, 0, SECOND / 100);
    Request first = start(policy, ENDLESS, now);
    Request second = start(policy, ENDLESS, now);
    policy.settled(first, throttled(Signal.Facet.REQUESTS), now + 10);
    policy.settled(second, throttled(Signal.Facet.REQUESTS), now + 20);
    // 1 % less than 6,000 is 5,940: ten more fit.
    now = spend(policy, 9, now + 30, 1);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    now = spend(policy, 2, now, 1);
    assertThat(policy.notBefore(now)).isGreaterThan(now + SECOND);
  }

  @Test
  void a_known_number_of_servers_is_never_exceeded_however_well_it_goes() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = 0;
    for (int i = 0; i < 40_000; i++) {
      now = Math.max(now + SECOND / 100, policy.notBefore(now));
      policy.settled(start(policy, ENDLESS, now), Signal.success(Duration.ZERO), now);
      assertThat(policy.spent(now)).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void too_many_at_once_lowers_what_is_sent_at_once_and_not_the_budget() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    Request request = start(policy, left(100), 0);
    assertThat(policy.level(0)).isEqualTo(52);
    policy.settled(request, throttled(Signal.Facet.CONCURRENCY), 20);
    assertThat(policy.level(20)).isEqualTo(50);
    assertThat(policy.notBefore(20)).isEqualTo(20);
  }

  @Test
  void it_starts_with_what_is_recommended_and_doubles_while_no_refusal_comes_back() {
    QuotaPolicy policy = policy(ONE_SERVER, SECOND / 10);
    List<Request> out = new ArrayList<>();
    while (policy.notBefore(0) <= 0) {
      out.add(start(policy, left(100), 0));
    }
    assertThat(out).hasSize(4);
    long twoRoundTripsAndABit = SECOND * 22 / 100;
    while (policy.notBefore(twoRoundTripsAndABit) <= twoRoundTripsAndABit) {
      out.add(start(policy, left(100), twoRoundTripsAndABit));
    }
    assertThat(out).hasSize(8);
    assertThat(policy.notBefore(SECOND)).isLessThanOrEqualTo(SECOND); // 52 may be out by then
  }

  @Test
  void a_small_job_sprints_and_a_large_one_waits_for_answers_to_tell_what_it_costs() {
    QuotaPolicy small = policy(ONE_SERVER, 0);
    Request unused = start(small, left(200), 0);
    assertThat(small.level(0)).isEqualTo(52);
    QuotaPolicy large = policy(ONE_SERVER, 0);
    Request unusedToo = start(large, left(201), 0);
    assertThat(large.level(0)).isEqualTo(8);
  }

  @Test
  void which_share_of_a_job_falls_to_an_account_does_not_depend_on_the_size_of_batches() {
    assertThat(levelWith(3_600, 10)).isEqualTo(levelWith(3_600, 1));
    assertThat(levelWith(3_600, 10)).isNotEqualTo(levelWith(36_000, 1));
  }

  /** When every second request of a job is done here, after batches have grown so many times. */
  private static int levelWith(long leftInTheEnd, int growth) {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = 0;
    for (int i = 0; i < 400; i++) {
      now += SECOND / 10;
      long left =
          i < 200 ? growth * (leftInTheEnd + 400) + 2L * (199 - i) : leftInTheEnd + 2L * (399 - i);
      policy.settled(
          start(policy, left(left), now - SECOND), Signal.success(Duration.ofSeconds(1)), now);
    }
    return policy.level(now);
  }

  @Test
  void a_fraction_is_one_more_at_once_for_a_part_of_the_time() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = 0;
    long running = 0;
    Deque<Request> out = new ArrayDeque<>();
    for (int i = 0; i < 1_200 * 100; i++) { // twenty minutes, looked at every 10 ms
      now += SECOND / 100;
      while (!out.isEmpty() && now - out.peek().sentAt() >= SECOND) {
        policy.settled(out.remove(), Signal.success(), now);
      }
      if (out.size() < policy.level(now) && policy.notBefore(now) <= now) {
        out.add(start(policy, ENDLESS, now));
      }
      if (i >= 300 * 100) {
        assertThat(out.size()).isLessThanOrEqualTo(5);
        running += out.size();
      }
    }
    assertThat(running / (900 * 100.0)).isBetween(3.9, 4.0); // four sustain 1,200 s in 300 s
  }

  @Test
  void a_budget_is_never_less_than_what_one_server_allows() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    long now = spend(policy, 1_000, 0, SECOND / 100);
    policy.settled(start(policy, ENDLESS, now), throttled(Signal.Facet.REQUESTS), now + 1);
    now = spend(policy, 4_900, now + 2, 1);
    assertThat(policy.notBefore(now)).isLessThan(now + SECOND);
  }

  @Test
  void a_throttle_for_what_was_spent_before_the_start_counts_for_a_window_and_no_longer() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    long now = spend(policy, 9_000, 0, SECOND / 100);
    // 210 s must pass until the first of these is forgotten: room after 60 s is not theirs.
    policy.settled(
        start(policy, ENDLESS, now),
        new Signal.Throttled(
            Optional.of(Duration.ofMinutes(1)), Signal.Facet.REQUESTS, "", List.of()),
        now + 1);
    now = spend(policy, 2, now + 2, 1);
    assertThat(policy.notBefore(now)).isGreaterThan(now + 100 * SECOND); // 1.5 budgets, it seems
    now = spend(policy, 17_000, WINDOW + 2 * SECOND, SECOND / 1_000); // but there are three
    assertThat(policy.notBefore(now)).isEqualTo(now);
  }

  @Test
  void servers_that_count_together_have_one_budget() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    long now = spend(policy, 6_000, 0, SECOND / 100);
    assertThat(policy.notBefore(now)).isEqualTo(now);
    policy.countedTogether();
    assertThat(policy.notBefore(now)).isBetween(WINDOW, WINDOW + SECOND / 2);
  }

  @Test
  void one_budget_of_servers_that_count_together_outlives_a_throttle_for_earlier_spending() {
    QuotaPolicy policy = policy(QuotaOptions.DATAVERSE, 0);
    long now = spend(policy, 9_000, 0, SECOND / 100);
    policy.settled(
        start(policy, ENDLESS, now),
        new Signal.Throttled(
            Optional.of(Duration.ofMinutes(1)), Signal.Facet.REQUESTS, "", List.of()),
        now + 1);
    policy.countedTogether();
    long later = 2 * WINDOW;
    assertThat(policy.notBefore(later)).isEqualTo(later);
    now = spend(policy, 6_000, later, SECOND / 1_000);
    assertThat(policy.notBefore(now)).isGreaterThan(later + WINDOW - 1);
  }

  @Test
  void whoever_waits_for_a_budget_is_told_which_and_for_how_long() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = spend(policy, 6_000, 0, SECOND / 100);
    assertThat(policy.slowedBy(now)).isEqualTo(SlowedBy.DECLARED_LIMIT);
    assertThat(policy.reason(now))
        .isEqualTo("waits 4 min 1 s, because 6,000 of 6,000 requests were spent in the last 5 min");

    QuotaPolicy slow = policy(ONE_SERVER, 0);
    slow.settled(start(slow, ENDLESS, 0), Signal.success(Duration.ofMinutes(20)), SECOND);
    assertThat(slow.reason(SECOND))
        .isEqualTo(
            "waits 5 min 1 s, because 1,200 of 1,200 s of execution time were spent in the last"
                + " 5 min");
  }

  @Test
  void what_limits_the_number_at_once_is_told() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    Request unused = start(policy, left(201), 0);
    assertThat(policy.reason(SECOND))
        .isEqualTo("8 at once: this account may use 1,200 s of execution time in 5 min");

    QuotaPolicy unknown = policy(QuotaOptions.DATAVERSE, 0);
    assertThat(unknown.slowedBy(0)).isEqualTo(SlowedBy.START);
    assertThat(unknown.reason(0))
        .isEqualTo(
            "5 at once: the limit is unknown until all servers have answered or one of them"
                + " throttles");
  }

  @Test
  void a_job_without_an_end_settles_at_what_the_budget_sustains() {
    QuotaPolicy policy = policy(ONE_SERVER, 0);
    long now = 0;
    for (int i = 0; i < 1_150; i++) { // nearly all of the budget, within the window
      now += SECOND / 5;
      policy.settled(
          start(policy, ENDLESS, now - SECOND), Signal.success(Duration.ofSeconds(1)), now);
    }
    assertThat(policy.spent(now)).isGreaterThan(0.9);
    assertThat(policy.level(now)).isBetween(4, 5);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void over_any_history_the_level_keeps_its_bounds_and_time_never_goes_back(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    QuotaOptions options = random.nextBoolean() ? ONE_SERVER : QuotaOptions.DATAVERSE;
    QuotaPolicy policy = policy(options, SECOND / 12);
    Deque<Request> out = new ArrayDeque<>();
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += random.nextLong(SECOND / 10);
      if (out.size() < policy.level(now) && policy.notBefore(now) <= now && random.nextInt(3) > 0) {
        out.add(
            start(
                policy, random.nextInt(50) == 0 ? left(1 + random.nextInt(10_000)) : ENDLESS, now));
      } else if (!out.isEmpty()) {
        Request request = out.remove();
        switch (random.nextInt(40)) {
          case 0 -> policy.settled(request, throttled(Signal.Facet.EXECUTION_TIME), now);
          case 1 -> policy.settled(request, throttled(Signal.Facet.CONCURRENCY), now);
          case 2 ->
              policy.settled(
                  request, Signal.transientFailure(Signal.Transient.Kind.TRANSPORT), now);
          case 3 -> policy.abandoned(request, now);
          default -> policy.settled(request, Signal.success(), now);
        }
      }
      assertThat(policy.level(now)).as("seed %d, step %d", seed, i).isBetween(1, 52);
      assertThat(policy.notBefore(now))
          .as("seed %d, step %d", seed, i)
          .isGreaterThanOrEqualTo(now - SECOND);
      assertThat(policy.spent(now)).as("seed %d, step %d", seed, i).isNotNegative();
    }
  }
}
