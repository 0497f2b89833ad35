package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.COLLECTION;
import static dev.sluice.runs.gap.GapWorld.NOT_SENT;
import static dev.sluice.runs.gap.GapWorld.PUT_OFF;
import static dev.sluice.runs.gap.GapWorld.REFUSED;
import static dev.sluice.runs.gap.GapWorld.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class DetailGapsTest {
  private final TestDatabase database;

  DetailGapsTest(TestDatabase database) {
    this.database = database;
  }

  private void simulate(GapWorld.Story story) {
    GapWorld.simulate(database, story);
  }

  @Test
  void the_wire_names_are_pinned() {
    assertThat(Stream.of(State.values()).map(State::wireName))
        .containsExactly("pending", "leased", "recovered", "gone", "quarantined");
    assertThatThrownBy(() -> State.named("lost")).hasMessageContaining("'lost'");
  }

  @Test
  void requeue_reopens_what_is_gone_or_in_quarantine_and_nothing_else() {
    simulate(
        world -> {
          for (int run = 1; run <= 8; run++) {
            world.note("quarantined", "{}", run, REFUSED);
          }
          world.note("gone", "{}", 1, new Miss.Gone(Reason.Failure.NOT_FOUND));
          world.note("put off", "{}", 1, PUT_OFF);
          assertThat(requeue(world, "no such stream", null)).isZero();
          assertThat(requeue(world, "comments", "put off")).isZero();
          assertThat(requeue(world, "comments", "gone")).isEqualTo(1);
          assertThat(requeue(world, null, null)).isEqualTo(1);
          assertThat(world.keys(9)).containsExactlyInAnyOrder("quarantined", "gone");
          assertThat(world.now("quarantined").failures()).isZero();
          assertThat(world.now("quarantined").tries()).isZero();
        });
  }

  private static int requeue(GapWorld world, @Nullable String stream, @Nullable String key) {
    return world
        .store()
        .write(
            transaction ->
                DetailGaps.requeue(
                    transaction,
                    COLLECTION,
                    Optional.ofNullable(stream),
                    Optional.ofNullable(key)));
  }

  @Test
  void gaps_are_counted_by_stream_and_state_with_the_age_of_the_oldest() {
    simulate(
        world -> {
          world.note("a");
          world.time().sleep(Duration.ofMinutes(5));
          world.note("b");
          world.note("c", "{}", 1, new Miss.Gone(Reason.Failure.NOT_FOUND));
          assertThat(world.store().read(DetailGaps::counts))
              .containsExactly(
                  new GapCount(
                      COLLECTION, "comments", State.GONE, 1, START.plus(Duration.ofMinutes(5))),
                  new GapCount(COLLECTION, "comments", State.PENDING, 2, START));
        });
  }

  @Test
  void a_list_holds_no_more_than_was_asked_for_and_only_the_state_that_was() {
    simulate(
        world -> {
          for (String key : List.of("a", "b", "c")) {
            world.note(key);
          }
          world.note("d", "{}", 1, new Miss.Gone(Reason.Failure.NOT_FOUND));
          assertThat(list(world, Optional.of(State.PENDING), 2)).containsExactly("a", "b");
          assertThat(list(world, Optional.of(State.GONE), 2)).containsExactly("d");
          assertThat(list(world, Optional.empty(), 9)).containsExactly("a", "b", "c", "d");
        });
  }

  private static List<String> list(GapWorld world, Optional<State> state, int limit) {
    return world
        .store()
        .read(transaction -> DetailGaps.list(transaction, COLLECTION, state, limit))
        .stream()
        .map(DetailGap::recordKey)
        .toList();
  }

  private static int forget(GapWorld world) {
    return world.store().write(t -> DetailGaps.forgetRecovered(t, COLLECTION));
  }

  @Test
  void what_was_recovered_is_forgotten_after_a_month_and_nothing_else_is() {
    simulate(
        world -> {
          world.note("had early");
          world.note("had late");
          world.note("never had");
          List<DetailGap> page = world.page(2);
          assertThat(world.recovered(page.get(0))).isTrue();
          world.time().sleep(Duration.ofDays(20));
          assertThat(world.recovered(page.get(1))).isTrue();
          world.time().sleep(Duration.ofDays(10));
          assertThat(forget(world)).isZero();
          world.time().sleep(Duration.ofSeconds(1));
          assertThat(forget(world)).isEqualTo(1);
          assertThat(world.now("had late").state()).isEqualTo(State.RECOVERED);
          world.time().sleep(Duration.ofDays(100));
          assertThat(forget(world)).isEqualTo(1);
          assertThat(
                  world
                      .store()
                      .<List<DetailGap>>read(
                          t -> DetailGaps.list(t, COLLECTION, Optional.empty(), 99)))
              .extracting(DetailGap::recordKey)
              .containsExactly("never had");
        });
  }

  @Test
  void so_many_are_forgotten_together_and_no_more() {
    simulate(
        world -> {
          world.noteMany(DetailGaps.FORGOTTEN_AT_ONCE + 1, "{}", NOT_SENT);
          List<DetailGap> page = world.page(2);
          while (!page.isEmpty()) {
            world.recovered(page);
            page = world.page(2);
          }
          world.time().sleep(DetailGaps.REMEMBERED.plusSeconds(1));
          assertThat(forget(world)).isEqualTo(DetailGaps.FORGOTTEN_AT_ONCE);
          assertThat(forget(world)).isEqualTo(1);
          assertThat(forget(world)).isZero();
        });
  }
}
