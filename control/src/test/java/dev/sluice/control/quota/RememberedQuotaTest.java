package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A policy that begins where an earlier one of its account ended. */
class RememberedQuotaTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long WINDOW = 300 * SECOND;
  private static final QuotaOptions ONE_SERVER = QuotaOptions.DATAVERSE.withServers(1);

  private final QuotaPolicy policy = policy(ONE_SERVER);

  private static QuotaPolicy policy(QuotaOptions options) {
    return new QuotaPolicy(options, Observed.recommending(4), 0);
  }

  private record Request(long sentAt, Work work) implements Attempt {}

  private static Request start(QuotaPolicy policy, String kind, long now) {
    Request request = new Request(now, new Work(kind, OptionalLong.empty()));
    policy.started(request, now);
    return request;
  }

  /** Sends what may be sent within a time, each answered at once; returns how many. */
  private static int send(QuotaPolicy policy, long from, long until) {
    int sent = 0;
    for (long now = from; now < until; now += SECOND / 100) {
      if (policy.notBefore(now) <= now) {
        policy.settled(start(policy, "create account", now), Signal.success(Duration.ZERO), now);
        sent++;
      }
    }
    return sent;
  }

  private static void throttle(QuotaPolicy policy, long now) {
    policy.settled(
        start(policy, "create account", now),
        new Signal.Throttled(
            Optional.of(Duration.ofMinutes(5)), Signal.Facet.REQUESTS, "", List.of()),
        now);
  }

  private static QuotaProfile spent(Duration ago, double requests, Duration time) {
    return new QuotaProfile(
        Duration.ZERO, 0, Map.of(), List.of(new QuotaProfile.Spent(ago, requests, time)));
  }

  @Test
  void what_was_spent_before_counts_until_it_is_as_old_as_the_window() {
    policy.remember(spent(Duration.ofSeconds(100), 3_000, Duration.ofMinutes(15)), 1, 0);
    assertThat(policy.spent(0)).isCloseTo(0.75, within(1e-9));
    assertThat(policy.spent(199 * SECOND)).isCloseTo(0.75, within(1e-9));
    assertThat(policy.spent(201 * SECOND)).isZero();
  }

  @Test
  void what_was_spent_longer_ago_than_the_window_does_not_count() {
    policy.remember(spent(Duration.ofMinutes(5), 3_000, Duration.ZERO), 1, 0);
    assertThat(policy.spent(0)).isZero();
  }

  @Test
  void an_impossible_amount_is_taken_for_a_little_more_than_all() {
    policy.remember(spent(Duration.ZERO, 1e9, Duration.ofDays(300)), 1, 0);
    assertThat(policy.spent(0)).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void what_one_policy_has_learned_is_what_the_next_begins_with() {
    for (int i = 0; i < 10; i++) {
      long now = i * 10L * SECOND;
      policy.settled(
          start(policy, "create account", now), Signal.success(Duration.ofSeconds(60)), now);
    }
    Request running = start(policy, "delete account", 90 * SECOND);
    QuotaProfile learned = policy.learned(100 * SECOND);
    assertThat(learned.costs()).containsExactly(Map.entry("create account", Duration.ofMinutes(1)));

    QuotaPolicy next = policy(ONE_SERVER);
    next.remember(learned, 1, 0);
    assertThat(next.spent(0)).isCloseTo(policy.spent(100 * SECOND), within(1e-9));
    assertThat(next.learned(0).costs()).isEqualTo(learned.costs());
    // What was spent at the first moment is forgotten up to five seconds late, never early.
    assertThat(next.spent(199 * SECOND)).isGreaterThanOrEqualTo(600 / 1_200.0);
    assertThat(next.spent(206 * SECOND)).isLessThan(600 / 1_200.0);
    policy.abandoned(running, 100 * SECOND);
  }

  @Test
  void where_only_what_was_spent_before_leaves_no_room_requests_go_one_by_one() {
    policy.remember(spent(Duration.ZERO, 6_000, Duration.ZERO), 1, 0);
    assertThat(policy.notBefore(0)).isZero();
    Request first = start(policy, "create account", 0);
    assertThat(policy.notBefore(1)).isEqualTo(policy.refusedWithin());
    policy.settled(first, Signal.success(Duration.ZERO), 1);
  }

  @Test
  void a_throttle_confirms_what_was_spent_before() {
    policy.remember(spent(Duration.ZERO, 6_000, Duration.ZERO), 1, 0);
    throttle(policy, 0);
    assertThat(policy.notBefore(SECOND)).isGreaterThan(WINDOW - 1);
  }

  @Test
  void what_was_spent_before_is_forgotten_once_the_service_has_let_in_what_it_should_not_have() {
    policy.remember(spent(Duration.ZERO, 6_000, Duration.ZERO), 1, 0);
    int sent = send(policy, 0, 100 * SECOND);
    assertThat(sent).isEqualTo(6_000); // as many as if nothing had been remembered
  }

  @Test
  void what_is_spent_here_is_never_doubted() {
    policy.remember(spent(Duration.ZERO, 1_000, Duration.ZERO), 1, 0);
    int sent = send(policy, 0, 200 * SECOND);
    assertThat(sent).isEqualTo(6_000);
    assertThat(policy.notBefore(200 * SECOND)).isGreaterThan(WINDOW - 1);
  }

  @Test
  void a_budget_that_was_measured_with_what_was_spent_before_is_measured_again_a_window_later() {
    QuotaPolicy unknown = policy(QuotaOptions.DATAVERSE);
    unknown.remember(spent(Duration.ZERO, 6_000, Duration.ZERO), 1, 0);
    int sent = send(unknown, 0, 60 * SECOND);
    assertThat(sent).isEqualTo(6_000);
    throttle(unknown, 60 * SECOND); // two budgets, it seems
    assertThat(unknown.notBefore(61 * SECOND)).isGreaterThan(WINDOW - 1);
    assertThat(unknown.notBefore(WINDOW + SECOND)).isEqualTo(WINDOW + SECOND);
    assertThat(unknown.reason(WINDOW + SECOND)).contains("the limit is unknown");
  }

  @Test
  void servers_that_were_known_are_expected_again() {
    QuotaPolicy unknown = policy(QuotaOptions.DATAVERSE);
    unknown.remember(new QuotaProfile(Duration.ZERO, 3, Map.of(), List.of()), 1, 0);
    assertThat(unknown.reason(0)).contains("18,000 requests");
  }
}
