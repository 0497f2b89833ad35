package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.NOT_SENT;
import static dev.sluice.runs.gap.GapWorld.PUT_OFF;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource
class GapPageTest {
  private final TestDatabase database;

  GapPageTest(TestDatabase database) {
    this.database = database;
  }

  private void simulate(GapWorld.Story story) {
    GapWorld.simulate(database, story);
  }

  @Test
  void only_gaps_that_were_seen_before_the_run_began_are_served_in_it() {
    simulate(
        world -> {
          world.note("before");
          world.time().sleep(Duration.ofMillis(1));
          Instant began = world.time().instant();
          world.note("during");
          assertThat(world.page(2, began))
              .extracting(DetailGap::recordKey)
              .containsExactly("before");
        });
  }

  @Test
  void a_gap_is_served_when_it_is_due_and_not_a_moment_before() {
    simulate(
        world -> {
          world.note("a", "{}", 1, PUT_OFF);
          world.time().sleep(Standing.WAIT_PER_TRY.minusMillis(1));
          assertThat(world.page(2)).isEmpty();
          world.time().sleep(Duration.ofMillis(1));
          assertThat(world.keys(2)).containsExactly("a");
        });
  }

  @Test
  void a_gap_is_tried_once_per_run_even_if_it_is_due_again_at_once() {
    simulate(
        world -> {
          world.note("a");
          world.time().sleep(Duration.ofSeconds(1));
          Instant began = world.time().instant();
          Miss atOnce = new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(began));
          assertThat(world.missed(world.page(2, began).getFirst(), 2, atOnce))
              .isEqualTo(State.PENDING);
          world.time().sleep(Duration.ofHours(7));
          assertThat(world.page(2, began)).isEmpty();
          assertThat(world.keys(3)).containsExactly("a");
        });
  }

  @Test
  void a_clock_that_is_set_back_does_not_let_a_run_try_a_gap_twice() {
    simulate(
        world -> {
          world.note("a");
          Instant began = world.time().instant().plus(Duration.ofHours(1));
          Miss atOnce =
              new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(world.time().instant()));
          assertThat(world.missed(world.page(2, began).getFirst(), 2, atOnce))
              .isEqualTo(State.PENDING);
          assertThat(world.page(2, began)).isEmpty();
        });
  }

  @Test
  void the_gap_that_was_tried_else_seen_longest_ago_comes_first_then_the_lower_id() {
    simulate(
        world -> {
          world.note("tried late");
          world.note("twin");
          world.note("other twin");
          world.time().sleep(Duration.ofMinutes(1));
          DetailGap stubborn = world.page(2).getFirst();
          assertThat(world.missed(stubborn, 2, PUT_OFF)).isEqualTo(State.PENDING);
          world.release(2);
          world.time().sleep(Duration.ofMinutes(1));
          world.note("seen last");
          world.time().sleep(Duration.ofHours(1));
          assertThat(world.keys(3))
              .containsExactly("twin", "other twin", "tried late", "seen last");
        });
  }

  @Test
  void a_stubborn_gap_never_starves_the_rest() {
    simulate(
        world -> {
          for (int i = 0; i < 5; i++) {
            world.note("stubborn " + i, "x".repeat(20_000), 1, NOT_SENT);
          }
          world.note("last", "x".repeat(20_000), 1, NOT_SENT);
          List<String> served = new ArrayList<>();
          for (int run = 2; run < 8; run++) { // a page holds one row, and a run does one page
            world.time().sleep(Duration.ofHours(6));
            List<DetailGap> page =
                world.page(run, world.time().instant(), LeasedGaps.LEAST_PAGE_BYTES);
            assertThat(world.missed(page.getFirst(), run, PUT_OFF)).isEqualTo(State.PENDING);
            served.add(page.getFirst().recordKey());
          }
          assertThat(served).doesNotHaveDuplicates().endsWith("last");
        });
  }

  @Test
  void gaps_of_another_collection_are_not_served() {
    simulate(
        world -> {
          world.note(
              new MissingDetail("another", "comments", "issues", "a", "", "{}"), 1, NOT_SENT);
          assertThat(world.page(2)).isEmpty();
        });
  }

  @Test
  void pages_are_no_limit_a_run_drains_everything_page_after_page_in_order() {
    simulate(
        world -> {
          world.noteMany(2_500, "{}", NOT_SENT);
          world.time().sleep(Duration.ofSeconds(1));
          Instant began = world.time().instant();
          List<String> served = new ArrayList<>();
          int pages = 0;
          for (List<DetailGap> page = next(world, began); !page.isEmpty(); pages++) {
            page.forEach(gap -> served.add(gap.recordKey()));
            world.recovered(page);
            page = next(world, began);
          }
          assertThat(served)
              .isEqualTo(IntStream.range(0, 2_500).mapToObj(i -> "k" + (10_000 + i)).toList());
          assertThat(pages).isGreaterThan(10);
        });
  }

  private static List<DetailGap> next(GapWorld world, Instant began) {
    return world.page(2, began, LeasedGaps.LEAST_PAGE_BYTES);
  }

  @Test
  void more_gaps_than_are_woken_at_once_are_all_served_in_one_run() {
    simulate(
        world -> {
          int many = 3 * GapPage.LONGEST_LOOK + 1;
          world.noteMany(many, "{}", PUT_OFF);
          world.time().sleep(Duration.ofHours(1));
          assertThat(tryAll(world, 2)).isEqualTo(many);
        });
  }

  @Test
  void gaps_that_had_their_try_and_are_due_again_do_not_hide_those_behind_them() {
    simulate(
        world -> {
          int many = GapPage.LONGEST_LOOK;
          world.noteMany(many, "{}", NOT_SENT);
          Instant late = world.time().instant().plus(Duration.ofHours(5));
          world.note(
              "late", "{}", 1, new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(late)));
          world.time().sleep(Duration.ofSeconds(1));
          Instant began = world.time().instant();
          for (List<DetailGap> page = next(world, began); !page.isEmpty(); ) {
            world.putOff(page, 2);
            page = next(world, began);
          }
          world.time().sleep(Duration.ofHours(5));
          assertThat(world.page(2, began)).extracting(DetailGap::recordKey).containsExactly("late");
        });
  }

  private static int tryAll(GapWorld world, long run) {
    Instant began = world.time().instant();
    int tried = 0;
    for (List<DetailGap> page = world.page(run, began); !page.isEmpty(); ) {
      world.putOff(page, run);
      tried += page.size();
      page = world.page(run, began);
    }
    return tried;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 40, 900, 5_000, 15_000})
  void a_page_is_as_full_as_its_bytes_allow_whatever_the_rows_weigh(int size) {
    simulate(
        world -> {
          String parent = "ä".repeat(size / 2);
          long weight = GapWorld.detail("k10000", parent).weight();
          int left = 1_000;
          world.noteMany(left, parent, NOT_SENT);
          Instant began = world.time().instant().plusMillis(1);
          for (int bytes : new int[] {LeasedGaps.LEAST_PAGE_BYTES, LeasedGaps.PAGE_BYTES}) {
            int served = world.page(2, began, bytes).size();
            assertThat(served).isEqualTo((int) Math.min(left, bytes / weight));
            left -= served;
          }
        });
  }

  @Test
  void a_gap_that_is_larger_than_a_page_is_served_alone() {
    simulate(
        world -> {
          world.note("a");
          world.note("huge", "x".repeat(LeasedGaps.MOST_PAGE_BYTES), 1, NOT_SENT);
          world.note("b");
          assertThat(world.keys(2)).containsExactly("a");
          assertThat(world.keys(2)).containsExactly("huge");
          assertThat(world.keys(2)).containsExactly("b");
          assertThat(world.keys(2)).isEmpty();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {LeasedGaps.LEAST_PAGE_BYTES - 1, LeasedGaps.MOST_PAGE_BYTES + 1})
  void a_page_of_an_unreasonable_size_is_refused(int bytes) {
    simulate(
        world ->
            assertThatThrownBy(() -> world.page(2, Instant.EPOCH, bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxBytes is " + bytes)
                .hasMessageContaining("16384 and 1048576"));
  }
}
