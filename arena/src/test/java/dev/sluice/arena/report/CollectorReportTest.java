package dev.sluice.arena.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.CollectorTrial;
import dev.sluice.arena.OrdinaryLeague;
import dev.sluice.arena.world.OpaqueScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The collector still does what the committed table says. */
class CollectorReportTest {

  @Test
  void the_committed_times_are_those_that_are_played() throws IOException {
    assertThat(CollectorReport.of(CollectorTrial.playAll(CollectorReport.RANDOM)))
        .as(
            "What is played now differs from what is committed. If that was meant, write it anew"
                + " with `./sluice arena --collector > docs/arena/collector.md`, look at the"
                + " difference, and commit it.")
        .isEqualTo(Files.readString(Path.of("..", "docs", "arena", "collector.md")));
  }

  @Test
  void nothing_is_missing_where_nothing_goes_wrong_and_equal_seeds_give_equal_times() {
    OpaqueScenario plain = new OrdinaryLeague().named().getFirst();
    CollectorTrial.Collected trial = CollectorTrial.play(plain, 7);
    assertThat(trial.missing()).isZero();
    assertThat(trial.suspended()).isFalse();
    assertThat(trial.requests()).isBetween(CollectorTrial.ITEMS + 20L, CollectorTrial.ITEMS + 100L);
    assertThat(CollectorTrial.play(plain, 7)).isEqualTo(trial);
  }
}
