package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.farm.Facet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int demo(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "demo";
    System.arraycopy(args, 0, all, 1, args.length);
    CommandLine line = Sluice.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(all);
  }

  @Test
  void a_small_one_runs_in_real_time_and_compares_in_simulated_time() throws Exception {
    Path report = folder.resolve("report.html");

    int code = demo("--records", "500", "--report", report.toString());

    assertThat(code).as("%s %s", out, err).isZero();
    assertThat(out.toString())
        .containsPattern("records in the table +500 +500 +500 +500")
        .contains(
            "1. In real time",
            "2. The same in simulated time",
            "every record is in the table exactly once",
            "Every request, drawn: " + report.toUri());
    assertThat(Files.readString(report))
        .contains("<svg", "app1", "class=\"in\"", "500 records in")
        .contains("In real time, by the quota policy")
        .contains("In simulated time, by the policy fixed");
  }

  @Test
  void what_is_simulated_has_the_same_figures_every_time_and_quota_does_not_lose()
      throws Exception {
    DemoLoad load = new DemoLoad(folder, 20_000, 1);
    Path input = load.input();
    DemoLoad.Played quota = load.simulated(input, PolicyName.QUOTA);
    DemoLoad.Played again = load.simulated(input, PolicyName.QUOTA);
    DemoLoad.Played fixed = load.simulated(input, PolicyName.FIXED);
    assertThat(quota.isWhole()).isTrue();
    assertThat(again.result().progress()).isEqualTo(quota.result().progress());
    assertThat(again.requests()).isEqualTo(quota.requests());
    assertThat(quota.seconds()).isLessThan(fixed.seconds());
    assertThat(quota.history().all().held().values()).anyMatch(held -> held > 1);
  }

  @Test
  void an_earlier_report_is_written_over_and_any_other_file_is_left_alone() throws Exception {
    Path mine = folder.resolve("sluice-demo.html");
    assertThat(ReportFile.free(mine)).isEqualTo(mine);
    ReportFile.write(mine, DemoReport.page(List.of()));
    assertThat(ReportFile.free(mine)).isEqualTo(mine);

    Files.writeString(mine, "my own notes");
    assertThat(ReportFile.free(mine)).isEqualTo(folder.resolve("sluice-demo-2.html"));
    assertThatThrownBy(() -> ReportFile.write(mine, DemoReport.page(List.of())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is no report of Sluice; choose another name");
    assertThat(mine).hasContent("my own notes");
  }

  @Test
  void a_report_that_cannot_be_written_is_said_and_is_no_failure() {
    assertThat(demo("--records", "10", "--report", folder.resolve("no/such/folder").toString()))
        .isZero();
    assertThat(err.toString()).contains("The report cannot be written");
  }

  @Test
  void more_or_fewer_records_than_it_can_show_are_refused() {
    assertThat(demo("--records", "0")).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(err.toString()).contains("--records is 0, but must be 1 to 1000000");
  }

  @Test
  void requests_that_were_let_in_throttled_or_lost_are_told_apart_and_holds_are_bands() {
    String page =
        DemoReport.page(
            List.of(
                new DemoReport.Chapter(
                    "One & all",
                    "1 < 2",
                    List.of(
                        request(0, 200, null),
                        request(1, 429, Facet.REQUESTS),
                        request(2, 0, null)),
                    0,
                    List.of(slot(1, 0), slot(1, 1), slot(0.25, 0.25), slot(1, 0)),
                    0)));
    assertThat(page).contains("One &amp; all", "1 &lt; 2");
    assertThat(page.split("<circle class=\"in\"", -1)).hasSize(2);
    assertThat(page.split("<circle class=\"throttled\"", -1)).hasSize(2);
    assertThat(page.split("<circle class=\"failed\"", -1)).hasSize(2);
    assertThat(page.split("<rect class=\"hold\"", -1)).hasSize(2);
    assertThat(page).contains("left alone for 1.3 s");
  }

  private static LoadHistory.Slot slot(double seconds, double held) {
    return new LoadHistory.Slot(seconds, 0, 0, 0, 0, Map.of("app1", held), Map.of());
  }

  private static RequestRecord request(long second, int status, @Nullable Facet facet) {
    return new RequestRecord(
        second,
        second * 1_000_000_000L,
        "app1",
        0,
        Operation.CREATE_MULTIPLE,
        "account",
        100,
        status,
        facet,
        null,
        Duration.ZERO);
  }
}
