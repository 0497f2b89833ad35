package dev.sluice.control.routing;

import static dev.sluice.control.routing.SelectionStrategy.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SelectionStrategyTest {
  private static final long NOW = 0;

  @ParameterizedTest
  @EnumSource
  void a_lane_that_is_not_ready_is_never_chosen(Selection selection) {
    Lanes lanes = new Lanes(3);
    lanes.ready[0] = false;
    lanes.ready[2] = false;
    SelectionStrategy strategy = selection.strategy();
    for (int i = 0; i < 5; i++) {
      assertThat(lanes.grant(strategy)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void none_is_chosen_where_none_is_ready_or_there_are_no_lanes(Selection selection) {
    Lanes lanes = new Lanes(2);
    lanes.ready[0] = false;
    lanes.ready[1] = false;
    assertThat(selection.strategy().select(lanes, NOW)).isEqualTo(NONE);
    assertThat(selection.strategy().select(new Lanes(0), NOW)).isEqualTo(NONE);
  }

  @ParameterizedTest
  @EnumSource
  void lanes_that_are_alike_take_turns_from_the_first(Selection selection) {
    Lanes lanes = new Lanes(3);
    SelectionStrategy strategy = selection.strategy();
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      chosen.add(lanes.grant(strategy));
    }
    assertThat(chosen).containsExactly(0, 1, 2, 0, 1, 2, 0);
  }

  @Test
  void throttle_aware_routes_round_a_throttled_user_and_back_when_it_is_free() {
    Lanes lanes = new Lanes(3);
    SelectionStrategy strategy = new ThrottleAwareStrategy();
    assertThat(lanes.grant(strategy)).isEqualTo(0);

    lanes.ready[0] = false;
    assertThat(
            List.of(
                lanes.grant(strategy),
                lanes.grant(strategy),
                lanes.grant(strategy),
                lanes.grant(strategy)))
        .containsExactly(1, 2, 1, 2);

    lanes.ready[0] = true;
    assertThat(lanes.grant(strategy)).as("the one unused for longest").isEqualTo(0);
  }

  @Test
  void round_robin_goes_on_after_its_last_choice_where_throttle_aware_makes_up_for_the_pause() {
    Lanes lanes = new Lanes(3);
    SelectionStrategy strategy = new RoundRobinStrategy();
    assertThat(lanes.grant(strategy)).isEqualTo(0);
    lanes.ready[0] = false;
    assertThat(lanes.grant(strategy)).isEqualTo(1);
    lanes.ready[0] = true;
    assertThat(lanes.grant(strategy)).isEqualTo(2);
    assertThat(lanes.grant(strategy)).isEqualTo(0);
  }

  @Test
  void a_round_robin_that_found_nobody_keeps_its_place() {
    Lanes lanes = new Lanes(2);
    SelectionStrategy strategy = new RoundRobinStrategy();
    assertThat(lanes.grant(strategy)).isEqualTo(0);
    lanes.ready[0] = false;
    lanes.ready[1] = false;
    assertThat(strategy.select(lanes, NOW)).isEqualTo(NONE);
    lanes.ready[0] = true;
    lanes.ready[1] = true;
    assertThat(lanes.grant(strategy)).isEqualTo(1);
  }

  @Test
  void two_gates_have_two_places_in_the_round() {
    Lanes lanes = new Lanes(2);
    assertThat(lanes.grant(Selection.ROUND_ROBIN.strategy())).isEqualTo(0);
    assertThat(lanes.grant(Selection.ROUND_ROBIN.strategy())).isEqualTo(0);
  }

  @Test
  void least_connections_takes_the_fewest_in_flight_and_then_the_least_recently_used() {
    Lanes lanes = new Lanes(4);
    lanes.inFlight[0] = 2;
    lanes.inFlight[1] = 1;
    lanes.inFlight[2] = 1;
    lanes.inFlight[3] = 5;
    lanes.lastUsed[0] = 1;
    lanes.lastUsed[1] = 9;
    lanes.lastUsed[2] = 8;
    assertThat(new LeastConnectionsStrategy().select(lanes, NOW)).isEqualTo(2);
    lanes.lastUsed[2] = 9;
    assertThat(new LeastConnectionsStrategy().select(lanes, NOW)).isEqualTo(1);
  }

  @Test
  void most_headroom_takes_the_largest_share_left_and_then_the_least_recently_used() {
    Lanes lanes = new Lanes(4);
    lanes.headroom[0] = 0.2;
    lanes.headroom[1] = 0.7;
    lanes.headroom[2] = 0.7;
    lanes.headroom[3] = 0.1;
    lanes.lastUsed[1] = 9;
    lanes.lastUsed[2] = 8;
    assertThat(new MostHeadroomStrategy().select(lanes, NOW)).isEqualTo(2);
    lanes.lastUsed[2] = 9;
    assertThat(new MostHeadroomStrategy().select(lanes, NOW)).isEqualTo(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void every_choice_is_ready_and_the_best_by_its_own_rule(long seed) {
    Random random = new Random(seed);
    Lanes lanes = new Lanes(1 + random.nextInt(8));
    for (int round = 0; round < 200; round++) {
      lanes.shuffle(random);
      for (Selection selection : Selection.values()) {
        int chosen = selection.strategy().select(lanes, NOW);
        assertThat(chosen == NONE)
            .as("seed %d round %d %s finds a ready lane if there is one", seed, round, selection)
            .isEqualTo(lanes.countReady() == 0);
        for (int i = 0; chosen != NONE && i < lanes.size(); i++) {
          assertThat(lanes.ready[chosen] && !lanes.beats(selection, i, chosen))
              .as("seed %d round %d %s chose %d over %d", seed, round, selection, chosen, i)
              .isTrue();
        }
      }
    }
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest
  @EnumSource
  void choosing_allocates_nothing(Selection selection) {
    Lanes lanes = new Lanes(8);
    SelectionStrategy strategy = selection.strategy();
    long unused = allocatedBy(strategy, lanes, 100); // loads the classes
    assertThat(allocatedBy(strategy, lanes, 10_000)).isLessThan(10_000);
  }

  @Test
  void the_names_are_stable_and_each_names_its_strategy() {
    assertThat(Selection.values())
        .extracting(Selection::wireName)
        .containsExactly("throttle-aware", "round-robin", "least-connections", "most-headroom");
    assertThat(Selection.values())
        .extracting(selection -> (Object) selection.strategy().getClass())
        .containsExactly(
            ThrottleAwareStrategy.class,
            RoundRobinStrategy.class,
            LeastConnectionsStrategy.class,
            MostHeadroomStrategy.class);
  }

  @ParameterizedTest
  @EnumSource
  void a_strategy_is_found_by_its_name_in_any_case_style(Selection selection) {
    assertThat(Selection.named(selection.wireName())).isEqualTo(selection);
    assertThat(Selection.named(" " + selection.name() + " ")).isEqualTo(selection);
    assertThat(Selection.named("ThrottleAware")).isEqualTo(Selection.THROTTLE_AWARE);
  }

  @Test
  void an_unknown_name_is_refused_with_those_that_there_are() {
    assertThatThrownBy(() -> Selection.named("random"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "there is no selection strategy \"random\"; choose one of throttle-aware, round-robin,"
                + " least-connections, most-headroom");
  }

  private static long allocatedBy(SelectionStrategy strategy, Lanes lanes, int times) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    int found = 0;
    for (int i = 0; i < times; i++) {
      found += strategy.select(lanes, NOW) == NONE ? 0 : 1;
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    return found == times ? allocated : Long.MAX_VALUE;
  }

  /** Lanes that a test sets as it likes. */
  private static final class Lanes implements Candidates {
    private final boolean[] ready;
    private final int[] inFlight;
    private final long[] lastUsed;
    private final double[] headroom;
    private long grants;

    Lanes(int size) {
      ready = new boolean[size];
      inFlight = new int[size];
      lastUsed = new long[size];
      headroom = new double[size];
      for (int i = 0; i < size; i++) {
        ready[i] = true;
        headroom[i] = 1;
      }
    }

    /** What a gate does: ask, then use. Answers come at once, so nothing stays in flight. */
    int grant(SelectionStrategy strategy) {
      int chosen = strategy.select(this, NOW);
      grants++;
      lastUsed[chosen] = grants;
      return chosen;
    }

    void shuffle(Random random) {
      for (int i = 0; i < size(); i++) {
        ready[i] = random.nextInt(3) > 0;
        inFlight[i] = random.nextInt(3);
        lastUsed[i] = random.nextInt(4);
        headroom[i] = random.nextInt(3) / 2.0;
      }
    }

    int countReady() {
      int count = 0;
      for (boolean each : ready) {
        count += each ? 1 : 0;
      }
      return count;
    }

    /** Whether one ready lane should have been chosen before the other. */
    boolean beats(Selection selection, int one, int other) {
      if (!ready[one] || one == other) {
        return false;
      }
      double better =
          switch (selection) {
            case THROTTLE_AWARE -> 0;
            case LEAST_CONNECTIONS -> inFlight[other] - inFlight[one];
            case MOST_HEADROOM -> headroom[one] - headroom[other];
            case ROUND_ROBIN -> other - one; // a new round starts at the first
          };
      if (better == 0) {
        better = lastUsed[other] - lastUsed[one];
      }
      return better > 0 || (better == 0 && one < other);
    }

    @Override
    public int size() {
      return ready.length;
    }

    @Override
    public String name(int index) {
      return "app" + index;
    }

    @Override
    public boolean ready(int index) {
      return ready[index];
    }

    @Override
    public int inFlight(int index) {
      return inFlight[index];
    }

    @Override
    public int level(int index) {
      return 4;
    }

    @Override
    public long lastUsed(int index) {
      return lastUsed[index];
    }

    @Override
    public double headroom(int index) {
      return headroom[index];
    }
  }
}
