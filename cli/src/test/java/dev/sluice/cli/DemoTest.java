package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.dataverse.RequestRecord;
import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.farm.Facet;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  void a_small_one_ends_with_a_comparison_and_a_report_of_every_request() throws Exception {
    Path report = folder.resolve("report.html");

    int code = demo("--records", "500", "--report", report.toString());

    assertThat(code).as("%s %s", out, err).isZero();
    assertThat(out.toString())
        .containsPattern("records in the table +500 +500")
        .contains(
            "quota: every record is in the table exactly once",
            "fixed: every record is in the table exactly once",
            "Every request, drawn: " + report.toUri());
    assertThat(Files.readString(report)).contains("<svg", "app1", "class=\"in\"", "500 records in");
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
  void requests_that_were_let_in_throttled_or_lost_are_told_apart() {
    String page =
        DemoReport.page(
            List.of(
                new DemoReport.Chapter(
                    "One & all",
                    List.of("1 < 2"),
                    List.of(
                        request(0, 200, null),
                        request(1, 429, Facet.REQUESTS),
                        request(2, 0, null)))));
    assertThat(page).contains("One &amp; all", "1 &lt; 2");
    assertThat(page.split("<circle class=\"in\"", -1)).hasSize(2);
    assertThat(page.split("<circle class=\"throttled\"", -1)).hasSize(2);
    assertThat(page.split("<circle class=\"failed\"", -1)).hasSize(2);
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
