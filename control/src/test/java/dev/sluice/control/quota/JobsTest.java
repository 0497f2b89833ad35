package dev.sluice.control.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.control.policy.Work;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JobsTest {
  private static final double SECOND = 1e9;

  private final Jobs jobs = new Jobs();
  private final LatencyModel latency = new LatencyModel();
  private final Object accounts = new Object();
  private final Object contacts = new Object();

  private static Work work(Object job, String kind, long left) {
    return new Work(kind, OptionalLong.of(left), job);
  }

  private void answered(String kind, double nanos) {
    for (int i = 0; i < 6; i++) { // as many as tell how long answers take
      latency.answered(kind, 1, nanos);
    }
  }

  @Test
  void what_is_left_of_two_jobs_at_once_is_the_sum_whoever_started_last() {
    jobs.started(work(accounts, "create account", 1_000));
    jobs.started(work(contacts, "create contact", 200));
    assertThat(jobs.left()).isEqualTo(1_200);
    jobs.started(work(accounts, "create account", 999));
    assertThat(jobs.left()).isEqualTo(1_199);
  }

  @Test
  void what_is_done_of_two_jobs_at_once_counts_of_both() {
    for (int i = 0; i < 50; i++) {
      jobs.started(work(accounts, "create account", 1_000 - i));
      jobs.started(work(contacts, "create contact", 200 - i));
    }
    assertThat(jobs.done()).isEqualTo(2 * 49);
  }

  @Test
  void what_is_left_costs_what_its_kinds_cost_and_not_what_was_answered_lately() {
    answered("create account", SECOND);
    answered("create contact", 10 * SECOND);
    jobs.started(work(accounts, "create account", 900));
    jobs.started(work(contacts, "create contact", 100));
    assertThat(jobs.mean(latency)).isCloseTo(1.9 * SECOND, within(1.0));
  }

  @Test
  void a_kind_without_answers_costs_what_is_remembered_of_it_or_else_what_others_cost() {
    answered("create account", SECOND);
    jobs.started(work(contacts, "create contact", 100));
    assertThat(jobs.mean(latency)).isCloseTo(SECOND, within(1.0));
    latency.remember(Map.of("create contact", Duration.ofSeconds(10)));
    assertThat(jobs.mean(latency)).isCloseTo(10 * SECOND, within(1.0));
    answered("create contact", 2 * SECOND);
    assertThat(jobs.mean(latency)).isCloseTo(2 * SECOND, within(1.0));
  }

  @Test
  void a_job_of_any_kinds_costs_what_was_answered_lately() {
    answered("kind1", SECOND);
    answered("kind2", 10 * SECOND);
    jobs.started(new Work("kind2", OptionalLong.of(100)));
    assertThat(jobs.mean(latency)).isEqualTo(latency.mean());
  }

  @Test
  void a_job_that_starts_nothing_while_another_starts_many_requests_is_over() {
    jobs.started(work(accounts, "create account", 1_000));
    for (int i = 0; i < 64; i++) {
      jobs.started(work(contacts, "create contact", 200));
    }
    assertThat(jobs.left()).isEqualTo(1_200);
    jobs.started(work(contacts, "create contact", 200));
    assertThat(jobs.left()).isEqualTo(200);
  }

  @Test
  void a_query_between_says_nothing_about_jobs() {
    jobs.started(work(accounts, "create account", 1_000));
    jobs.started(Work.UNKNOWN);
    assertThat(jobs.left()).isEqualTo(1_000);
  }

  @Test
  void a_job_without_an_end_makes_all_of_them_endless() {
    jobs.started(work(accounts, "create account", 1_000));
    jobs.started(new Work("create contact", OptionalLong.empty(), contacts));
    assertThat(jobs.left()).isNaN();
  }

  @Test
  void the_only_job_without_a_number_any_more_has_no_end() {
    jobs.started(new Work("create", OptionalLong.of(10)));
    assertThat(jobs.left()).isEqualTo(10);
    jobs.started(Work.UNKNOWN);
    assertThat(jobs.left()).isNaN();
  }
}
