package dev.sluice.collect.run;

import dev.sluice.collect.sink.Sink;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.store.Store;
import java.time.Duration;

/**
 * What all parts of a run share.
 *
 * @param record the run, as the store knows it
 * @param lane what it leaves behind of its provider
 * @param account on which its requests are made
 */
record RunContext(
    Store store,
    Time time,
    Sink sink,
    GatedRequests requests,
    Cancellation cancellation,
    RunRecord record,
    Run account,
    LaneUse lane,
    Progress progress) {

  /** For what is done one after the other. */
  Asker asker() {
    return new Asker(requests, cancellation, cancellation.first(), lane, time);
  }

  /** For another worker of the run. */
  Asker besides() {
    return new Asker(requests, cancellation, new Cancellation.Seat(), lane, time);
  }

  /** Whether the run may wait for so long, by its envelope and by the longest wait it allows. */
  boolean mayWait(Duration wait) {
    long now = time.nanos();
    return wait.compareTo(account.longestHold().orElse(Ask.FOREVER)) <= 0
        && Time.after(now, wait) < account.budget().deadline(now);
  }
}
