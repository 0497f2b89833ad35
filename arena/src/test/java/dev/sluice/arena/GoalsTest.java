package dev.sluice.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Score;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {
  private static final Score BEST = score(1_000, 0, false);

  private final List<Result> results = new ArrayList<>();

  private static boolean isOdd(Result result) {
    return result.venue().traits().contains("odd");
  }

  private static Score score(long done, long refused, boolean suspended) {
    return new Score(done, 0, refused, 0, 0, 1, false, 0, 0, 0, suspended, Score.Waited.NOT);
  }

  private static Venue venue(boolean random, String... traits) {
    return new Venue("tiny", "somewhere" + traits.length, "", random, List.of(traits));
  }

  private void bout(String entrant, Venue venue, long done, long refused) {
    results.add(new Result(venue, Size.HOUR, 1, entrant, score(done, refused, false), BEST));
  }

  private Goal.Reached reached(Goal goal) {
    return goal.reached(results).orElseThrow();
  }

  @Test
  void a_goal_without_a_bout_is_not_measured() {
    assertThat(Goals.reach("", "us", Size.HOUR, 0.9, 0.01, false).reached(results)).isEmpty();
    assertThat(Goals.unbeaten("us", List.of("us")).reached(results)).isEmpty();
    assertThat(Goals.noWorse("", "us", "them", GoalsTest::isOdd, 0.01).reached(results)).isEmpty();
  }

  @Test
  void scenarios_with_names_do_not_count() {
    bout("us", venue(false), 990, 0);
    assertThat(Goals.reach("", "us", Size.HOUR, 0.9, 0.01, false).reached(results)).isEmpty();
  }

  @Test
  void both_figures_must_be_reached() {
    bout("us", venue(true), 950, 50);
    assertThat(reached(Goals.reach("", "us", Size.HOUR, 0.95, 0.05, false)))
        .isEqualTo(new Goal.Reached("0.950 / 5.00 %", true));
    assertThat(reached(Goals.reach("", "us", Size.HOUR, 0.951, 0.05, false)).isMet()).isFalse();
    assertThat(reached(Goals.reach("", "us", Size.HOUR, 0.95, 0.049, false)).isMet()).isFalse();
  }

  @Test
  void one_suspension_misses_a_goal_that_forbids_them() {
    results.add(new Result(venue(true), Size.HOUR, 1, "us", score(1_000, 0, true), BEST));
    assertThat(reached(Goals.reach("", "us", Size.HOUR, 0.9, 0.1, false)).isMet()).isTrue();
    assertThat(reached(Goals.reach("", "us", Size.HOUR, 0.9, 0.1, true)))
        .isEqualTo(new Goal.Reached("1.000 / 0.00 %, 1 suspended", false));
  }

  @Test
  void a_rival_that_is_better_in_both_beats_the_champion_and_is_named() {
    bout("us", venue(true), 900, 10);
    bout("them", venue(true), 901, 9);
    assertThat(reached(Goals.unbeaten("us", List.of("us"))))
        .isEqualTo(new Goal.Reached("them at 1 h", false));
  }

  @Test
  void a_relative_of_the_champion_is_no_rival() {
    bout("us", venue(true), 900, 10);
    bout("cousin", venue(true), 901, 9);
    bout("them", venue(true), 1, 9);
    assertThat(reached(Goals.unbeaten("us", List.of("us", "cousin"))))
        .isEqualTo(new Goal.Reached("nobody", true));
  }

  @Test
  void a_rival_that_is_faster_and_refused_more_often_does_not_beat_the_champion() {
    bout("us", venue(true), 900, 10);
    bout("them", venue(true), 950, 25);
    assertThat(reached(Goals.unbeaten("us", List.of("us"))).isMet()).isTrue();
  }

  @Test
  void where_nobody_knows_what_is_possible_only_suspension_and_silence_count() {
    bout("us", venue(true, Venue.UNRATED), 1, 0);
    assertThat(Goals.reach("", "us", Size.HOUR, 0.9, 0.01, true).reached(results))
        .hasValueSatisfying(reached -> assertThat(reached.isMet()).isFalse());
    assertThat(reached(Goals.steady("", "us")))
        .isEqualTo(new Goal.Reached("0 suspended, 0 silent of 1", true));
    results.add(
        new Result(
            venue(true, Venue.UNRATED), Size.HOUR, 2, "us", score(1_000, 0, true), Score.NONE));
    assertThat(reached(Goals.steady("", "us")).isMet()).isFalse();
  }

  @Test
  void falling_behind_in_one_scenario_of_the_kind_is_found() {
    bout("us", venue(true, "odd"), 880, 0);
    bout("them", venue(true, "odd"), 900, 0);
    bout("us", venue(true), 100, 0);
    bout("them", venue(true), 900, 0);
    assertThat(reached(Goals.noWorse("", "us", "them", GoalsTest::isOdd, 0.01)))
        .isEqualTo(new Goal.Reached("0.020 below in somewhere1, of 1", false));
    assertThat(reached(Goals.noWorse("", "us", "them", GoalsTest::isOdd, 0.03)).isMet()).isTrue();
  }
}
