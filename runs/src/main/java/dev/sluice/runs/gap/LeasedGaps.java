package dev.sluice.runs.gap;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The detail gaps that a run has for itself, for a while, to try them once more.
 *
 * <p>It asks for {@linkplain #page page} after page until one is empty, and says of each gap what
 * became of it. Every gap that may be tried is tried once per run, the one that has waited longest
 * first, so that a stubborn one never keeps the others waiting.
 *
 * <p>A page costs what its own rows cost, however many gaps there are: those that are not due yet
 * rest outside of the index that pages are read from, and are woken once each.
 */
public final class LeasedGaps {
  /** How long a run has a gap for itself, unless it {@linkplain #renew renews}. */
  public static final Duration LEASE = Duration.ofSeconds(60);

  /** The size of a page unless somebody asks for another, in bytes. */
  public static final int PAGE_BYTES = 256 << 10;

  /** The smallest size of a page. */
  public static final int LEAST_PAGE_BYTES = 16 << 10;

  /** The largest size of a page. */
  public static final int MOST_PAGE_BYTES = 1 << 20;

  static final String RETURN_EXPIRED =
      """
      update detail_gap set state = 'pending', leased_by = 0, leased_until = 0
      where collection = ? and state = 'leased' and (leased_until <= ? or leased_until > ?)
      """;

  private LeasedGaps() {}

  /**
   * Leases the next gaps to a run: first seen before it began, due, and not yet tried in it; the
   * one that was tried (else seen) longest ago first. Leases that have expired are returned before.
   *
   * @param runBegan when the run began, on the store's clock
   * @param maxBytes how much the page may hold, from {@link #LEAST_PAGE_BYTES} to {@link
   *     #MOST_PAGE_BYTES}; a gap that is larger is served alone
   * @return empty if there is nothing left to try in this run
   */
  public static List<DetailGap> page(
      Transaction transaction, String collection, long run, Instant runBegan, int maxBytes) {
    if (maxBytes < LEAST_PAGE_BYTES || maxBytes > MOST_PAGE_BYTES) {
      throw new IllegalArgumentException(
          "maxBytes is %d, but must lie between %d and %d (how much a page of gaps may hold)"
              .formatted(maxBytes, LEAST_PAGE_BYTES, MOST_PAGE_BYTES));
    }
    int unused = returnExpired(transaction, collection);
    return new GapPage(transaction, collection, run, runBegan, maxBytes).leased();
  }

  /**
   * The details were had, and are durable.
   *
   * @param version the gap's as it was leased
   * @return false if the record was seen again meanwhile: then the gap stays as it is, and what was
   *     had is out of date
   */
  public static boolean recovered(Transaction transaction, long id, long version) {
    return transaction.update(
            """
            update detail_gap set state = 'recovered', parent = '', weight = 0, resting = 0,
              leased_by = 0, leased_until = 0, turn = ?
            where id = ? and version = ? and state in ('leased', 'pending')
            """,
            transaction.now(),
            id,
            version)
        == 1;
  }

  /**
   * The details could not be had this time either. If the record was seen again meanwhile, nothing
   * counts: what was sent was for what it used to be.
   *
   * @param version the gap's as it was leased
   * @return what state the gap is in now
   */
  public static State missed(Transaction transaction, long id, long version, long run, Miss miss) {
    Optional<Standing> before =
        transaction.row(
            """
            select tries, failures, due, first_seen, turn, tried_in from detail_gap
            where id = ? and version = ? and state in ('leased', 'pending')
            """,
            Standing::read,
            id,
            version);
    if (before.isEmpty()) {
      return transaction
          .row("select state from detail_gap where id = ?", row -> State.named(row.text(1)), id)
          .orElseThrow(() -> new IllegalArgumentException("there is no gap " + id));
    }
    Standing after = before.get().missed(miss, run, transaction.now());
    int unused =
        transaction.update(
            """
            update detail_gap set state = ?, reason = ?, tries = ?, failures = ?, turn = ?,
              due = ?, resting = ?, tried_in = ?, leased_by = 0, leased_until = 0 where id = ?
            """,
            after.state(miss).wireName(),
            miss.reason().wireName(),
            after.tries(),
            after.failures(),
            after.turn(),
            after.due(),
            after.resting(transaction.now()),
            after.triedIn(),
            id);
    return after.state(miss);
  }

  /** Keeps what a run has leased for another {@link #LEASE}. */
  public static void renew(Transaction transaction, String collection, long run) {
    int unused =
        transaction.update(
            "update detail_gap set leased_until = ?"
                + " where collection = ? and state = 'leased' and leased_by = ?",
            transaction.now().plus(LEASE),
            collection,
            run);
  }

  /** Gives back what a run has leased and not tried: it stops early. */
  public static void release(Transaction transaction, String collection, long run) {
    int unused =
        transaction.update(
            "update detail_gap set state = 'pending', leased_by = 0, leased_until = 0"
                + " where collection = ? and state = 'leased' and leased_by = ?",
            collection,
            run);
  }

  /**
   * Makes gaps pending again whose lease has expired: whoever had them is gone, or late.
   *
   * @return how many
   */
  static int returnExpired(Transaction transaction, String collection) {
    // More than a lease ahead: the clock has been set back since.
    return transaction.update(
        RETURN_EXPIRED, collection, transaction.now(), transaction.now().plus(LEASE));
  }
}
