package dev.sluice.runs.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.evidence.Evidence.Kind;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class EvidenceLogTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long RUN = 7;

  private final TestDatabase database;

  EvidenceLogTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store) {
    void append(long run, Kind kind, Facts facts) {
      store.write(
          transaction -> {
            EvidenceLog.append(transaction, run, kind, facts);
            return null;
          });
    }

    List<Evidence> evidence() {
      return store.read(transaction -> EvidenceLog.latest(transaction, RUN, 1_000));
    }

    Gate gate() {
      return Gate.builder()
          .time(time)
          .lane("api.example.com 0b1f7c1e", LaneOptions.fixed(4))
          .listener(new GateEvidence(store, time, RUN))
          .build();
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    database.simulate(1, (time, store) -> story.tell(new World(time, store)));
  }

  @Test
  void the_wire_names_are_pinned() {
    assertThat(Kind.values())
        .extracting(Kind::wireName)
        .containsExactly(
            "circuit_moved",
            "lane_held",
            "lane_stopped",
            "lane_reopened",
            "cooldown_armed",
            "cooldown_overridden",
            "cooldown_cleared",
            "slice_given_up",
            "gap_noted",
            "gap_closed",
            "gap_quarantined",
            "bookmark_reset");
    assertThat(Fact.values())
        .extracting(Fact::wireName)
        .containsExactly(
            "previous_state",
            "state",
            "trigger",
            "reason",
            "stream",
            "mode",
            "lane",
            "elapsed_ms",
            "requests",
            "retry_tokens",
            "held_ms",
            "consecutive",
            "count");
  }

  @Test
  void evidence_is_read_as_it_was_written_the_oldest_first() {
    simulate(
        world -> {
          Facts facts =
              Facts.NONE.with(Reason.Planned.WALL_CLOCK).withStream("issues").with(Fact.COUNT, 3);
          world.append(RUN, Kind.GAP_NOTED, facts);
          world.append(8, Kind.COOLDOWN_CLEARED, Facts.NONE);
          world.time.sleep(Duration.ofSeconds(1));
          world.append(RUN, Kind.COOLDOWN_CLEARED, Facts.NONE);
          assertThat(world.evidence())
              .containsExactly(
                  new Evidence(
                      1,
                      RUN,
                      START,
                      Kind.GAP_NOTED,
                      new TreeMap<>(
                          Map.of("reason", "wall_clock", "stream", "issues", "count", "3"))),
                  new Evidence(
                      3, RUN, START.plusSeconds(1), Kind.COOLDOWN_CLEARED, new TreeMap<>()));
        });
  }

  @Test
  void of_much_evidence_the_latest_is_read_and_no_more_than_asked_for() {
    simulate(
        world -> {
          for (int i = 0; i < 5; i++) {
            world.append(RUN, Kind.COOLDOWN_CLEARED, Facts.NONE);
          }
          List<Evidence> some =
              world.store.read(transaction -> EvidenceLog.latest(transaction, RUN, 2));
          assertThat(some).extracting(Evidence::id).containsExactly(4L, 5L);
        });
  }

  @Test
  void a_kind_says_what_it_always_says_and_nothing_that_it_never_does() {
    simulate(
        world -> {
          assertThatThrownBy(() -> world.append(RUN, Kind.GAP_NOTED, Facts.NONE))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("lacks [REASON]");
          Facts strange =
              Facts.NONE.with(Reason.Planned.WALL_CLOCK).with(Fact.TRIGGER, CircuitState.OPEN);
          assertThatThrownBy(() -> world.append(RUN, Kind.GAP_NOTED, strange))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("cannot say [TRIGGER]");
          assertThat(world.evidence()).isEmpty();
        });
  }

  @Test
  void no_fact_of_a_kind_is_both_required_and_optional() {
    for (Kind kind : Kind.values()) {
      Set<Fact> both = EnumSet.copyOf(EnumSet.allOf(Fact.class));
      both.retainAll(kind.required());
      both.retainAll(kind.optional());
      assertThat(both).as(kind.name()).isEmpty();
    }
  }

  @Test
  void a_circuits_moves_are_evidence_each_following_on_the_last() {
    simulate(
        world -> {
          Gate gate = world.gate();
          while (world.evidence().size() < 5) {
            Permit permit = gate.tryAcquire(Run.unbounded());
            if (permit != null) {
              permit.settle(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
            }
            world.time.sleep(Duration.ofSeconds(1));
          }
          List<Evidence> moves = world.evidence();
          assertThat(moves).extracting(Evidence::kind).containsOnly(Kind.CIRCUIT_MOVED);
          assertThat(moves.getFirst().facts())
              .containsEntry("previous_state", "closed")
              .containsEntry("state", "open")
              .containsEntry("trigger", "failures_in_row")
              .containsEntry("reason", "transient_failures")
              .containsKeys("elapsed_ms", "requests");
          List<String> states = new ArrayList<>();
          moves.forEach(move -> states.add(move.facts().get("state")));
          assertThat(states).containsExactly("open", "half_open", "open", "half_open", "open");
          for (int i = 1; i < moves.size(); i++) {
            assertThat(moves.get(i).facts().get("previous_state")).isEqualTo(states.get(i - 1));
          }
        });
  }

  @Test
  void a_hold_is_evidence_before_its_settlement_returns_and_once_for_all_in_flight() {
    simulate(
        world -> {
          Gate gate = world.gate();
          List<Permit> permits = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            permits.add(gate.acquire());
          }
          for (Permit permit : permits) {
            permit.settle(Signal.throttled(Duration.ofSeconds(30)));
            world.time.sleep(Duration.ofMillis(100));
          }
          assertThat(world.evidence()).hasSize(1);
          assertThat(world.evidence().getFirst().kind()).isEqualTo(Kind.LANE_HELD);
          assertThat(world.evidence().getFirst().facts())
              .containsExactly(Map.entry("held_ms", "30000"), Map.entry("reason", "told"));
          world.time.sleep(Duration.ofSeconds(31));
          gate.acquire().settle(Signal.throttled(Duration.ofSeconds(30)));
          assertThat(world.evidence()).hasSize(2);
        });
  }

  @Test
  void a_stop_is_evidence_and_no_lanes_name_is_ever_in_it() {
    simulate(
        world -> {
          Gate gate = world.gate();
          gate.acquire().settle(Signal.stopped(Signal.Stopped.Reason.AUTH_FAILURE));
          assertThat(world.evidence()).hasSize(1);
          assertThat(world.evidence().getFirst().kind()).isEqualTo(Kind.LANE_STOPPED);
          assertThat(world.evidence().getFirst().facts())
              .containsExactly(Map.entry("reason", "auth_failure"));
        });
  }
}
