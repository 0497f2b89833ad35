package dev.sluice.runs.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.run.Reason.Pressure;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class LanesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final CircuitTransition PROBED =
      new CircuitTransition(
          CircuitState.OPEN,
          CircuitState.HALF_OPEN,
          CircuitTransition.Trigger.OPEN_TIME_OVER,
          CircuitTransition.Reason.THROTTLES,
          Duration.ofSeconds(31),
          7,
          OptionalDouble.empty());

  private final TestDatabase database;

  LanesTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store) {
    void write(Consumer<Transaction> work) {
      store.write(
          transaction -> {
            work.accept(transaction);
            return null;
          });
    }

    LaneRecord lane() {
      return store.read(transaction -> Lanes.of(transaction, "lane"));
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    database.simulate(1, (time, store) -> story.tell(new World(time, store)));
  }

  @Test
  void of_a_new_lane_nothing_is_known() {
    simulate(world -> assertThat(world.lane()).isEqualTo(LaneRecord.unknown("lane", START)));
  }

  @Test
  void every_fact_is_kept_beside_the_others_whichever_came_first() {
    simulate(
        world -> {
          ProvenRate proven = new ProvenRate(1 / 3.0, START);
          Profile profile = new Profile(12.5, 7, 0.75);
          world.write(t -> Lanes.learned(t, "lane", profile));
          world.write(t -> Lanes.proven(t, "lane", proven));
          world.write(t -> Lanes.circuit(t, "lane", PROBED));
          world.write(t -> Lanes.stop(t, "lane", Signal.Stopped.Reason.QUOTA_SPENT));
          world.write(t -> Lanes.begun(t, "lane"));
          world.write(t -> Lanes.hold(t, "lane", START.plusSeconds(9), HoldCause.TOLD));
          world.write(t -> press(t, Pressure.UPSTREAM_PRESSURE));
          assertThat(world.lane())
              .isEqualTo(
                  new LaneRecord(
                      "lane",
                      START.plusSeconds(9),
                      Optional.of(HoldCause.TOLD),
                      new Cooldown(
                          Optional.of(Pressure.UPSTREAM_PRESSURE), START, START.plusSeconds(60), 1),
                      Optional.of(Signal.Stopped.Reason.QUOTA_SPENT),
                      Optional.of(new CircuitMove(PROBED, START)),
                      Optional.of(proven),
                      Optional.of(profile),
                      START));
        });
  }

  private static void press(Transaction transaction, Pressure pressure) {
    Cooldown unused =
        Lanes.press(transaction, "lane", pressure, transaction.now(), Optional.empty());
  }

  @Test
  void a_hold_is_never_shortened() {
    simulate(
        world -> {
          world.write(t -> Lanes.hold(t, "lane", START.plusSeconds(60), HoldCause.TOLD));
          world.write(t -> Lanes.hold(t, "lane", START.plusSeconds(10), HoldCause.TOLD));
          assertThat(world.lane().holdUntil()).isEqualTo(START.plusSeconds(60));
          world.write(t -> Lanes.hold(t, "lane", START.plusSeconds(70), HoldCause.TOLD));
          assertThat(world.lane().holdUntil()).isEqualTo(START.plusSeconds(70));
        });
  }

  @Test
  void a_lane_is_held_for_the_later_of_hold_and_cooldown() {
    simulate(
        world -> {
          world.write(t -> press(t, Pressure.RATE_LIMITED));
          assertThat(world.lane().held(START)).isEqualTo(Duration.ofSeconds(60));
          world.write(t -> Lanes.hold(t, "lane", START.plusSeconds(100), HoldCause.TOLD));
          assertThat(world.lane().held(START)).isEqualTo(Duration.ofSeconds(100));
          assertThat(world.lane().held(START.plusSeconds(101))).isZero();
        });
  }

  @Test
  void a_cooldown_goes_on_where_it_was_and_a_success_after_it_clears_it() {
    simulate(
        world -> {
          for (int round = 1; round <= Cooldown.FRUITLESS; round++) {
            world.write(t -> press(t, Pressure.RATE_LIMITED));
            world.write(t -> press(t, Pressure.RATE_LIMITED));
            assertThat(world.lane().cooldown().consecutive()).isEqualTo(round);
            world.time.sleep(world.lane().held(world.time.instant()));
          }
          assertThat(world.lane().needsAttention()).isTrue();
          Cooldown before = world.lane().cooldown();
          Instant now = world.time.instant();
          Optional<Cooldown> ended = world.store.write(t -> Lanes.succeeded(t, "lane", now));
          assertThat(ended).contains(before);
          ended = world.store.write(t -> Lanes.succeeded(t, "lane", now));
          assertThat(ended).as("nothing was left to end").isEmpty();
          assertThat(world.lane().cooldown()).isEqualTo(Cooldown.NONE);
          assertThat(world.lane().needsAttention()).isFalse();
        });
  }

  @Test
  void overriding_says_whether_a_cooldown_stood() {
    simulate(
        world -> {
          boolean before = world.store.write(t -> Lanes.override(t, "lane"));
          assertThat(before).isFalse();
          world.write(t -> press(t, Pressure.RATE_LIMITED));
          boolean stood = world.store.write(t -> Lanes.override(t, "lane"));
          assertThat(stood).isTrue();
          assertThat(world.lane().held(START)).isZero();
          assertThat(world.lane().cooldown().consecutive()).isEqualTo(1);
        });
  }

  @Test
  void a_person_who_reopens_a_lane_lifts_everything_but_the_providers_own_word() {
    simulate(
        world -> {
          world.write(t -> press(t, Pressure.RATE_LIMITED));
          world.write(t -> Lanes.stop(t, "lane", Signal.Stopped.Reason.AUTH_FAILURE));
          world.write(t -> Lanes.circuit(t, "lane", PROBED));
          world.write(t -> Lanes.hold(t, "lane", START.plusSeconds(9), HoldCause.TOLD));
          assertThat(world.lane().needsAttention()).isTrue();
          world.write(t -> Lanes.reopen(t, "lane"));
          LaneRecord lane = world.lane();
          assertThat(lane.stopped()).isEmpty();
          assertThat(lane.circuit()).isEmpty();
          assertThat(lane.cooldown()).isEqualTo(Cooldown.NONE);
          assertThat(lane.held(START)).isEqualTo(Duration.ofSeconds(9));
        });
  }

  @Test
  void a_proven_rate_is_positive_and_finite() {
    for (double rate : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new ProvenRate(rate, START))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rate is " + rate);
    }
  }

  @Test
  void lanes_are_told_apart_by_a_number_that_stays_the_same() {
    long number = LaneRecord.unknown("api.example 0123456789ab", START).number();
    assertThat(LaneRecord.unknown("api.example 0123456789ab", START.plusSeconds(1)).number())
        .isEqualTo(number);
    assertThat(LaneRecord.unknown("api.example 0123456789ac", START).number()).isNotEqualTo(number);
  }

  private static List<String> heldParts(World world) {
    List<LaneRecord> parts = world.store.read(t -> Lanes.heldParts(t, "lane"));
    return parts.stream().map(LaneRecord::name).toList();
  }

  @Test
  void parts_of_a_lane_are_no_lanes_and_are_forgotten_once_they_are_free() {
    simulate(
        world -> {
          world.write(t -> Lanes.begun(t, "lane"));
          world.write(
              t -> Lanes.holdPart(t, "lane", "lane a", START.plusSeconds(9), HoldCause.TOLD));
          world.write(
              t -> Lanes.holdPart(t, "lane", "lane b", START.plusSeconds(99), HoldCause.HINTLESS));
          assertThat(world.store.read(Lanes::all))
              .extracting(LaneRecord::name)
              .containsExactly("lane");
          assertThat(heldParts(world)).containsExactly("lane a", "lane b");
          world.time.sleep(Duration.ofSeconds(9));
          assertThat(heldParts(world)).containsExactly("lane b");
          world.write(t -> Lanes.forgetParts(t, "lane"));
          assertThat(world.store.read(t -> Lanes.of(t, "lane a")).holdUntil())
              .isEqualTo(Instant.EPOCH);
          assertThat(world.store.read(t -> Lanes.of(t, "lane b")).holdUntil())
              .isEqualTo(START.plusSeconds(99));
        });
  }

  @Test
  void all_lanes_are_told_by_name() {
    simulate(
        world -> {
          world.write(t -> Lanes.begun(t, "b"));
          world.write(t -> Lanes.begun(t, "a"));
          assertThat(world.store.read(Lanes::all))
              .extracting(LaneRecord::name)
              .containsExactly("a", "b");
        });
  }
}
