package dev.sluice.collect.run;

import dev.sluice.collect.sink.Sink;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.store.Store;

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
    return new Asker(requests, cancellation, cancellation.first());
  }

  /** For another worker of the run. */
  Asker besides() {
    return new Asker(requests, cancellation, new Cancellation.Seat());
  }
}
