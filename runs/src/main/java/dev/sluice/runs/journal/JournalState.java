package dev.sluice.runs.journal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a journal knows, and what of it is not in the store yet. Every change keeps the invariant:
 * each row up to the highest is never begun, open in one composition, or finished.
 *
 * <p>Guarded by the journal's lock. A change that is refused changes nothing.
 */
final class JournalState {
  private final Map<Long, RowSet> open = new TreeMap<>();
  private RowSet neverBegun;
  private long highest;
  private long chain;
  private long done;
  private long rejected;
  private long nextId;

  /** Compositions that changed since the last snapshot; without rows: gone. */
  private Map<Long, RowSet> changed = new LinkedHashMap<>();

  private List<Sidecar.Lines> lines = new ArrayList<>();
  private List<Entry> entries = new ArrayList<>();
  private int unwritten;

  JournalState(Resume found, long nextId) {
    for (Composition composition : found.open()) {
      open.put(composition.id(), composition.rows());
    }
    this.neverBegun = found.neverBegun();
    this.highest = found.highest();
    this.chain = found.chain();
    this.done = found.done();
    this.rejected = found.rejected();
    this.nextId = nextId;
  }

  /** What is to be written in one commit. */
  record Snapshot(
      Map<Long, RowSet> changed,
      List<Sidecar.Lines> lines,
      List<Entry> entries,
      RowSet neverBegun,
      long highest,
      long chain,
      long done,
      long rejected,
      long nextId) {}

  /** Takes what is not written yet. */
  Snapshot snapshot() {
    Snapshot snapshot =
        new Snapshot(changed, lines, entries, neverBegun, highest, chain, done, rejected, nextId);
    changed = new LinkedHashMap<>();
    lines = new ArrayList<>();
    entries = new ArrayList<>();
    unwritten = 0;
    return snapshot;
  }

  /** How many changes wait to be written. */
  int unwritten() {
    return unwritten;
  }

  long begin(Collection<Long> parents, RowSet rows, long chainAfter) {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("a composition without rows cannot be sent");
    }
    RowSet fresh = rows;
    Map<Long, RowSet> left = new HashMap<>();
    for (long parent : parents) {
      RowSet before = rowsOf(parent);
      RowSet after = before.minus(rows);
      if (after.equals(before)) {
        throw new IllegalArgumentException(
            "composition %d (rows %s) is no parent of rows %s".formatted(parent, before, rows));
      }
      left.put(parent, after);
      fresh = fresh.minus(before);
    }
    passOver(fresh, chainAfter);
    for (long parent : parents) {
      put(parent, left.getOrDefault(parent, RowSet.EMPTY));
    }
    long id = nextId++;
    put(id, rows);
    return id;
  }

  void finish(long id, long doneRows, long rejectedRows, Sidecar.Lines toWrite, Entry entry) {
    count(rowsOf(id), doneRows, rejectedRows);
    put(id, RowSet.EMPTY);
    lines.add(toWrite);
    entries.add(entry);
  }

  void settle(
      RowSet rows,
      long chainAfter,
      long doneRows,
      long rejectedRows,
      Sidecar.Lines toWrite,
      Entry entry) {
    checkCounts(rows, doneRows, rejectedRows);
    passOver(rows, chainAfter);
    count(rows, doneRows, rejectedRows);
    lines.add(toWrite);
    entries.add(entry);
    unwritten++;
  }

  void amend(long rejectedAfterAll, Sidecar.Lines toWrite, Entry entry) {
    if (rejectedAfterAll < 0 || rejectedAfterAll > done) {
      throw new IllegalArgumentException(
          "%d rows rejected after all, but %d are done".formatted(rejectedAfterAll, done));
    }
    done -= rejectedAfterAll;
    rejected += rejectedAfterAll;
    lines.add(toWrite);
    entries.add(entry);
    unwritten++;
  }

  private RowSet rowsOf(long id) {
    RowSet rows = open.get(id);
    if (rows == null) {
      throw new IllegalArgumentException(
          "composition %d is not open: it was finished, replaced, or never begun".formatted(id));
    }
    return rows;
  }

  /** Rows are begun or settled that were neither before; refuses any other. */
  private void passOver(RowSet fresh, long chainAfter) {
    if (fresh.isEmpty()) {
      return;
    }
    if (fresh.first() <= highest) {
      RowSet again = fresh.intersect(RowSet.range(0, highest)).minus(neverBegun);
      if (!again.isEmpty()) {
        throw new IllegalStateException(
            "rows %s were begun before; to send them again, name their composition as a parent"
                .formatted(again));
      }
    }
    if (fresh.last() > highest) {
      neverBegun = neverBegun.union(RowSet.range(highest + 1, fresh.last()));
      highest = fresh.last();
      chain = chainAfter;
    }
    neverBegun = neverBegun.minus(fresh);
  }

  private void count(RowSet rows, long doneRows, long rejectedRows) {
    checkCounts(rows, doneRows, rejectedRows);
    done += doneRows;
    rejected += rejectedRows;
  }

  private static void checkCounts(RowSet rows, long doneRows, long rejectedRows) {
    if (doneRows < 0 || rejectedRows < 0 || doneRows + rejectedRows != rows.size()) {
      throw new IllegalArgumentException(
          "%d rows done and %d rejected are not the %d rows that there are (%s)"
              .formatted(doneRows, rejectedRows, rows.size(), rows));
    }
  }

  private void put(long id, RowSet rows) {
    if (rows.isEmpty()) {
      open.remove(id);
    } else {
      open.put(id, rows);
    }
    changed.put(id, rows);
    unwritten++;
  }

  Resume view(long sidecarLength) {
    List<Composition> compositions =
        open.entrySet().stream()
            .map(entry -> new Composition(entry.getKey(), entry.getValue()))
            .toList();
    return new Resume(compositions, neverBegun, highest, chain, done, rejected, sidecarLength);
  }
}
