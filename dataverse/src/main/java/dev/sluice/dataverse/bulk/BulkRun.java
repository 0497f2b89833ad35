package dev.sluice.dataverse.bulk;

import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Work;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Messenger;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job while it is carried out. A dispatcher, the thread that calls {@link #run}, composes
 * messages and starts a task for each; a task carries its composition until every item of it has an
 * outcome or goes on as part of another. Nothing is held while a task waits.
 *
 * <p>{@link #progress}, {@link #isStopped} and {@link #cancel} may be called by any thread.
 */
public final class BulkRun {
  /** So many compositions wait at the gate, written down, so that a free slot never waits. */
  private static final int LOOKAHEAD = 8;

  /** So many compositions at most are in memory, whatever they wait for. */
  private static final int MOST_ALIVE = 400;

  /** A message that finds all circuits open through so many tries is given up for now. */
  private static final int MOST_REOPENINGS = 8;

  /** So many answers in a row that are not Dataverse's own end the job: a proxy is in the way. */
  private static final int MOST_FOREIGN = 5;

  /** So many rows at most are asked for one by one in a message: each takes its time. */
  private static final int MOST_ROW_BY_ROW = 100;

  private static final Logger log = LoggerFactory.getLogger(BulkOperationExecutor.class);

  private final Gate gate;
  private final Time time;
  private final Messenger messenger;
  private final BulkJob job;
  private final Intake intake;
  private final CallOptions calls;
  private final Time.Bell bell;
  private final String kindInBulk; // what messages do: of one kind they cost about the same
  private final String kindRowByRow;
  private final Object identity = new Object(); // by which policies know this run from others

  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock listening = new ReentrantLock();
  private final Set<Carrier> carriers = new HashSet<>();
  private final BatchSizer sizer;
  private final Tally tally;
  private final RejectShare refused = new RejectShare();
  private final Instant since;
  private Table table;
  private boolean prepared; // the first message of the table went alone, and is back
  private long successes;
  private int foreignInRow;
  private long graceEnds = Time.NEVER;
  private @Nullable BulkEnd end;

  BulkRun(Gate gate, Messenger messenger, ResilienceOptions resilience, BulkJob job) {
    this.gate = gate;
    this.time = gate.time();
    this.messenger = messenger;
    this.job = job;
    this.table = job.table();
    this.kindInBulk = job.operation().wireName() + " " + table.logicalName();
    this.kindRowByRow = job.operation().wireName() + "_each " + table.logicalName();
    this.intake =
        new Intake(
            job.source(),
            job.resumed().stream()
                .map(begun -> Composition.resumed(begun.number(), begun.items()))
                .toList());
    this.calls =
        CallOptions.DEFAULTS
            .withRetries(new RetryOptions(resilience.maxThrottleRetries(), 1, false))
            .withFailures(Signals::failed)
            .withReopenings(MOST_REOPENINGS)
            .stoppingUnauthorized();
    this.bell = time.bell();
    this.since = job.since().orElseGet(time::instant);
    this.sizer = new BatchSizer(job.options());
    this.tally =
        new Tally(time.nanos(), job.options().failuresKept(), () -> gate.heldTime().toNanos());
  }

  /** Carries the job out; returns when every record has its outcome. Called once. */
  public BulkResult run() {
    boolean interrupted = false;
    try {
      dispatch();
    } catch (InterruptedException e) {
      interrupted = true;
      cancel(Duration.ofSeconds(10));
    } catch (IOException | RuntimeException e) {
      stop(new BulkEnd.Broken(e));
    }
    interrupted |= awaitCarriers();
    interrupted |= giveBackTheRest();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return locked(
        () ->
            new BulkResult(
                end == null ? new BulkEnd.Completed() : end, progress(), tally.failures()));
  }

  /** Where the job stands. */
  public BulkProgress progress() {
    return locked(
        () -> {
          long now = time.nanos();
          return tally.progress(sizer.size(), reason(now), now);
        });
  }

  /** How many messages failed and wait, for people; empty if none does. */
  private String reason(long now) {
    List<Carrier> resting = carriers.stream().filter(Carrier::isResting).toList();
    if (resting.isEmpty()) {
      return "";
    }
    Carrier first = Collections.min(resting, Comparator.comparingLong(Carrier::restsUntil));
    return (resting.size() == 1
            ? "1 message failed and is sent again in "
            : "%d messages failed and are sent again, the first in ".formatted(resting.size()))
        + Figures.time(first.restsUntil() - now)
        + (first.restWasTold() ? ", because the service asked for that wait" : "");
  }

  /**
   * Sends nothing more. What is with the service may come back within {@code grace}; after that it
   * is given up, and nobody knows what came of it.
   */
  public void cancel(Duration grace) {
    locked(() -> graceEnds = Math.min(graceEnds, time.deadline(grace)));
    stop(new BulkEnd.Cancelled());
  }

  private void dispatch() throws IOException, InterruptedException {
    while (!isStopped()) {
      boolean started = false;
      if (hasRoom()) {
        Composition next = intake.next(nextSize());
        if (next != null) {
          start(next);
          started = true;
        } else if (isFinished()) {
          return;
        }
      }
      if (!started) {
        boolean unused = bell.await(Time.NEVER);
      }
    }
  }

  /** Whether it sends nothing more, whatever the reason; a source need not be read any further. */
  public boolean isStopped() {
    return locked(() -> end != null);
  }

  /** The first message of a job goes alone: parallel ones would race to prepare the table. */
  private boolean hasRoom() {
    return locked(
        () -> {
          long atGate = carriers.stream().filter(Carrier::isAtGate).count();
          return atGate < LOOKAHEAD
              && carriers.size() < MOST_ALIVE
              && (prepared || carriers.isEmpty());
        });
  }

  private int nextSize() {
    return locked(() -> refused.many() ? Math.min(MOST_ROW_BY_ROW, sizer.size()) : sizer.size());
  }

  private boolean isFinished() {
    return locked(() -> carriers.isEmpty() && intake.isEmpty());
  }

  private void start(Composition composition) {
    Carrier carrier = new Carrier(this, composition);
    locked(() -> carriers.add(carrier));
    Time.Task task = time.start("batch", carrier::carry);
    locked(
        () -> {
          carrier.startedAs(task);
          if (end != null && !carrier.isSending()) {
            carrier.interrupt();
          }
        });
  }

  /** The first reason to stop counts. Whoever waits gives up; whoever sends comes back first. */
  void stop(BulkEnd reason) {
    locked(
        () -> {
          if (end == null) {
            end = reason;
          }
          for (Carrier carrier : carriers) {
            if (!carrier.isSending()) {
              carrier.interrupt();
            }
          }
        });
    bell.ring();
  }

  /** Returns whether this thread was interrupted meanwhile. */
  private boolean awaitCarriers() {
    boolean interrupted = false;
    while (true) {
      long deadline;
      lock.lock();
      try {
        if (carriers.isEmpty()) {
          return interrupted;
        }
        deadline = graceEnds;
        if (deadline != Time.NEVER && time.nanos() - deadline >= 0) {
          carriers.forEach(Carrier::interrupt);
          graceEnds = Time.NEVER;
          deadline = Time.NEVER;
        }
      } finally {
        lock.unlock();
      }
      try {
        boolean unused = bell.await(deadline);
      } catch (InterruptedException e) {
        interrupted = true;
        cancel(Duration.ofSeconds(10));
      }
    }
  }

  private boolean giveBackTheRest() {
    try {
      intake.drain(left -> giveBack(left.items(), left.maybeDone()));
      return false;
    } catch (InterruptedException e) {
      return true;
    } catch (IOException | RuntimeException e) {
      stop(new BulkEnd.Broken(e));
      return false;
    }
  }

  void giveBack(List<Item> items, boolean maybeDone) {
    List<RecordOutcome> outcomes = new ArrayList<>();
    for (Item item : items) {
      outcomes.add(new RecordOutcome.Deferred(item.index(), item.key(), maybeDone));
    }
    report(items, outcomes);
  }

  /** Tells everybody, then frees the rows for records that wait for them. */
  void report(List<Item> items, List<RecordOutcome> outcomes) {
    listening.lock();
    try {
      outcomes.forEach(job.listener()::settled);
    } finally {
      listening.unlock();
    }
    long now = time.nanos();
    locked(
        () ->
            outcomes.forEach(
                outcome -> {
                  tally.settled(outcome, now);
                  watchShare(outcome);
                }));
    intake.release(items, outcomes);
  }

  private void watchShare(RecordOutcome outcome) {
    if (!(outcome instanceof RecordOutcome.Deferred)
        && refused.settled(outcome instanceof RecordOutcome.Rejected)) {
      log.info(
          refused.many()
              ? "many rows are refused: each is asked for by itself, in $batch, until fewer are"
              : "few rows are refused: bulk messages are sent again");
    }
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  // What carriers ask for.

  BulkJob job() {
    return job;
  }

  Time time() {
    return time;
  }

  Gate gate() {
    return gate;
  }

  Messenger messenger() {
    return messenger;
  }

  /** How calls are made: the gate waits for throttles, and repeats nothing else. */
  CallOptions calls() {
    return calls;
  }

  Table table() {
    return locked(() -> table);
  }

  /**
   * Whether a composition could be asked for row by row instead of whole. One to create rows with
   * the input's own keys could not: after a lost answer, nobody could tell rows that went in from
   * older ones without a look at each.
   */
  private boolean mayAskRowByRow(Composition composition) {
    return composition.size() > 1
        && !table.elastic()
        && table.bulk().contains(job.operation().bulkMessage())
        && (job.operation() != Operation.CREATE || composition.hasOurKeys());
  }

  /**
   * Whether a composition that goes out whole should be asked for row by row from now on: many rows
   * are refused, or an earlier process has begun to create its rows. That process may have asked
   * row by row, with some rows in and others refused: a bulk message that finds one of them there
   * would not prove that the others are.
   */
  boolean asksRowByRow(Composition composition) {
    return locked(
        () ->
            (refused.many() || (composition.isResumed() && job.operation() == Operation.CREATE))
                && !composition.isRowByRow()
                && mayAskRowByRow(composition));
  }

  /** How many rows a composition may have. */
  int most(Composition composition) {
    return composition.isRowByRow() ? MOST_ROW_BY_ROW : BulkOptions.MOST;
  }

  /** The table with the messages that a composition may be sent by. */
  Table table(Composition composition) {
    return locked(
        () -> composition.isRowByRow() ? table.without(job.operation().bulkMessage()) : table);
  }

  /** From now on the table is written without the bulk message of this job's operation. */
  void withoutBulkMessage() {
    locked(() -> table = table.without(job.operation().bulkMessage()));
  }

  /** How many messages are still to come, as far as anybody knows. */
  Work work(Composition composition) {
    String kind = composition.isRowByRow() ? kindRowByRow : kindInBulk;
    return locked(
        () -> {
          OptionalLong records = intake.records();
          if (records.isEmpty()) {
            return new Work(kind, records, identity);
          }
          long left = Math.ceilDiv(records.getAsLong() - tally.settled(), (long) sizer.size());
          return new Work(kind, OptionalLong.of(Math.max(1, left)), identity);
        });
  }

  /** A carrier has its permit and sends; false if the job was stopped meanwhile. */
  boolean sending(Carrier carrier) {
    boolean goesOn =
        locked(
            () -> {
              if (end == null) {
                carrier.moveTo(Carrier.State.SENDING);
                tally.sent(carrier.waitedFor(), carrier.atGateSince(), time.nanos());
              }
              return end == null;
            });
    if (goesOn) {
      bell.ring(); // one less waits at the gate
    }
    return goesOn;
  }

  /** Whatever a carrier sent has come back, or never will. */
  void returned(Carrier carrier, @Nullable Signal signal) {
    locked(
        () -> {
          carrier.moveTo(Carrier.State.AT_GATE);
          if (signal != null) {
            tally.answered(signal);
          }
          tally.returned(time.nanos());
          if (signal instanceof Signal.Success) {
            successes++;
          }
          if (end != null) {
            carrier.interrupt();
          }
        });
  }

  /**
   * A carrier rests until then; it does not count as one that waits at the gate.
   *
   * @param told whether the service asked for that wait
   */
  void resting(Carrier carrier, long until, boolean told, String cause) {
    locked(
        () -> {
          carrier.rest(until, told);
          tally.repeated(cause);
        });
    bell.ring();
  }

  void rested(Carrier carrier) {
    locked(() -> carrier.moveTo(Carrier.State.AT_GATE));
  }

  /** When the work was begun: a row made before that is none of it. */
  Instant since() {
    return since;
  }

  /** How often the service has answered well. */
  long successes() {
    return locked(() -> successes);
  }

  /** A message was answered; by something other than the service if a fault says so. */
  void answeredBy(Fault.@Nullable NotDataverse foreign) {
    int inRow = locked(() -> foreignInRow = foreign == null ? 0 : foreignInRow + 1);
    if (foreign != null && inRow >= MOST_FOREIGN) {
      stop(new BulkEnd.Unreachable(foreign));
    }
  }

  /** A message of that many records was answered well. */
  void answered(int records, long nanos) {
    locked(() -> sizer.answered(records, nanos));
  }

  /** A message of that many records is sent again in halves. */
  void halved(int records, boolean tooMuch) {
    locked(
        () -> {
          tally.halved();
          if (tooMuch) {
            sizer.tooMuch(records);
          }
        });
  }

  /** This one stands in line again, or what is left of another does. */
  void goOn(Composition composition) {
    intake.add(composition);
    bell.ring();
  }

  /** These go on in the place of another. */
  void goOnAs(List<Composition> parts) {
    intake.addFirst(parts);
    bell.ring();
  }

  /** A carrier is through. */
  void ended(Carrier carrier) {
    locked(
        () -> {
          carriers.remove(carrier);
          prepared = true;
        });
    bell.ring();
  }
}
