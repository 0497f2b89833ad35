package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.NOT_SENT;
import static dev.sluice.runs.gap.GapWorld.PUT_OFF;
import static dev.sluice.runs.gap.GapWorld.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a miss counts for, and what follows from it. */
@ParameterizedClass
@EnumSource
class MissTest {
  private final TestDatabase database;

  MissTest(TestDatabase database) {
    this.database = database;
  }

  private void simulate(GapWorld.Story story) {
    GapWorld.simulate(database, story);
  }

  @Test
  void a_lease_is_not_a_try_and_neither_is_what_was_not_sent() {
    simulate(
        world -> {
          world.note("a");
          DetailGap leased = world.page(2).getFirst();
          assertThat(leased.tries()).isZero();
          assertThat(world.missed(leased, 2, NOT_SENT)).isEqualTo(State.PENDING);
          assertThat(world.now("a").tries()).isZero();
          assertThat(world.keys(3)).containsExactly("a");
        });
  }

  @Test
  void a_throttle_is_a_try_and_never_a_failure_however_often() {
    simulate(
        world -> {
          world.note("a");
          for (int run = 2; run < 40; run++) {
            assertThat(world.missed(world.page(run).getFirst(), run, PUT_OFF))
                .isEqualTo(State.PENDING);
            world.time().sleep(Standing.LONGEST_WAIT);
          }
          assertThat(world.now("a").tries()).isEqualTo(38);
          assertThat(world.now("a").failures()).isZero();
        });
  }

  @Test
  void what_fails_alone_is_a_try_and_a_failure_and_eight_of_them_put_it_in_quarantine() {
    simulate(
        world -> {
          world.note("a");
          for (int run = 2; run < 10; run++) {
            assertThat(world.missed(world.page(run).getFirst(), run, new Miss.Failing()))
                .isEqualTo(run < 9 ? State.PENDING : State.QUARANTINED);
            assertThat(world.page(run)).as("not again in this run").isEmpty();
            world.time().sleep(Standing.LONGEST_WAIT);
          }
          assertThat(world.now("a").failures()).isEqualTo(8);
          assertThat(world.page(10)).isEmpty();
        });
  }

  @Test
  void a_planned_stop_after_something_was_sent_is_a_try_no_failure_and_no_reason_to_rest() {
    simulate(
        world -> {
          world.note("a");
          Miss spent = new Miss.PutOff(Reason.Planned.RETRY_BUDGET, Optional.empty());
          assertThat(world.missed(world.page(2).getFirst(), 2, spent)).isEqualTo(State.PENDING);
          assertThat(world.now("a").tries()).isEqualTo(1);
          assertThat(world.now("a").failures()).isZero();
          assertThat(world.page(2)).as("not again in this run").isEmpty();
          assertThat(world.page(3)).hasSize(1);
        });
  }

  @Test
  void the_eighth_refusal_puts_it_in_quarantine_where_nobody_tries_it() {
    simulate(
        world -> {
          world.note("a", "{}", 1, REFUSED);
          for (int run = 2; run <= 8; run++) {
            world.time().sleep(Standing.LONGEST_WAIT);
            State state = world.missed(world.page(run).getFirst(), run, REFUSED);
            assertThat(state).isEqualTo(run == 8 ? State.QUARANTINED : State.PENDING);
          }
          assertThat(world.now("a").failures()).isEqualTo(8);
          world.time().sleep(Duration.ofDays(9));
          assertThat(world.page(9)).isEmpty();
        });
  }

  @Test
  void in_quarantine_it_has_one_more_chance_when_its_record_is_seen_again() {
    simulate(
        world -> {
          for (int run = 1; run <= 8; run++) {
            world.note("a", "{}", run, REFUSED);
          }
          assertThat(world.now("a").state()).isEqualTo(State.QUARANTINED);
          world.note("a", "{\"changed\":1}", 9, NOT_SENT);
          world.time().sleep(Standing.LONGEST_WAIT);
          assertThat(world.missed(world.page(10).getFirst(), 10, REFUSED))
              .isEqualTo(State.QUARANTINED);
        });
  }

  @Test
  void what_is_gone_is_kept_as_evidence_and_not_tried_again() {
    simulate(
        world -> {
          world.note("a", "{\"n\":1}", 1, NOT_SENT);
          world.note("b", "{\"n\":2}", 1, new Miss.Gone(Reason.Failure.NOT_FOUND));
          assertThat(world.gone(world.page(2).getFirst(), 2)).isTrue();
          for (String key : List.of("a", "b")) {
            DetailGap gap = world.now(key);
            assertThat(gap.state()).isEqualTo(State.GONE);
            assertThat(gap.reason()).isEqualTo("not_found");
            assertThat(gap.tries()).isEqualTo(1);
            assertThat(gap.parent()).isNotEmpty();
          }
          world.time().sleep(Duration.ofDays(1));
          assertThat(world.page(3)).isEmpty();
        });
  }

  @Test
  void it_is_due_as_the_provider_told_or_else_a_quarter_of_an_hour_per_try_and_six_hours_at_most() {
    simulate(
        world -> {
          world.note("a");
          for (int run = 2; run < 32; run++) {
            DetailGap gap = world.page(run).getFirst();
            assertThat(world.missed(gap, run, PUT_OFF)).isEqualTo(State.PENDING);
            Instant due = world.now("a").due();
            Duration wait = Duration.ofMinutes(Math.min(15L * (run - 1), 360));
            assertThat(due).isEqualTo(world.time().instant().plus(wait));
            world.time().sleep(wait);
          }
          Instant told = world.time().instant().plus(Duration.ofDays(3));
          Miss later = new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(told));
          assertThat(world.missed(world.page(40).getFirst(), 40, later)).isEqualTo(State.PENDING);
          assertThat(world.now("a").due()).isEqualTo(told);
        });
  }
}
