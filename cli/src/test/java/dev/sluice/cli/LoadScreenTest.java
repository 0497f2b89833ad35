package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.policy.SlowedBy;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.dataverse.bulk.BulkProgress.IdleCause;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.run.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadScreenTest {
  private static final BulkProgress SENDING =
      new BulkProgress(
          1_234_550,
          12,
          0,
          0,
          225,
          Duration.ofMinutes(14),
          1_483,
          1_500,
          5_000,
          3,
          Map.of("deadlock", 3L, "unknown_outcome", 2L),
          Map.of(Signal.Facet.EXECUTION_TIME, 4L),
          Map.of(IdleCause.HELD, Duration.ofSeconds(90), IdleCause.INPUT, Duration.ofSeconds(2)),
          "1 message failed and is sent again in 12 s, because the service asked for that wait");

  private static final LoadProgress PROGRESS =
      new LoadProgress(
          1_300_000,
          1_234_550,
          12,
          RejectReasons.NONE,
          new LoadProgress.Lookups(1_200, 0),
          OptionalLong.of(70_000),
          SENDING);

  private static PoolStatistics pool(Duration held, Duration readyIn, String reason) {
    LaneStatistics lane =
        new LaneStatistics(
            "app1",
            11,
            0,
            Double.POSITIVE_INFINITY,
            0,
            held,
            CircuitState.CLOSED,
            Optional.empty(),
            0,
            0,
            SlowedBy.DECLARED_LIMIT,
            reason,
            readyIn);
    return new PoolStatistics(1, held.isZero() ? 0 : 1, 0, 0, 8, "", 0, List.of(lane));
  }

  private static String line(int width) {
    return LoadScreen.line(
        PROGRESS,
        pool(Duration.ofSeconds(9), Duration.ofSeconds(9), ""),
        Optional.of(Duration.ofSeconds(133)),
        width);
  }

  @Test
  void the_line_says_all_that_it_knows_where_there_is_room() {
    assertThat(line(Integer.MAX_VALUE))
        .contains("1,234,550 done", "12 rejected", "1,200 wait for look-ups", "1,500 rows/s")
        .contains("1,483 overall", "0 in flight × 225 rows", "parallelism 11")
        .contains("1 of 1 users throttled", "about 2 min 13 s to go", "1 message failed");
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 60, 80, 100, 120, 160, 400})
  void the_line_is_never_longer_than_the_terminal_is_wide(int width) {
    assertThat(line(width).length()).isLessThanOrEqualTo(width);
    assertThat(line(width)).startsWith("1,234,550 done");
  }

  @Test
  void what_matters_least_is_left_out_first() {
    assertThat(line(79))
        .contains("12 rejected", "about 2 min 13 s to go")
        .doesNotContain("parallelism", "overall");
  }

  @Test
  void the_summary_is_in_words() {
    StringWriter out = new StringWriter();
    LoadScreen.summary(
        new PrintWriter(out),
        new LoadResult(new Outcome.Completed(), PROGRESS, 65_438, false, Optional.empty(), false));
    assertThat(out.toString())
        .contains("throttled: 4 by execution time")
        .contains("sent again: 3 after a deadlock, 2 after an answer that did not come")
        .contains(
            "nothing was with the service: for 1 min 30 s while every user was throttled,"
                + " for 2.0 s while the input was read")
        .doesNotContain("{", "=");
  }
}
