package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What people and programs are told of rejected records, and what stops a load for them. */
class LoadCommandRejectsTest {
  private static final String TABLE = "account";

  @TempDir Path folder;

  private LoadStage stage;

  @BeforeEach
  void open() throws IOException {
    stage = new LoadStage(folder);
    Ran ran = stage.load(TABLE, stage.file("old.csv", "name,accountnumber", "old,TAKEN"));
    assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.DONE.number());
  }

  @AfterEach
  void close() {
    stage.close();
  }

  /** All of its rows have a number that another row has already. */
  private Path refused(int rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of("name,accountnumber"));
    for (int i = 0; i < rows; i++) {
      lines.add("row " + i + ",TAKEN");
    }
    return stage.file("refused.csv", lines.toArray(String[]::new));
  }

  @Test
  void a_load_that_is_refused_stops_with_reasons_and_what_to_do() throws IOException {
    Path file = refused(12_000); // more than one user's 52 requests of 100 rows, and what waits
    Ran ran = stage.load(TABLE, file, "--output", "json");
    assertThat(ran.code()).as(ran.toString()).isEqualTo(ExitCode.FAILED.number());
    assertThat(ran.err())
        .contains(
            "stopped, because too many records were rejected",
            " by 0x80060892 (",
            "for example line ",
            "refused.rejected.csv",
            "--max-rejects (now all of the first 1,000)",
            "if you mend the file or the mapping instead, it begins anew",
            "sluice load account")
        .doesNotContain("Exception");
    JsonNode json = ran.json();
    assertThat(json.path("outcome").asString()).isEqualTo("failed");
    assertThat(json.path("reason").asString()).isEqualTo("too_many_rejects");
    assertThat(json.path("complete").asBoolean()).isFalse();
    assertThat(
            json.path("done").asLong()
                + json.path("rejected").asLong()
                + json.path("deferred").asLong())
        .isEqualTo(json.path("read").asLong());
    assertThat(json.path("rejected").asLong()).isBetween(1_000L, 11_000L);

    Ran again = stage.load(TABLE, file, "--max-rejects", "100%", "--output", "json");
    assertThat(again.code()).as(again.toString()).isEqualTo(ExitCode.REJECTED_RECORDS.number());
    assertThat(again.json().path("rejected").asLong()).isEqualTo(12_000);
    assertThat(again.json().path("resumed").asBoolean()).isTrue();
    assertThat(stage.rows(TABLE)).hasSize(1);
  }

  @Test
  void rejects_are_counted_by_reason_for_people_and_for_programs() throws IOException {
    String[] lines = {
      "name,accountnumber,numberofemployees",
      "a,1,7",
      "b,TAKEN,7",
      "c,2,many",
      "d,3,few",
      "e,4",
      "f,TAKEN,8"
    };
    Ran people = stage.load(TABLE, stage.file("in.csv", lines));
    assertThat(people.code()).isEqualTo(ExitCode.REJECTED_RECORDS.number());
    assertThat(people.out())
        .contains("rejected, by reason:")
        .containsPattern("2  0x80060892  .* \\(line 3\\)")
        .containsPattern("2  bad-value  numberofemployees is '…', but .* \\(line 4\\)")
        .containsPattern("1  ragged-row  the row has … cells, but .* \\(line 6\\)");
    assertThat(folder.resolve("in.rejected.csv"))
        .content()
        .containsPattern("b,TAKEN,7,0x80060892,\"?line 3: ");

    Ran programs = stage.load(TABLE, stage.file("in2.csv", lines), "--again", "--output", "json");
    JsonNode reasons = programs.json().path("rejectedByReason");
    assertThat(reasons).hasSizeGreaterThanOrEqualTo(3);
    assertThat(reasons.valueStream().mapToLong(reason -> reason.path("count").asLong()).sum())
        .isEqualTo(programs.json().path("rejected").asLong());
    assertThat(reasons.path(0).path("line").asLong()).isPositive();
    assertThat(programs.json().path("rejectedForOtherReasons").asLong()).isZero();

    Ran dry = stage.load(TABLE, stage.file("in3.csv", lines), "--dry-run", "--output", "json");
    assertThat(dry.json().path("rejectedByReason")).hasSize(2);
  }

  @Test
  void a_limit_that_is_none_is_a_bad_argument() throws IOException {
    Ran ran = stage.load(TABLE, refused(1), "--max-rejects", "some");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err())
        .contains(
            "--max-rejects is 'some', but must be a number of records like 500, or a share like"
                + " 5%");
  }
}
