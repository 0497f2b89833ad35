package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import org.junit.jupiter.api.Test;

/** What becomes of a load when its job has ended. */
class LoadOutcomeTest {

  @Test
  void a_load_is_completed_only_if_every_record_has_its_outcome() {
    BulkEnd end = new BulkEnd.Completed();
    assertThat(Load.outcome(end, false, 0, true)).isEqualTo(new Outcome.Completed());
    assertThat(Load.outcome(end, true, 0, true)).isEqualTo(new Outcome.CompletedWithRejections());
    assertThat(Load.outcome(end, false, 1, true)).isInstanceOf(Outcome.Failed.class);
    assertThat(Load.outcome(end, true, 0, false)).isInstanceOf(Outcome.Failed.class);
    assertThat(Load.outcome(end, false, 1, true).detail())
        .isEqualTo("1 of the records that were read have no outcome");
  }

  @Test
  void a_service_that_does_not_answer_is_waited_for_and_something_in_its_place_is_not() {
    assertThat(outcome(new Fault.UnknownOutcome("", "no answer")))
        .isEqualTo(new Outcome.Deferred(Reason.Pressure.UPSTREAM_PRESSURE, "no answer"));
    assertThat(outcome(new Fault.NotDataverse("", "a page to log in")))
        .isEqualTo(new Outcome.Failed(Reason.Failure.UNEXPECTED_CONTENT, "a page to log in"));
  }

  private static Outcome outcome(Fault fault) {
    return Load.outcome(new BulkEnd.Unreachable(fault), false, 1, false);
  }
}
