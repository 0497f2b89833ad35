package dev.sluice.collect.run;

import dev.sluice.collect.sink.Sink;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

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

  /** What is counted so far, by the names under which a store keeps it. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>(lane.traffic().counts().named());
    counts.putAll(progress.counts());
    counts.put("requests", account.budget().used());
    counts.put(RunRecord.RETRIES_LEFT, account.retryBudget().map(RetryBudget::tokens).orElse(0L));
    return counts;
  }

  /** What others see of the run while it goes on. */
  void tell(Transaction transaction) {
    Runs.count(transaction, record, counts());
    lane.say(transaction);
  }

  /**
   * Keeps what the run has learned and counted, with the commit of a slice; now and then, and
   * whoever is killed may lose that of the last second.
   */
  void saveNowAndThen(Transaction transaction) {
    if (lane.isSaveDue()) {
      lane.save(transaction);
      tell(transaction);
    }
  }

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
