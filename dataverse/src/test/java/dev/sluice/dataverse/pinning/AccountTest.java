package dev.sluice.dataverse.pinning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.pinning.Account.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the lanes of one identity owe each other. A server allows it 100 requests in a minute. */
class AccountTest {
  private static final QuotaOptions LIMITS =
      new QuotaOptions(100, Duration.ofMinutes(20), Duration.ofMinutes(1), 52, OptionalInt.empty());

  private static final Signal FULL = throttled(Signal.Facet.REQUESTS);
  private static final Signal TOO_MANY = throttled(Signal.Facet.CONCURRENCY);

  private final Account account =
      new Account(
          LaneOptions.fixed(52), LaneOptions.fixed(30), LIMITS, Observed.recommending(4), 0);
  private final Policy first = account.oneServer().policy().create(0);
  private final Policy second = account.oneServer().policy().create(0);

  private record Request(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }

    @Override
    public String server() {
      return "";
    }
  }

  private static Signal throttled(Signal.Facet facet) {
    return new Signal.Throttled(Optional.of(Duration.ofNanos(1_000)), facet, "", List.of());
  }

  private static Attempt start(Policy lane, long now) {
    Attempt attempt = new Request(now);
    lane.started(attempt, now);
    return attempt;
  }

  private static void spend(Policy lane, int requests) {
    for (int i = 0; i < requests; i++) {
      lane.settled(start(lane, i), Signal.success(), i);
    }
  }

  /** For 1,000 ns, as the lane itself tells its policy. */
  private static void throttle(Policy lane, Signal signal, long now) {
    lane.settled(start(lane, now), signal, now);
    lane.held(now + 1_000);
  }

  @Test
  void a_throttle_that_says_nothing_lets_one_probe_pass_on_another_lane() {
    spend(first, 100);
    throttle(first, FULL, 200);

    assertThat(account.scope()).isEqualTo(Scope.UNKNOWN);
    assertThat(first.notBefore(201)).isEqualTo(1_200);
    assertThat(second.notBefore(201)).isLessThanOrEqualTo(201);
    Attempt unused = start(second, 201);
    assertThat(second.notBefore(202)).isEqualTo(1_200);
  }

  @Test
  void a_probe_that_is_let_in_frees_the_other_lanes() {
    spend(first, 100);
    throttle(first, FULL, 200);
    second.settled(start(second, 201), Signal.success(), 202);

    assertThat(account.scope()).isEqualTo(Scope.BY_SERVER);
    assertThat(second.notBefore(203)).isLessThanOrEqualTo(203);
  }

  @Test
  void a_server_that_refuses_before_its_budget_is_spent_counts_together_with_others() {
    spend(first, 100);
    throttle(first, FULL, 200);
    throttle(second, FULL, 300);

    assertThat(account.scope()).isEqualTo(Scope.TOGETHER);
    assertThat(first.notBefore(1_250)).isEqualTo(1_300);
    Policy any = account.anyServer().policy().create(400);
    assertThat(any.notBefore(400)).isEqualTo(1_300);
  }

  @Test
  void more_than_one_budget_spent_shows_that_servers_count_by_themselves() {
    spend(second, 90);
    spend(first, 100);
    throttle(first, FULL, 200);

    assertThat(account.scope()).isEqualTo(Scope.BY_SERVER);
    assertThat(second.notBefore(201)).isLessThanOrEqualTo(201);
  }

  @Test
  void an_answer_to_what_was_sent_before_the_throttle_proves_nothing() {
    spend(first, 100);
    Attempt earlier = start(second, 150);
    throttle(first, FULL, 200);
    second.settled(earlier, Signal.success(), 201);

    assertThat(account.scope()).isEqualTo(Scope.UNKNOWN);
  }

  @Test
  void a_probe_that_is_answered_after_the_wait_proves_nothing() {
    spend(first, 100);
    throttle(first, FULL, 200);
    second.settled(start(second, 300), Signal.success(), 1_200);

    assertThat(account.scope()).isEqualTo(Scope.UNKNOWN);
  }

  @Test
  void a_probe_that_was_never_sent_leaves_its_place_to_another() {
    spend(first, 100);
    throttle(first, FULL, 200);
    second.abandoned(start(second, 201), 202);

    assertThat(second.notBefore(203)).isLessThanOrEqualTo(203);
  }

  @Test
  void too_many_at_once_on_one_server_hold_no_other() {
    throttle(first, TOO_MANY, 200);

    assertThat(account.scope()).isEqualTo(Scope.UNKNOWN);
    Attempt unused = start(second, 201);
    assertThat(second.notBefore(202)).isLessThanOrEqualTo(202);
  }

  @Test
  void a_busy_service_says_nothing_about_budgets() {
    throttle(first, throttled(Signal.Facet.UNKNOWN), 200);

    assertThat(account.scope()).isEqualTo(Scope.UNKNOWN);
    assertThat(second.notBefore(201)).isLessThanOrEqualTo(201);
  }

  @Test
  void lanes_share_what_their_identity_may_have_out_at_once() {
    account.lanes(4);

    assertThat(first.level(0)).isEqualTo(13);
  }

  @Test
  void what_is_out_elsewhere_leaves_less_room() {
    Policy any = account.anyServer().policy().create(0);
    for (int i = 0; i < 50; i++) {
      Attempt unused = start(any, i);
    }

    assertThat(first.level(60)).isEqualTo(2);
  }
}
