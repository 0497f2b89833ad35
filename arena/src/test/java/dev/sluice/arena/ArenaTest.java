package dev.sluice.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.gate.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArenaTest {
  private static final Selection TINY =
      Selection.QUICK.withSizes(List.of(new Size(3), Size.HOUR)).withSeeds(5, 2).withRandom(1, 3);

  private static Arena arena(TinyLeague league, int tasks) {
    return new Arena(List.of(league), Time.real(), tasks);
  }

  private static Results play(Selection selection) throws InterruptedException {
    return arena(new TinyLeague(), 2).play(selection, Progress.NOBODY);
  }

  @Test
  void everybody_plays_every_scenario_size_and_seed_in_the_order_of_the_selection()
      throws InterruptedException {
    List<Result> bouts = play(TINY).bouts();
    assertThat(bouts).hasSize(3 * 2 * 2 * 2);
    assertThat(bouts.stream().map(bout -> bout.venue().name()).distinct())
        .containsExactly("Slots: 2", "Slots: 4", "random 13");
    assertThat(bouts.stream().limit(4).map(Result::entrant))
        .containsExactly("single", "fitting", "single", "fitting");
    assertThat(bouts.stream().limit(4).map(Result::seed)).containsExactly(5L, 5L, 6L, 6L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void results_do_not_depend_on_the_number_of_tasks(int tasks) throws InterruptedException {
    assertThat(arena(new TinyLeague(), tasks).play(TINY, Progress.NOBODY).bouts())
        .isEqualTo(play(TINY).bouts());
  }

  @Test
  void the_ratio_is_the_best_time_by_the_own_or_for_the_hour_what_was_done_by_the_best()
      throws InterruptedException {
    Results results = play(TINY.withScenarios(List.of("slots-4")).withRandom(0, 0));
    assertThat(results.bouts())
        .extracting(Result::entrant, result -> result.size().label(), Result::ratio)
        .contains(
            tuple("single", "3 w", 3.0 / 12),
            tuple("fitting", "3 w", 1.0),
            tuple("fitting", "1 h", 1.0));
    assertThat(results.bouts().stream().filter(bout -> bout.size().isHour()).findFirst())
        .hasValueSatisfying(bout -> assertThat(bout.ratio()).isEqualTo(0.25));
  }

  @Test
  void only_the_entrants_that_are_named_play() throws InterruptedException {
    assertThat(play(TINY.withPolicies(List.of("fitting"))).bouts())
        .isNotEmpty()
        .allMatch(bout -> bout.entrant().equals("fitting"));
  }

  @Test
  void a_scenario_drawn_by_chance_can_be_named_alone() throws InterruptedException {
    assertThat(play(TINY.withScenarios(List.of("random 17")).withRandom(0, 0)).bouts())
        .isNotEmpty()
        .allMatch(bout -> bout.venue().name().equals("random 17"));
  }

  @Test
  void a_wrong_name_is_refused_with_those_that_there_are() {
    assertThatThrownBy(() -> play(TINY.withPolicies(List.of("fiting"))))
        .isInstanceOfSatisfying(
            UnknownNameException.class,
            unknown -> {
              assertThat(unknown.kind()).isEqualTo("policy");
              assertThat(unknown.typed()).isEqualTo("fiting");
              assertThat(unknown.known()).containsExactly("single", "fitting");
            });
    assertThatThrownBy(() -> play(TINY.withScenarios(List.of("slots-3"))))
        .hasMessage("there is no scenario 'slots-3'; there are: slots-2, slots-4");
    assertThatThrownBy(() -> play(TINY.withWorlds(List.of("huge"))))
        .hasMessage("there is no world 'huge'; there are: tiny");
  }

  @Test
  void a_world_without_any_of_the_policies_or_scenarios_is_left_out() throws InterruptedException {
    Arena both = new Arena(List.of(new TinyLeague(), new DataverseLeague()), Time.real(), 2);
    Selection one = TINY.withSizes(List.of(new Size(1))).withRandom(0, 0);
    assertThat(both.play(one.withPolicies(List.of("fitting")), Progress.NOBODY).leagues())
        .extracting(League::name)
        .containsExactly("tiny");
    assertThat(both.play(one.withScenarios(List.of("slots-2")), Progress.NOBODY).leagues())
        .extracting(League::name)
        .containsExactly("tiny");
    assertThatThrownBy(
            () ->
                both.play(
                    one.withScenarios(List.of("slots-2")).withPolicies(List.of("quota")),
                    Progress.NOBODY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(quota)")
        .hasMessageContaining("(slots-2)");
  }

  @Test
  void an_entrant_that_throws_fails_the_run_with_its_scenario_job_and_seed() {
    TinyLeague league =
        new TinyLeague()
            .with(
                Entrant.ours(
                    "broken",
                    "throws",
                    (scenario, seed) -> {
                      throw new IllegalStateException("the reason");
                    }));
    Selection one = TINY.withScenarios(List.of("slots-4")).withSeeds(7, 1).withRandom(0, 0);
    assertThatThrownBy(
            () -> arena(league, 2).play(one.withSizes(List.of(Size.HOUR)), Progress.NOBODY))
        .isInstanceOf(BoutFailedException.class)
        .hasMessageContaining("broken in 'Slots: 4' (tiny), job 1 h, seed 7")
        .hasMessageContaining("the reason");
  }

  @Test
  void progress_ends_with_everything_done_and_nothing_left() throws InterruptedException {
    List<String> told = new ArrayList<>();
    Results unused =
        arena(new TinyLeague(), 2)
            .play(TINY, (done, all, elapsed, left) -> told.add(done + "/" + all + "/" + left));
    assertThat(told).last().isEqualTo("36/36/PT0S"); // 24 bouts and 12 oracles
  }

  @Test
  void a_trace_tells_what_was_in_flight_sent_and_used() throws InterruptedException {
    List<Trace> traces = arena(new TinyLeague(), 2).trace(TINY, Progress.NOBODY);
    assertThat(traces)
        .extracting(trace -> trace.venue().name())
        .containsExactly("Slots: 2", "Slots: 4");
    Trace trace = traces.get(1);
    assertThat(trace.slices()).hasSize(180);
    assertThat(trace.slices().get(90))
        .satisfies(
            slice -> {
              assertThat(slice.inFlight()).isEqualTo(4);
              assertThat(slice.sent()).isEqualTo(4);
              assertThat(slice.level()).isEqualTo(4);
              assertThat(slice.used()).isEqualTo(1);
              assertThat(slice.refused()).isZero();
            });
  }
}
