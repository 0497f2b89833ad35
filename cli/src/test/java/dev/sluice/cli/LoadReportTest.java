package dev.sluice.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.SimulatedLoad.Seen;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.simulator.dataverse.ServiceTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadReportTest {
  @TempDir Path folder;

  private Seen load(int users, int rows) {
    AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    SimulatedLoad.in(
        users,
        SimulatedLoad.environment(users).withTimes(ServiceTimes.TYPICAL.times(5)),
        scene -> seen.set(scene.load(SimulatedLoad.file(folder, rows), 100, Long.MAX_VALUE)));
    return requireNonNull(seen.get());
  }

  private static LoadAdvice advice(Seen seen, int users) {
    return new LoadAdvice(seen.history(), users, SimulatedLoad.LIMITS);
  }

  @ParameterizedTest(name = "{0} and one more")
  @ValueSource(ints = {1, 2})
  void what_one_more_user_would_change_is_what_one_more_user_changes(int users) {
    Seen seen = load(users, 60_000);
    Seen more = load(users + 1, 60_000);
    LoadAdvice advice = advice(seen, users);
    assertThat(advice.shares().getFirst().getKey()).isEqualTo(LoadLimit.EXECUTION_TIME);
    assertThat(advice.words(seen.result()))
        .containsPattern(
            "Limited by execution time for \\d+ % of the run; a (second|third) application user"
                + " would have ended it in about .* instead of ");
    double truth = more.result().progress().sending().elapsed().toMillis();
    assertThat((double) advice.withOneMoreUser().orElseThrow().toMillis())
        .as("said %s, true %s ms", advice.words(seen.result()), truth)
        .isBetween(truth * 0.75, truth * 1.25);
  }

  @Test
  void it_shows_rate_parallelism_holds_limits_and_rejects_and_needs_nothing_else() {
    Seen seen = load(1, 30_000);
    RejectReasons reasons =
        new RejectReasons(
            List.of(new RejectReasons.Reason("bad-value", "<b>Staff</b> is '…'", 7, 9)), 2);
    String page =
        LoadReport.page(
            seen.request(),
            ended(seen, new Outcome.CompletedWithRejections(), 9, reasons),
            advice(seen, 1));
    assertThat(page)
        .contains("Load of in.csv into account", "rows per second", "requests in flight")
        .contains("What limited it", "execution time", "app1")
        .contains("bad-value", "&lt;b&gt;Staff&lt;/b&gt; is '…'", "line 9", "other reasons")
        .doesNotContain("<b>Staff", "<script", "http-equiv=\"refresh\"", "src=", "href=", "url(");
  }

  @Test
  void a_load_that_was_deferred_or_failed_has_a_report_that_says_why() {
    Seen seen = load(1, 300);
    assertThat(
            LoadReport.page(
                seen.request(),
                ended(
                    seen,
                    new Outcome.Deferred(Reason.Pressure.UPSTREAM_PRESSURE, "nobody & nothing"),
                    0,
                    RejectReasons.NONE),
                advice(seen, 1)))
        .contains("Deferred, because", "(nobody &amp; nothing)", "goes on from here");
    assertThat(
            LoadReport.page(
                seen.request(),
                ended(
                    seen,
                    new Outcome.Failed(Reason.Failure.STORAGE, "disk full"),
                    0,
                    RejectReasons.NONE),
                advice(seen, 1)))
        .contains("Failed, because", "(disk full)");
    LoadAdvice nothing =
        new LoadAdvice(new LoadHistory(SimulatedLoad.LIMITS), 1, SimulatedLoad.LIMITS);
    assertThat(LoadReport.page(seen.request(), seen.result(), nothing))
        .contains("It was too short to tell.");
  }

  private static LoadResult ended(
      Seen seen, Outcome outcome, long rejected, RejectReasons reasons) {
    LoadProgress progress = seen.result().progress();
    return new LoadResult(
        outcome,
        new LoadProgress(
            progress.read(),
            progress.done() - rejected,
            rejected,
            reasons,
            progress.lookups(),
            progress.left(),
            progress.sending()),
        0,
        true,
        Optional.empty(),
        false);
  }

  @Test
  void the_command_writes_it_beside_the_input_or_where_it_is_told() throws Exception {
    try (LoadStage stage = new LoadStage(folder)) {
      Path input = stage.file("in.csv", "name,numberofemployees", "Alpha,1", "Beta,many");
      Ran ran = stage.load("account", input, "--report");
      assertThat(ran.code()).isEqualTo(ExitCode.REJECTED_RECORDS.number());
      Path beside = folder.resolve("in.report.html");
      assertThat(ran.err()).contains("report: " + beside);
      assertThat(beside).content().contains("bad-value", "line 3").doesNotContain(stage.secret());

      Path told = folder.resolve("told.html");
      Path rest = stage.file("rest.csv", "name", "Gamma", "Delta", "Eta");
      Ran deferred =
          stage.load("account", rest, "--batch-size=1", "--max-requests=1", "--report", told);
      assertThat(deferred.code()).isEqualTo(ExitCode.DEFERRED.number());
      assertThat(told).content().contains("Deferred, because");
      assertThat(stage.load("account", rest, "--report", told).code()).isZero();
      assertThat(told).content().contains("Completed: every record is in.");
    }
  }

  @Test
  void the_command_does_not_begin_if_its_report_would_replace_a_file_of_somebody()
      throws Exception {
    try (LoadStage stage = new LoadStage(folder)) {
      Path input = stage.file("in.csv", "name", "Alpha");
      Ran ran = stage.load("account", input, "--report", input);
      assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
      assertThat(ran.err()).contains("is no report of Sluice; choose another name");
      assertThat(Files.readAllLines(input)).containsExactly("name", "Alpha");
      assertThat(stage.changes()).isEmpty();
    }
  }
}
