package dev.sluice.dataverse.pinning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.policy.Work;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.pinning.Counting.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What the lanes of one identity owe each other. A server allows it 100 requests in a minute. */
class AccountTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final QuotaOptions LIMITS =
      new QuotaOptions(100, Duration.ofMinutes(20), Duration.ofMinutes(1), 52, OptionalInt.empty());

  private static final Signal FULL = throttled(Signal.Facet.REQUESTS);
  private static final Signal TOO_MANY = throttled(Signal.Facet.CONCURRENCY);

  private final Counting counting = new Counting();
  private final Account account =
      new Account(
          LaneOptions.fixed(52),
          LaneOptions.fixed(30),
          LIMITS,
          Observed.recommending(4),
          counting,
          new AccountMemory(QuotaProfile.NONE, 0),
          0);
  private final Account.Server server = new Account.Server();
  private final Policy first = account.oneServer(server).policy().create(0);
  private final Policy second = account.oneServer(new Account.Server()).policy().create(0);

  AccountTest() {
    account.lanes(2);
  }

  private record Request(long sentAt) implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
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

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
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

    assertThat(counting.scope()).isEqualTo(Scope.BY_SERVER);
    assertThat(second.notBefore(203)).isLessThanOrEqualTo(203);
  }

  @Test
  void servers_that_refuse_one_after_the_other_when_one_budget_is_spent_count_together() {
    spend(second, 70);
    spend(first, 30);
    throttle(first, FULL, 200);
    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN); // somebody else may have used it, too
    throttle(second, FULL, 300);

    assertThat(counting.scope()).isEqualTo(Scope.TOGETHER);
    assertThat(first.notBefore(1_250)).isEqualTo(1_300);
    Policy any = account.anyServer().policy().create(400);
    assertThat(any.notBefore(400)).isEqualTo(1_300);
  }

  @Test
  void what_runs_somewhere_without_having_asked_for_it_does_not_make_servers_count_together() {
    Policy any = account.anyServer().policy().create(0);
    spend(any, 120); // some of which this server has taken, and not answered yet
    spend(first, 30);
    throttle(first, FULL, 200);
    throttle(second, FULL, 300);

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
  }

  @Test
  void what_a_server_took_without_having_been_asked_for_is_in_its_books() {
    Policy any = account.anyServer().policy().create(0);
    spend(any, 99);
    for (int i = 0; i < 99; i++) {
      account.answered(server, Signal.success(), 1);
    }
    spend(second, 90);
    assertThat(first.notBefore(100)).isLessThanOrEqualTo(100); // and books it
    throttle(first, FULL, 200);

    assertThat(counting.scope()).isEqualTo(Scope.BY_SERVER); // not before its budget was spent
  }

  /** One that spends limits, whose servers are all known. */
  private Account spread() {
    Observed observed = Observed.recommending(4);
    LaneOptions quota =
        LaneOptions.fixed(52).withPolicy(now -> new QuotaPolicy(LIMITS, observed, now));
    counting.complete();
    return new Account(
        quota, quota, LIMITS, observed, counting, new AccountMemory(QuotaProfile.NONE, 0), 0);
  }

  /** Sends requests to any server, which this one answers. */
  private static void answer(Account spread, Policy any, Account.Server by, int times, long now) {
    for (int i = 0; i < times; i++) {
      Attempt attempt = start(any, now);
      spread.answered(by, Signal.success(), 1);
      any.settled(attempt, Signal.success(), now);
    }
  }

  @Test
  void a_lane_to_any_server_stops_when_the_fullest_one_is_full() {
    Account spread = spread();
    Policy any = spread.anyServer().policy().create(0);
    answer(spread, any, server, 99, 100);
    answer(spread, any, new Account.Server(), 40, 100);
    assertThat(any.notBefore(200)).isLessThan(SECOND);

    answer(spread, any, server, 1, 200);
    assertThat(any.notBefore(200)).isGreaterThan(59 * SECOND);
  }

  @Test
  void a_server_that_took_more_than_its_budget_does_not_shut_the_others_for_ever() {
    Account spread = spread();
    Policy any = spread.anyServer().policy().create(0);
    answer(spread, any, server, 200, 0); // what runs when a budget ends is not cut off
    for (int i = 0; i < 9; i++) {
      answer(spread, any, new Account.Server(), 10, 0);
    }
    assertThat(any.notBefore(0)).isBetween(59 * SECOND, 61 * SECOND);
    assertThat(any.notBefore(61 * SECOND)).isEqualTo(61 * SECOND);
  }

  @Test
  void a_lane_to_any_server_waits_for_the_fullest_one_although_others_forget_sooner() {
    Account spread = spread();
    Policy any = spread.anyServer().policy().create(0);
    answer(spread, any, new Account.Server(), 50, 0);
    answer(spread, any, new Account.Server(), 50, 0);
    answer(spread, any, server, 130, 30 * SECOND);

    assertThat(any.notBefore(61 * SECOND)).isBetween(89 * SECOND, 91 * SECOND);
    assertThat(any.notBefore(91 * SECOND)).isEqualTo(91 * SECOND);
  }

  @Test
  void a_server_that_gave_no_answer_for_a_window_has_no_budget() {
    Account spread = spread();
    Policy any = spread.anyServer().policy().create(0);
    Account.Server gone = new Account.Server();
    answer(spread, any, gone, 1, 0);
    answer(spread, any, server, 50, 59 * SECOND);
    assertThat(any.reason(59 * SECOND)).contains("may use 151 requests");
    answer(spread, any, server, 1, 62 * SECOND);
    assertThat(any.reason(62 * SECOND)).contains("may use 100 requests");

    answer(spread, any, gone, 1, 63 * SECOND); // it is there again
    assertThat(any.reason(63 * SECOND)).contains("may use 150 requests");
  }

  @Test
  void servers_are_not_gone_when_nothing_was_sent() {
    Account spread = spread();
    Policy any = spread.anyServer().policy().create(0);
    answer(spread, any, server, 1, 0);
    answer(spread, any, new Account.Server(), 1, 0);
    assertThat(any.notBefore(200 * SECOND)).isEqualTo(200 * SECOND);
    assertThat(any.reason(200 * SECOND)).contains("200 requests");
  }

  @Test
  void one_more_than_a_server_runs_is_tried_once_cookies_are_followed() {
    fill();
    assertThat(first.notBefore(SECOND)).isGreaterThan(SECOND);
    counting.followed();
    assertThat(first.notBefore(SECOND)).isLessThanOrEqualTo(SECOND);
    Attempt unused = start(first, SECOND);
    assertThat(first.notBefore(SECOND + 1)).isGreaterThan(SECOND + 1);
  }

  @Test
  void if_one_more_is_not_refused_while_all_others_run_each_server_runs_as_many() {
    counting.followed();
    fill();
    Attempt unused = start(first, 60);
    long later = 60 + Duration.ofMillis(20).toNanos();

    assertThat(first.notBefore(later)).isLessThanOrEqualTo(later);
    assertThat(counting.isSeveralAtOnce()).isTrue();
  }

  @Test
  void if_one_more_is_let_in_after_others_have_ended_another_is_tried() {
    counting.followed();
    List<Attempt> out = fill();
    Attempt unused = start(first, 60);
    out.forEach(attempt -> second.settled(attempt, Signal.success(), 60));
    long later = 60 + Duration.ofMillis(20).toNanos();

    assertThat(first.notBefore(later)).isLessThanOrEqualTo(later);
    assertThat(counting.isSeveralAtOnce()).isFalse();
  }

  @Test
  void if_one_more_is_refused_although_its_server_runs_few_servers_count_together() {
    counting.followed();
    List<Attempt> unused = fill();
    throttle(first, TOO_MANY, 60);

    assertThat(counting.scope()).isEqualTo(Scope.TOGETHER);
  }

  @Test
  void what_any_server_took_and_has_ended_did_not_run_beside_one_more() {
    counting.followed();
    Policy any = account.anyServer().policy().create(0);
    Attempt spread = start(any, 0);
    List<Attempt> unused = fill(51);
    Attempt unusedMore = start(first, 60);
    any.settled(spread, Signal.success(), 60);
    long later = 60 + Duration.ofMillis(20).toNanos();

    assertThat(first.notBefore(later)).isLessThanOrEqualTo(later);
    assertThat(counting.isSeveralAtOnce()).isFalse();
  }

  @Test
  void if_any_request_is_too_many_although_its_server_runs_few_servers_count_together() {
    Attempt early = start(first, 0);
    List<Attempt> unused = fill(46);
    first.settled(early, TOO_MANY, 60);

    assertThat(counting.scope()).isEqualTo(Scope.TOGETHER);
  }

  @Test
  void if_a_request_is_too_many_where_its_server_is_nearly_full_that_says_nothing_of_others() {
    List<Attempt> out = fill();
    second.settled(out.getFirst(), TOO_MANY, 60);

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
  }

  @Test
  void beyond_what_one_server_runs_only_a_few_are_sent_before_a_refusal_could_be_back() {
    counting.followed();
    List<Attempt> out = fill();
    Attempt unused = start(first, 60);
    out.subList(0, 30).forEach(attempt -> second.settled(attempt, Signal.success(), 60));
    long refusedWithin = Duration.ofMillis(20).toNanos();
    long later = 60 + refusedWithin;
    assertThat(first.notBefore(later)).as("15 more are tried").isLessThanOrEqualTo(later);
    for (int i = 0; i < 29; i++) {
      unused = start(first, later);
    }

    assertThat(first.notBefore(later)).as("52 are out").isEqualTo(later + refusedWithin);
    long confirmed = later + refusedWithin;
    assertThat(first.notBefore(confirmed)).isLessThanOrEqualTo(confirmed);
  }

  /** As many as one server runs are out. */
  private List<Attempt> fill() {
    return fill(52);
  }

  private List<Attempt> fill(int number) {
    List<Attempt> out = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      out.add(start(second, i));
    }
    return out;
  }

  @Test
  void more_than_one_budget_spent_shows_that_servers_count_by_themselves() {
    spend(second, 90);
    spend(first, 100);
    throttle(first, FULL, 200);

    assertThat(counting.scope()).isEqualTo(Scope.BY_SERVER);
    assertThat(second.notBefore(201)).isLessThanOrEqualTo(201);
  }

  @Test
  void an_answer_to_what_was_sent_before_the_throttle_proves_nothing() {
    spend(first, 100);
    Attempt earlier = start(second, 150);
    throttle(first, FULL, 200);
    second.settled(earlier, Signal.success(), 201);

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
  }

  @Test
  void a_probe_that_is_answered_after_the_wait_proves_nothing() {
    spend(first, 100);
    throttle(first, FULL, 200);
    second.settled(start(second, 300), Signal.success(), 1_200);

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
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

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
    Attempt unused = start(second, 201);
    assertThat(second.notBefore(202)).isLessThanOrEqualTo(202);
  }

  @Test
  void a_busy_service_says_nothing_about_budgets() {
    throttle(first, throttled(Signal.Facet.UNKNOWN), 200);

    assertThat(counting.scope()).isEqualTo(Scope.UNKNOWN);
    assertThat(second.notBefore(201)).isLessThanOrEqualTo(201);
  }

  @Test
  void what_is_out_elsewhere_leaves_less_room() {
    Policy any = account.anyServer().policy().create(0);
    for (int i = 0; i < 50; i++) {
      Attempt unused = start(any, i);
    }

    assertThat(first.level(60)).isLessThan(10); // any of them may run here
  }
}
