package dev.sluice.runs.journal;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.StoreException.Problem;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What was sent, durably, before it is sent; and what became of it, soon after.
 *
 * <p>Rows are counted from 0. Work goes out in compositions: {@link #begin} before one is sent for
 * the first time, {@link #finish} when all of its rows have their outcome. Whatever the moment at
 * which the process ends, the next one finds every row, up to the highest that was begun, in
 * exactly one of three places: finished, open in a composition that may have been sent just so, or
 * never begun. A row whose outcome was not committed yet is still open then, and will be sent
 * again.
 *
 * <p>A journal belongs to the origin of a run: runs that continue the same work share it. Every
 * commit carries the fencing number of the lease.
 *
 * <p>Thread-safe; callers at the same time share commits. Once a commit has failed, with {@link
 * StoreException} or {@link dev.sluice.runs.lease.LeaseLostException}, every later call fails
 * alike: nothing may be sent any more, and all that was committed can be resumed.
 */
public final class Journal implements AutoCloseable {
  /** So many changes may wait in memory for a commit that somebody else needs. */
  private static final int MOST_UNWRITTEN = 1_000;

  private final JournalTable table;
  private final Sidecar sidecar;
  private final Resume found;
  private final JournalState state;
  private final GroupCommit group;
  private final AtomicLong sidecarLength;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Journal(JournalTable table, JournalTable.Found found, Time time, Sidecar sidecar) {
    this.table = table;
    this.sidecar = sidecar;
    this.found = found.resume();
    this.state = new JournalState(found.resume(), found.nextId());
    this.sidecarLength = new AtomicLong(found.resume().sidecarLength());
    this.group =
        new GroupCommit(
            time,
            () -> {
              JournalState.Snapshot snapshot = state.snapshot();
              return () -> commit(snapshot);
            });
  }

  /**
   * Opens the journal of the work that a run began or continues; an empty one is made if it began.
   *
   * @param lease what the run holds; stays open when the journal is closed
   * @param sidecar the file that goes with the journal; it must first be cut to {@link
   *     Resume#sidecarLength}, so it is first called after that is known
   * @throws dev.sluice.runs.lease.LeaseLostException if the lease is lost
   */
  public static Journal open(Store store, Time time, Lease lease, RunRecord run, Sidecar sidecar) {
    JournalTable table = new JournalTable(store, lease, run.origin());
    return new Journal(table, table.open(), time, sidecar);
  }

  /** What the journal knew when it was opened. */
  public Resume resume() {
    return found;
  }

  /** What it knows now, durable or not. */
  public Resume now() {
    return group.look(() -> state.view(sidecarLength.get()));
  }

  /**
   * A composition is about to be sent. Returns when that is durable.
   *
   * <p>Rows that are open in a parent are taken out of it, in the same commit. A parent without
   * rows left is gone; what is left of it stays open, to be begun next (the other half) or finished
   * (rows that got their outcome). All other rows must never have been begun.
   *
   * @param parents the compositions that its rows were in before; none for rows that are new
   * @param rows its rows, at least one
   * @param chain the chain value after its highest row; kept if that is the highest of all
   * @return its id
   * @throws InterruptedException if interrupted while waiting for the commit; do not send it then.
   *     The journal keeps it as open, and the next process will send it
   * @throws IllegalArgumentException if a parent is not open or has none of the rows
   * @throws IllegalStateException if a row was begun before and is in none of the parents, or the
   *     journal is closed
   */
  public long begin(Collection<Long> parents, RowSet rows, long chain) throws InterruptedException {
    refuseIfClosed();
    AtomicLong id = new AtomicLong();
    long ticket = group.change(() -> id.set(state.begin(parents, rows, chain)));
    group.await(ticket);
    return id.get();
  }

  /** As {@link #finish(long, long, long, Sidecar.Lines, Entry)}, with nothing beside it. */
  public void finish(long id, long done, long rejected) {
    finish(id, done, rejected, Sidecar.Lines.NONE, Entry.NONE);
  }

  /** As {@link #finish(long, long, long, Sidecar.Lines, Entry)}, with nothing else to store. */
  public void finish(long id, long done, long rejected, Sidecar.Lines lines) {
    finish(id, done, rejected, lines, Entry.NONE);
  }

  /**
   * All rows of a composition have their outcome. Becomes durable with the next commit that anybody
   * needs, {@link #flush} or {@link #close}; never waits for one under way.
   *
   * @param id the composition
   * @param done how many of its rows are done
   * @param rejected how many are rejected; both together are all that it has
   * @param lines what belongs into the sidecar, if this becomes durable
   * @param entry what belongs into the store, if this becomes durable
   * @throws IllegalArgumentException if it is not open, or the counts do not add up
   */
  public void finish(long id, long done, long rejected, Sidecar.Lines lines, Entry entry) {
    refuseIfClosed();
    long unused = group.change(() -> state.finish(id, done, rejected, lines, entry));
    nudgeIfMuchIsUnwritten();
  }

  /**
   * As {@link #settle(RowSet, long, long, long, Sidecar.Lines, Entry)}, with nothing else to store.
   */
  public void settle(RowSet rows, long chain, long done, long rejected, Sidecar.Lines lines) {
    settle(rows, chain, done, rejected, lines, Entry.NONE);
  }

  /**
   * Rows have their outcome without being sent. Becomes durable as {@link #finish} does.
   *
   * @param rows rows that were never begun
   * @param chain the chain value after the highest of them
   * @param done how many are done
   * @param rejected how many are rejected; both together are all of them
   * @param lines what belongs into the sidecar, if this becomes durable
   * @param entry what belongs into the store, if this becomes durable
   * @throws IllegalArgumentException if the counts do not add up
   * @throws IllegalStateException if a row was begun or settled before, or the journal is closed
   */
  public void settle(
      RowSet rows, long chain, long done, long rejected, Sidecar.Lines lines, Entry entry) {
    refuseIfClosed();
    long unused = group.change(() -> state.settle(rows, chain, done, rejected, lines, entry));
    nudgeIfMuchIsUnwritten();
  }

  /**
   * Something came of rows that were done before. Becomes durable as {@link #finish} does.
   *
   * @param rejectedAfterAll how many of them count as rejected from now on, and no more as done
   * @param lines what belongs into the sidecar, if this becomes durable
   * @param entry what belongs into the store, if this becomes durable
   * @throws IllegalArgumentException if so many are not done
   */
  public void amend(long rejectedAfterAll, Sidecar.Lines lines, Entry entry) {
    refuseIfClosed();
    long unused = group.change(() -> state.amend(rejectedAfterAll, lines, entry));
    nudgeIfMuchIsUnwritten();
  }

  /** Returns when everything so far is durable. */
  public void flush() throws InterruptedException {
    group.await(group.last());
  }

  /**
   * Makes everything durable and ends the journal; waits for that even if interrupted. After a
   * failure, which somebody has been told of, it only ends. A second time does nothing.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true) || group.hasFailed()) {
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        flush();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void commit(JournalState.Snapshot snapshot) {
    long length;
    try {
      for (Sidecar.Lines lines : snapshot.lines()) {
        lines.write();
      }
      length = sidecar.sync();
    } catch (IOException e) {
      throw new StoreException(
          Problem.OTHER,
          "the file that goes with the journal could not be written: " + e.getMessage(),
          e);
    }
    table.write(snapshot, length);
    sidecarLength.set(length);
  }

  private void nudgeIfMuchIsUnwritten() {
    if (group.look(state::unwritten) >= MOST_UNWRITTEN) {
      group.nudge();
    }
  }

  private void refuseIfClosed() {
    if (closed.get()) {
      throw new IllegalStateException("the journal is closed");
    }
  }
}
