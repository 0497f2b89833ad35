package dev.sluice.runs.gap;

import static dev.sluice.runs.gap.GapWorld.COLLECTION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.store.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How SQLite answers what recovery asks: its words for a plan are its own. */
class GapPlanTest {
  @Test
  void pages_are_read_from_an_index_in_its_own_order_however_many_gaps_there_are() {
    GapWorld.simulate(
        TestDatabase.SQLITE_IN_MEMORY,
        world -> {
          assertThat(plan(world, GapPage.LOOK, COLLECTION, 1L, 1L, 10))
              .containsExactly(
                  "SEARCH detail_gap USING INDEX detail_gap_by_turn (collection=? AND turn<?)");
          assertThat(plan(world, GapPage.WAKE, COLLECTION, 1L, 10))
              .contains(
                  "SEARCH detail_gap USING COVERING INDEX detail_gap_by_due"
                      + " (collection=? AND due<?)")
              .noneMatch(step -> step.contains("SCAN") || step.contains("TEMP"));
          assertThat(plan(world, LeasedGaps.RETURN_EXPIRED, COLLECTION, 1L, 1L))
              .containsExactly("SEARCH detail_gap USING INDEX detail_gap_by_lease (collection=?)");
        });
  }

  private static List<String> plan(GapWorld world, String sql, Object... arguments) {
    return world
        .store()
        .read(
            transaction ->
                transaction.rows("explain query plan " + sql, row -> row.text(4), arguments));
  }
}
