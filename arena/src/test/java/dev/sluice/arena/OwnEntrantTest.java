package dev.sluice.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.contender.GateContender;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.time.Time;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/arena/README.md shows, played. */
class OwnEntrantTest {
  @Test
  void a_policy_of_ones_own_plays_beside_the_others() throws InterruptedException {
    Entrant<DataverseScenario> mine =
        Entrant.ours(
            "twenty",
            "20 in flight per user",
            (scenario, seed) -> new GateContender(scenario.users(), LaneOptions.fixed(20), seed));
    Arena arena = new Arena(List.of(new DataverseLeague().with(mine)), Time.real(), 2);
    Selection selection =
        Selection.QUICK
            .withPolicies(List.of("twenty", "quota"))
            .withScenarios(List.of("four-servers"))
            .withSizes(List.of(new Size(1)));
    assertThat(arena.play(selection, Progress.NOBODY).bouts())
        .extracting(Result::entrant)
        .containsExactly("quota", "twenty");
  }
}
