package dev.sluice.runs.gap;

import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One page of detail gaps, being leased.
 *
 * <p>Only weights are read before it is known what fits, and only as many as are likely to: the
 * first few tell how heavy rows are here, and every further look asks for what should fill the
 * rest. So neither memory nor rows looked at grow with the backlog, or with a row's size.
 */
final class GapPage {
  /** How many rows are looked at before anything is known of their weight. */
  static final int FIRST_LOOK = 16;

  /** How many are looked at, or woken, at once at most: a transaction should be brief. */
  static final int LONGEST_LOOK = 1_000;

  /** The partial index is used only for conditions that are spelled as in its definition. */
  static final String WAKE =
      """
      update detail_gap set resting = 0 where id in (
        select id from detail_gap
        where collection = ? and state = 'pending' and resting = 1 and due <= ?
        order by due limit ?)
      """;

  // A gap is never seen after its turn, so the turn bounds both; the turn of one that this run has
  // tried comes after the run's beginning, too, unless the clock was set.
  static final String LOOK =
      """
      select id, weight from detail_gap
      where collection = ? and state = 'pending' and resting = 0 and turn < ? and tried_in <> ?
      order by turn, id limit ?
      """;

  private static final String LEASE =
      "update detail_gap set state = 'leased', leased_by = ?, leased_until = ? where id = ?"
          + " returning "
          + GapRow.COLUMNS;

  private final Transaction transaction;
  private final String collection;
  private final long run;
  private final Instant runBegan;
  private final long maxBytes;
  private final List<DetailGap> leased = new ArrayList<>();
  private long bytes;

  GapPage(Transaction transaction, String collection, long run, Instant runBegan, long maxBytes) {
    this.transaction = transaction;
    this.collection = collection;
    this.run = run;
    this.runBegan = runBegan;
    this.maxBytes = maxBytes;
  }

  private record Candidate(long id, long weight) {}

  List<DetailGap> leased() {
    int woken;
    do {
      woken = wake();
      fill();
      // All that were woken may have had their try in this run: others may be behind them.
    } while (leased.isEmpty() && woken == LONGEST_LOOK);
    return leased;
  }

  /** Those whose time has come take their place in the order; so many at once at most. */
  private int wake() {
    return transaction.update(WAKE, collection, transaction.now(), LONGEST_LOOK);
  }

  private void fill() {
    int look = FIRST_LOOK;
    while (look > 0) {
      List<Candidate> candidates = look(look);
      boolean room = leaseWhatFits(candidates);
      look = room && candidates.size() == look ? nextLook() : 0;
    }
  }

  private List<Candidate> look(int rows) {
    return transaction.rows(
        LOOK, row -> new Candidate(row.number(1), row.number(2)), collection, runBegan, run, rows);
  }

  /** As many as should fill the page, going by what is in it; one is in it at least. */
  private int nextLook() {
    long perRow = Math.max(1, bytes / leased.size());
    return Math.clamp((maxBytes - bytes) / perRow, 1, LONGEST_LOOK);
  }

  /** Whether there may be room for more. */
  private boolean leaseWhatFits(List<Candidate> candidates) {
    for (Candidate candidate : candidates) {
      if (!leased.isEmpty() && bytes + candidate.weight > maxBytes) {
        return false;
      }
      lease(candidate.id);
      bytes += candidate.weight;
    }
    return bytes < maxBytes;
  }

  // Its own row, by its id: the order of the page is the order of the leases.
  private void lease(long id) {
    leased.add(
        transaction
            .row(LEASE, GapRow::read, run, transaction.now().plus(LeasedGaps.LEASE), id)
            .orElseThrow());
  }
}
