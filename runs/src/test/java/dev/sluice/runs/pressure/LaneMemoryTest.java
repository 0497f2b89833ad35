package dev.sluice.runs.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.Permit;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.run.Reason.Pressure;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.Transaction;
import dev.sluice.runs.store.Work;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.Condition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource
class LaneMemoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String LANE = "provider";
  private static final String ROUTE = LANE + " route items";

  private final TestDatabase database;

  LaneMemoryTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store store) {

    /** The life of a process on the same store, with a few slots and no pace. */
    Life process() {
      return process(LaneOptions.fixed(4));
    }

    Life process(LaneOptions options) {
      return begun(new LaneMemory(store, time), options);
    }

    Life begun(LaneMemory memory, LaneOptions options) {
      Gate gate = Gate.builder().time(time).lane(LANE, options).listener(memory).build();
      return new Life(gate, memory, memory.begin(gate, LANE));
    }

    LaneRecord lane() {
      return store.read(transaction -> Lanes.of(transaction, LANE));
    }

    void write(Consumer<Transaction> work) {
      store.write(
          transaction -> {
            work.accept(transaction);
            return null;
          });
    }
  }

  private record Life(Gate gate, LaneMemory memory, LaneRecord found) {
    CircuitState circuit() {
      return gate.statistics().lanes().getFirst().circuit();
    }

    void send(Signal signal) throws InterruptedException {
      Permit permit = gate.acquire();
      permit.settle(signal);
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    database.simulate(1, (time, store) -> story.tell(new World(time, store)));
  }

  @Test
  void a_hold_is_in_the_store_before_its_settlement_returns() {
    simulate(
        world -> {
          Life process = world.process();
          Permit permit = process.gate.acquire();
          world.time.sleep(Duration.ofMillis(1_500));
          permit.settle(Signal.throttled(Duration.ofSeconds(30)));
          assertThat(world.lane().holdUntil())
              .isBetween(START.plusMillis(31_500), START.plusMillis(32_500));
        });
  }

  /** A store that can be read and, for a while, not written. */
  private static final class FullStore implements Store {
    private final Store disk;
    private boolean full = true;

    FullStore(Store disk) {
      this.disk = disk;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      if (full) {
        throw new StoreException(StoreException.Problem.DISK_FULL, "the disk is full", null);
      }
      return disk.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      return disk.read(work);
    }

    @Override
    public void close() {}
  }

  @Test
  void nothing_is_sent_on_a_hold_that_could_not_be_stored_until_it_is() {
    simulate(
        world -> {
          FullStore store = new FullStore(world.store);
          store.full = false;
          Life process = world.begun(new LaneMemory(store, world.time), LaneOptions.fixed(4));
          store.full = true;
          process.send(Signal.throttled(Duration.ofSeconds(30)));
          assertThat(world.lane().holdUntil()).isEqualTo(Instant.EPOCH);
          for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> process.memory.use(LANE)).isInstanceOf(StoreException.class);
          }
          store.full = false;
          world.time.sleep(Duration.ofSeconds(10));
          process.memory.use(LANE);
          assertThat(world.lane().holdUntil())
              .as("counted from the answer, not from when it was stored")
              .isBetween(START.plusSeconds(30), START.plusSeconds(31));
          assertThat(world.lane().holdCause()).contains(HoldCause.TOLD);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1})
  void processes_whose_clocks_differ_keep_the_same_hold_by_the_clock_of_the_store(long hours) {
    simulate(
        world -> {
          Time wrong = new SkewedTime(world.time, Duration.ofHours(hours));
          Life told = world.begun(new LaneMemory(world.store, wrong), LaneOptions.fixed(4));
          told.send(Signal.throttled(Duration.ofSeconds(30)));
          assertThat(world.process().memory.heldElsewhere(LANE, ROUTE).get(LANE))
              .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
        });
  }

  @Test
  void listeners_are_told_on_the_settling_thread_before_it_goes_on() {
    simulate(
        world -> {
          AtomicReference<Thread> told = new AtomicReference<>();
          Life process = world.process();
          process.gate.addListener(event -> told.set(Thread.currentThread()));
          process.send(Signal.throttled(Duration.ofSeconds(30)));
          assertThat(told.get()).isSameAs(Thread.currentThread());
        });
  }

  @Test
  void a_process_that_starts_anew_sends_nothing_before_the_stored_hold_ends() {
    simulate(
        world -> {
          world.process().send(Signal.throttled(Duration.ofMinutes(3)));
          world.time.sleep(Duration.ofMinutes(1));
          Life next = world.process();
          next.send(Signal.success());
          assertThat(world.time.instant())
              .isBetween(START.plusSeconds(180), START.plusSeconds(181));
        });
  }

  @Test
  void a_process_that_starts_anew_keeps_the_cooldown_unless_it_was_overridden() {
    simulate(
        world -> {
          world.write(
              t -> {
                Cooldown unused =
                    Lanes.press(t, LANE, Pressure.CIRCUIT_OPEN, t.now(), Optional.empty());
              });
          world.process().send(Signal.success());
          assertThat(world.time.instant()).isEqualTo(START.plusSeconds(60));
          world.write(
              t -> {
                Cooldown unused =
                    Lanes.press(t, LANE, Pressure.CIRCUIT_OPEN, t.now(), Optional.empty());
                assertThat(Lanes.override(t, LANE)).isTrue();
              });
          world.process().send(Signal.success());
          assertThat(world.time.instant()).isEqualTo(START.plusSeconds(60));
        });
  }

  @Test
  void a_stop_is_remembered_until_a_person_reopens_the_lane() {
    simulate(
        world -> {
          for (Signal.Stopped.Reason reason : Signal.Stopped.Reason.values()) {
            Life process = world.process();
            assertThat(process.found.stopped()).isEmpty();
            process.send(Signal.stopped(reason));
            world.time.sleep(Duration.ofDays(30));
            assertThat(world.process().found.stopped()).contains(reason);
            world.write(t -> Lanes.reopen(t, LANE));
          }
        });
  }

  /** A process whose provider fails until its circuit opens; when that was. */
  private static Instant failUntilOpen(World world) throws InterruptedException {
    Life process = world.process();
    while (process.circuit() == CircuitState.CLOSED) {
      world.time.sleep(Duration.ofSeconds(1));
      process.send(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
    }
    return world.time.instant();
  }

  @Test
  void the_circuits_last_move_is_kept() {
    simulate(
        world -> {
          Instant opened = failUntilOpen(world);
          CircuitMove move = world.lane().circuit().orElseThrow();
          assertThat(move.at()).isEqualTo(opened);
          assertThat(move.state()).isEqualTo(CircuitState.OPEN);
          assertThat(move.fact().requests()).isPositive();
        });
  }

  @Test
  void a_process_that_starts_anew_finds_the_circuit_open_for_the_rest_of_its_time() {
    simulate(
        world -> {
          Instant opened = failUntilOpen(world);
          Duration openFor = LaneOptions.fixed(4).circuit().openFor();
          world.time.sleep(openFor.dividedBy(2));

          Life next = world.process();
          assertThat(next.circuit()).isEqualTo(CircuitState.OPEN);
          assertThatThrownBy(() -> next.send(Signal.success()))
              .isInstanceOf(RefusedException.class)
              .hasMessageContaining("it is tried again in 30s");
          world.time.sleep(Duration.between(world.time.instant(), opened.plus(openFor)));
          next.send(Signal.success());
          assertThat(world.lane().circuit().orElseThrow().state()).isEqualTo(CircuitState.CLOSED);
        });
  }

  @Test
  void a_circuit_that_was_used_is_not_taken_for_an_earlier_ones() {
    simulate(
        world -> {
          Life early = world.process();
          early.send(Signal.success());
          Instant unused = failUntilOpen(world);

          LaneRecord again = early.memory.begin(early.gate, LANE);
          assertThat(again.circuit().orElseThrow().state()).isEqualTo(CircuitState.OPEN);
          assertThat(early.circuit()).isEqualTo(CircuitState.CLOSED);
        });
  }

  @Test
  void a_lane_that_a_person_reopened_begins_with_a_closed_circuit() {
    simulate(
        world -> {
          Instant unused = failUntilOpen(world);
          world.write(t -> Lanes.reopen(t, LANE));
          assertThat(world.process().circuit()).isEqualTo(CircuitState.CLOSED);
        });
  }

  /** Sends at the lane's own pace until there is something to remember. */
  private static Profile learn(World world) throws InterruptedException {
    LaneMemory memory = new LaneMemory(world.store, world.time);
    Life process = world.begun(memory, memory.learning(LANE));
    for (int i = 0; i < 40; i++) {
      process.send(Signal.success(Duration.ofMillis(50)));
    }
    process.send(Signal.throttled(Duration.ofSeconds(2)));
    for (int i = 0; i < 40; i++) {
      process.send(Signal.success(Duration.ofMillis(50)));
    }
    world.write(t -> memory.end(t, LANE));
    return world.lane().profile().orElseThrow();
  }

  private static double rateAtTheStart(World world) {
    LaneMemory memory = new LaneMemory(world.store, world.time);
    Life process = world.begun(memory, memory.learning(LANE));
    double rate = process.gate.statistics().lanes().getFirst().rate();
    world.write(t -> memory.end(t, LANE));
    return rate;
  }

  @Test
  void a_lane_starts_with_what_was_learned_and_trusts_it_less_the_older_it_is() {
    simulate(
        world -> {
          double cold = rateAtTheStart(world);
          Profile profile = learn(world);
          assertThat(profile.rate()).isGreaterThan(2 * cold);
          assertThat(profile.sure()).isGreaterThanOrEqualTo(0.8);
          assertThat(world.lane().proven().orElseThrow().rate()).isEqualTo(profile.rate());
          assertThat(world.lane().proven().orElseThrow().at())
              .isEqualTo(world.time.instant().truncatedTo(ChronoUnit.MILLIS));
          world.time.sleep(Duration.ofDays(1));
          assertThat(rateAtTheStart(world))
              .as("yesterday's is where it goes on")
              .isGreaterThan(0.95 * profile.rate());
          world.time.sleep(Duration.ofDays(2));
          assertThat(rateAtTheStart(world))
              .as("half of an old one is where the search begins")
              .isEqualTo(Math.max(cold, profile.rate() / 2));
        });
  }

  /** Stores the text of a profile, as some version may have written it. */
  private static void remember(World world, String profile) {
    world.write(
        t -> {
          Lanes.proven(t, LANE, new ProvenRate(100, t.now()));
          int unused = t.update("update lane set profile = ? where name = ?", profile, LANE);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0 PT0S 0 1.0",
        "-1.0 PT0S 0 1.0",
        "Infinity PT0S 0 1.0",
        "NaN PT0S 0 1.0",
        "100.0 PT0S -1 1.0",
        "100.0 PT0S 0 7.0",
        "100.0 PT0S 0.5 1.0",
        "2: rate=100.0",
        ""
      })
  void a_profile_that_cannot_be_read_is_ignored(String profile) {
    simulate(
        world -> {
          double cold = rateAtTheStart(world);
          remember(world, profile);
          assertThat(world.lane().profile()).isEmpty();
          assertThat(rateAtTheStart(world)).isEqualTo(cold);
        });
  }

  @Test
  void a_profile_of_an_earlier_version_is_trusted_by_half() {
    simulate(
        world -> {
          remember(world, "100.0 PT7S");
          assertThat(world.lane().profile()).contains(new Profile(100, 0, 0.5));
          assertThat(rateAtTheStart(world)).isGreaterThan(95);
        });
  }

  @Test
  void a_paced_lane_starts_at_the_proven_rate_not_at_the_one_that_a_throttle_left() {
    simulate(
        world -> {
          PacerOptions options = PacerOptions.builder().increase(2).build();
          LaneMemory memory = new LaneMemory(world.store, world.time);
          Life process = world.begun(memory, memory.paced(LANE, options));
          for (int i = 0; i < 100; i++) {
            process.send(Signal.success(Duration.ofMillis(50)));
          }
          double proven = process.gate.statistics().lanes().getFirst().rate();
          process.send(Signal.throttled(Duration.ofSeconds(2)));
          double left = process.gate.statistics().lanes().getFirst().rate();
          world.write(t -> memory.end(t, LANE));
          LaneMemory next = new LaneMemory(world.store, world.time);
          double start =
              world
                  .begun(next, next.paced(LANE, options))
                  .gate
                  .statistics()
                  .lanes()
                  .getFirst()
                  .rate();
          assertThat(start).isLessThanOrEqualTo(proven).isGreaterThan(left);
        });
  }

  @Test
  void after_an_end_of_any_kind_the_burst_counts_as_spent() {
    simulate(
        world -> {
          PacerOptions options = PacerOptions.builder().coldStart(2).burst(11).build();
          for (int life = 0; life < 3; life++) { // nobody comes to an end
            LaneMemory memory = new LaneMemory(world.store, world.time);
            Life process = world.begun(memory, memory.paced(LANE, options));
            long began = world.time.nanos();
            for (int i = 1; i <= 3; i++) {
              process.send(Signal.rejected(Signal.Rejected.Kind.INVALID));
              assertThat(Duration.ofNanos(world.time.nanos() - began))
                  .isEqualTo(Duration.ofMillis(500).multipliedBy(i));
            }
            world.time.sleep(LaneUsers.TERM); // until it is forgotten
          }
        });
  }

  @Test
  void what_another_process_was_told_is_seen_before_anything_is_sent() {
    simulate(
        world -> {
          Life one = world.process();
          Life other = world.process();
          assertThat(one.memory.heldElsewhere(LANE, ROUTE)).isEmpty();
          other.send(Signal.throttled(Duration.ofMinutes(3)));
          assertThat(one.memory.heldElsewhere(LANE, ROUTE))
              .containsOnlyKeys(LANE)
              .hasValueSatisfying(
                  new Condition<>(
                      left -> left.compareTo(Duration.ofMinutes(3)) >= 0, "at least 3 minutes"));
          other.memory.holdPart(LANE, ROUTE, Duration.ofMinutes(1), HoldCause.TOLD);
          assertThat(one.memory.heldElsewhere(LANE, ROUTE)).containsOnlyKeys(LANE, ROUTE);
          assertThat(other.memory.heldElsewhere(LANE, ROUTE)).as("it knows that itself").isEmpty();
          world.time.sleep(Duration.ofMinutes(4));
          assertThat(one.memory.heldElsewhere(LANE, ROUTE)).isEmpty();
        });
  }

  /** How many requests a process sends in a minute. */
  private static int sentInAMinute(World world, Life process) throws InterruptedException {
    long end = world.time.deadline(Duration.ofMinutes(1));
    int sent = 0;
    while (world.time.nanos() - end < 0) {
      process.memory.use(LANE);
      process.send(Signal.rejected(Signal.Rejected.Kind.INVALID)); // neither faster nor slower
      sent++;
    }
    return sent;
  }

  private static Life paced(World world, double rate) {
    LaneMemory memory = new LaneMemory(world.store, world.time);
    PacerOptions options = PacerOptions.builder().coldStart(rate).burst(1).build();
    return world.begun(memory, memory.paced(LANE, options));
  }

  @Test
  void processes_that_use_one_credential_divide_its_rate() {
    simulate(
        world -> {
          Life one = paced(world, 2);
          assertThat(sentInAMinute(world, one)).as("alone").isBetween(119, 121);
          Life other = paced(world, 2);
          AtomicInteger others = new AtomicInteger();
          Time.Task beside =
              world.time.start(
                  "beside",
                  () -> {
                    try {
                      others.set(sentInAMinute(world, other));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
          int ones = sentInAMinute(world, one);
          beside.join();
          assertThat(others).as("who comes divides at once").hasValueBetween(59, 61);
          assertThat(ones).as("who is there hears of it within 20 s").isBetween(60, 81);
          world.write(t -> other.memory.end(t, LANE));
          int unused = sentInAMinute(world, one);
          assertThat(sentInAMinute(world, one)).as("alone again").isBetween(119, 121);
        });
  }

  @Test
  void a_lane_that_processes_share_says_how_many_and_what_this_one_may_send() {
    simulate(
        world -> {
          assertThat(paced(world, 2).gate.statistics().lanes().getFirst().reason())
              .doesNotContain("processes");
          assertThat(paced(world, 2).gate.statistics().lanes().getFirst().reason())
              .endsWith("; 2 processes use the lane, and this one may send 1/s");
        });
  }

  @Test
  void a_process_that_was_killed_or_stopped_sending_is_forgotten() {
    simulate(
        world -> {
          Life silent = paced(world, 2);
          assertThat(silent.gate.statistics().lanes().getFirst().rate()).isEqualTo(2);
          assertThat(paced(world, 2).gate.statistics().lanes().getFirst().rate()).isEqualTo(1);
          world.time.sleep(LaneUsers.TERM);
          assertThat(paced(world, 2).gate.statistics().lanes().getFirst().rate()).isEqualTo(2);
          world.time.sleep(LaneUsers.TERM);
          Process ended = new ProcessBuilder("true").start();
          int unused = ended.waitFor();
          Holder self = Holder.self();
          Holder dead = new Holder(self.machine(), ended.pid(), "1", self.host());
          world.write(
              t -> {
                int unusedToo = LaneUsers.say(t, LANE, dead, "it");
              });
          assertThat(paced(world, 2).gate.statistics().lanes().getFirst().rate()).isEqualTo(2);
        });
  }

  @Test
  void many_throttles_of_one_moment_are_one_entry() {
    simulate(
        world -> {
          Life process = world.process();
          Permit[] permits = new Permit[4];
          for (int i = 0; i < permits.length; i++) {
            permits[i] = process.gate.acquire();
          }
          permits[0].settle(Signal.throttled(Duration.ofMillis(10_010)));
          Instant first = world.lane().updated();
          for (int i = 1; i < permits.length; i++) {
            world.time.sleep(Duration.ofMillis(10));
            permits[i].settle(Signal.throttled(Duration.ofMillis(10_010)));
          }
          assertThat(world.lane().updated()).isEqualTo(first);
          assertThat(world.lane().holdUntil()).isEqualTo(START.plusMillis(10_100));
          process.send(Signal.success(Duration.ZERO));
          assertThat(world.time.instant())
              .as("nobody comes before what is stored")
              .isEqualTo(START.plusMillis(10_100));
        });
  }
}
