package dev.sluice.runs.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RunsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final TestDatabase database;

  RunsTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store, Runs runs) {
    Lease lease(String name) {
      return ((Claim.Taken) new Leases(store, time).take(name)).lease();
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    database.simulate(
        1, (time, store) -> story.tell(new World(time, store, new Runs(store, time))));
  }

  @Test
  void a_run_is_running_until_it_ends_with_outcome_and_counts() {
    simulate(
        world -> {
          Lease lease = world.lease("a");
          RunRecord run = world.runs.begin(lease, "load", "a", "{}");
          assertThat(run.running()).isTrue();
          assertThat(run.resumable()).isFalse();
          assertThat(run.origin()).isEqualTo(run.id());
          world.time.sleep(Duration.ofMinutes(5));
          Outcome outcome = new Outcome.CompletedWithRejections();
          world.runs.end(lease, run, outcome, Map.of("done", 7L, "rejected", 1L));
          RunRecord ended = world.runs.find(run.id()).orElseThrow();
          assertThat(ended.running()).isFalse();
          assertThat(ended.resumable()).isFalse();
          assertThat(ended.started()).isEqualTo(START);
          assertThat(ended.ended()).contains(START.plus(Duration.ofMinutes(5)));
          assertThat(ended.outcome()).contains(outcome);
          assertThat(ended.counts())
              .containsExactlyInAnyOrderEntriesOf(Map.of("done", 7L, "rejected", 1L));
        });
  }

  @Test
  void the_end_of_a_run_is_the_end_of_its_lease() {
    simulate(
        world -> {
          Lease lease = world.lease("a");
          RunRecord run = world.runs.begin(lease, "load", "a", "");
          world.runs.end(lease, run, new Outcome.Completed(), Map.of());
          assertThat(new Leases(world.store, world.time).held("a")).isEmpty();
        });
  }

  @Test
  void a_run_that_was_killed_is_neither_running_nor_ended_and_can_be_resumed() {
    simulate(
        world -> {
          Lease killed = world.lease("a");
          RunRecord first = world.runs.begin(killed, "load", "a", "");
          killed.close(); // all that is left of it
          RunRecord found = world.runs.last("load", "a").orElseThrow();
          assertThat(found.running()).isFalse();
          assertThat(found.outcome()).isEmpty();
          assertThat(found.resumable()).isTrue();
          world.time.sleep(Duration.ofHours(1));
          try (Lease lease = world.lease("a")) {
            RunRecord second = world.runs.resume(lease, found, "again");
            assertThat(second.id()).isGreaterThan(first.id());
            assertThat(second.origin()).isEqualTo(first.id());
            assertThat(second.nonce()).isEqualTo(first.nonce());
            assertThat(second.begun()).isEqualTo(START);
            assertThat(second.started()).isEqualTo(START.plus(Duration.ofHours(1)));
            RunRecord third = world.runs.resume(lease, second, "and again");
            assertThat(third.origin()).isEqualTo(first.id());
            assertThat(third.begun()).isEqualTo(START);
          }
        });
  }

  @Test
  void a_run_whose_process_has_ended_was_killed_although_its_lease_has_not_expired() {
    simulate(
        world -> {
          Holder gone = new Holder(Holder.self().machine(), Long.MAX_VALUE, "1", "here");
          try (Lease lease = world.lease("a")) {
            RunRecord run = world.runs.begin(lease, "load", "a", "");
            assertThat(world.runs.find(run.id()).orElseThrow().running()).isTrue();
            int unused =
                world.store.write(
                    transaction ->
                        transaction.update("update lease set holder = ?", gone.encoded()));
            assertThat(world.runs.find(run.id()).orElseThrow().running()).isFalse();
          }
        });
  }

  @Test
  void whoever_lost_the_lease_can_neither_begin_nor_end() {
    simulate(
        world -> {
          Lease old = world.lease("a");
          RunRecord run = world.runs.begin(old, "load", "a", "");
          world.time.jumpWallClock(Duration.ofMinutes(2));
          try (Lease fresh = world.lease("a")) {
            assertThatThrownBy(() -> world.runs.begin(old, "load", "a", ""))
                .isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(
                    () -> world.runs.end(old, run, new Outcome.Completed(), Map.of("done", 1L)))
                .isInstanceOf(LeaseLostException.class);
            RunRecord found = world.runs.find(run.id()).orElseThrow();
            assertThat(found.outcome()).isEmpty();
            assertThat(found.counts()).isEmpty();
            assertThat(world.runs.begin(fresh, "load", "a", "").running()).isTrue();
          }
          old.close();
        });
  }

  @Test
  void a_run_ends_once() {
    simulate(
        world -> {
          Lease lease = world.lease("a");
          RunRecord run = world.runs.begin(lease, "load", "a", "");
          world.runs.end(lease, run, new Outcome.Cancelled(), Map.of());
          try (Lease again = world.lease("a")) {
            assertThatThrownBy(() -> world.runs.end(again, run, new Outcome.Completed(), Map.of()))
                .isInstanceOf(IllegalStateException.class);
          }
          assertThat(world.runs.find(run.id()).orElseThrow().outcome())
              .contains(new Outcome.Cancelled());
        });
  }

  @Test
  void runs_are_listed_latest_first_and_found_by_kind_and_name() {
    simulate(
        world -> {
          try (Lease lease = world.lease("x")) {
            RunRecord a = world.runs.begin(lease, "load", "a", "");
            RunRecord b = world.runs.begin(lease, "load", "b", "");
            RunRecord c = world.runs.begin(lease, "collect", "a", "");
            assertThat(world.runs.latest(2))
                .extracting(RunRecord::id)
                .containsExactly(c.id(), b.id());
            assertThat(world.runs.last("load", "a")).contains(a);
            assertThat(world.runs.last("load", "c")).isEmpty();
            assertThat(world.runs.find(99)).isEmpty();
          }
        });
  }
}
