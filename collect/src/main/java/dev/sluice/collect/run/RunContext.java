package dev.sluice.collect.run;

import dev.sluice.collect.connector.Requests;
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
    Requests requests,
    RunRecord record,
    Run account,
    LaneUse lane,
    Progress progress) {}
