package dev.sluice.runs.gap;

import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The detail gaps of a store.
 *
 * <p>A run {@linkplain #note notes} what it could not have in the transaction that moves the list's
 * bookmark past it. A later run drains: it asks for {@linkplain #page page} after page until one is
 * empty, and says of each gap what became of it. Every gap that may be tried is tried once per run,
 * the one that has waited longest first, so that a stubborn one never keeps the others waiting.
 *
 * <p>A page costs what its own rows cost, however many gaps there are: those that are not due yet
 * rest outside of the index that pages are read from, and are woken once each.
 */
public final class DetailGaps {
  /** How many failures put a gap in quarantine. */
  public static final int FAILURES = 8;

  /** How long a run has a gap for itself, unless it {@linkplain #renew renews}. */
  public static final Duration LEASE = Duration.ofSeconds(60);

  /** A wait that grows by this with every try, unless the provider tells another. */
  public static final Duration WAIT_PER_TRY = Duration.ofMinutes(15);

  /** The longest wait that nobody told. */
  public static final Duration LONGEST_WAIT = Duration.ofHours(6);

  /** The size of a page unless somebody asks for another, in bytes. */
  public static final int PAGE_BYTES = 256 << 10;

  /** The smallest size of a page. */
  public static final int LEAST_PAGE_BYTES = 16 << 10;

  /** The largest size of a page. */
  public static final int MOST_PAGE_BYTES = 1 << 20;

  /** How long a gap is remembered after it was recovered. */
  public static final Duration REMEMBERED = Duration.ofDays(30);

  /** How many recovered gaps are forgotten together: their deletion delays the end of a run. */
  public static final int FORGOTTEN_AT_ONCE = 1_000;

  private DetailGaps() {}

  /** A gap as it was noted before. */
  private record Known(Standing standing, State state) {}

  /**
   * Notes that details are missing. If the same are missing already, the gap is noted again: its
   * version rises, it is pending whatever it was, and what was remembered of the record is replaced
   * by what is known now. Tries and failures go on, except where the details were had meanwhile.
   *
   * @param run which run missed them
   * @param miss why
   * @return whether this put the gap in quarantine
   */
  public static boolean note(Transaction transaction, MissingDetail detail, long run, Miss miss) {
    Known before =
        transaction
            .row(
                """
                select tries, failures, due, first_seen, turn, tried_in, state from detail_gap
                where collection = ? and stream = ? and parent_stream = ? and record_key = ?
                  and state <> 'recovered'
                """,
                row -> new Known(Standing.read(row), State.named(row.text(7))),
                detail.collection(),
                detail.stream(),
                detail.parentStream(),
                detail.recordKey())
            .orElseGet(() -> new Known(Standing.fresh(transaction.now()), State.PENDING));
    Standing after = before.standing.missed(miss, run, transaction.now());
    int unused =
        transaction.update(
            GapRow.NOTE,
            detail.collection(),
            detail.stream(),
            detail.parentStream(),
            detail.recordKey(),
            detail.split(),
            detail.parent(),
            detail.weight(),
            after.state(miss).wireName(),
            miss.reason().wireName(),
            after.tries(),
            after.failures(),
            after.firstSeen(),
            after.turn(),
            after.due(),
            after.resting(transaction.now()),
            after.triedIn());
    return after.state(miss) == State.QUARANTINED && before.state != State.QUARANTINED;
  }

  /**
   * Whether details are known to be missing because of a throttle whose time is not over: nobody is
   * to ask for them before, although their record may be seen again.
   */
  public static boolean isPutOff(
      Transaction transaction,
      String collection,
      String stream,
      String parentStream,
      String recordKey) {
    return transaction
        .row(
            """
            select id from detail_gap
            where collection = ? and stream = ? and parent_stream = ? and record_key = ?
              and state = 'pending' and reason = ? and due > ?
            """,
            row -> row.number(1),
            collection,
            stream,
            parentStream,
            recordKey,
            Reason.Pressure.RATE_LIMITED.wireName(),
            transaction.now())
        .isPresent();
  }

  /**
   * Details were had in the ordinary course of a run: if they were missing, they no longer are. For
   * the transaction that makes them durable.
   *
   * @return whether they were missing
   */
  public static boolean filled(
      Transaction transaction,
      String collection,
      String stream,
      String parentStream,
      String recordKey) {
    return transaction.update(
            """
            update detail_gap set state = 'recovered', version = version + 1, parent = '',
              weight = 0, resting = 0, leased_by = 0, leased_until = 0, turn = ?
            where collection = ? and stream = ? and parent_stream = ? and record_key = ?
              and state <> 'recovered'
            """,
            transaction.now(),
            collection,
            stream,
            parentStream,
            recordKey)
        == 1;
  }

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
  public static int returnExpired(Transaction transaction, String collection) {
    // More than a lease ahead: the clock has been set back since.
    return transaction.update(
        GapRow.RETURN_EXPIRED, collection, transaction.now(), transaction.now().plus(LEASE));
  }

  /**
   * A person has acted: gaps that are gone or in quarantine are tried again, as if for the first
   * time.
   *
   * @param stream the detail stream; empty for all
   * @param recordKey the record; empty for all
   * @return how many
   */
  public static int requeue(
      Transaction transaction,
      String collection,
      Optional<String> stream,
      Optional<String> recordKey) {
    return transaction.update(
        """
        update detail_gap set state = 'pending', tries = 0, failures = 0, due = ?, resting = 0,
          tried_in = 0
        where collection = ? and state in ('gone', 'quarantined')
          and stream = coalesce(?, stream) and record_key = coalesce(?, record_key)
        """,
        transaction.now(),
        collection,
        stream.orElse(null),
        recordKey.orElse(null));
  }

  /**
   * Forgets gaps of a collection that were recovered longer than {@link #REMEMBERED} ago, the
   * oldest first, and at most {@value #FORGOTTEN_AT_ONCE}: the next run goes on with the rest.
   *
   * @return how many
   */
  public static int forgetRecovered(Transaction transaction, String collection) {
    return transaction.update(
        """
        delete from detail_gap where id in (
          select id from detail_gap where collection = ? and state = 'recovered' and turn < ?
          order by turn limit ?)
        """,
        collection,
        transaction.now().minus(REMEMBERED),
        FORGOTTEN_AT_ONCE);
  }

  /** How many gaps of each collection and stream are in which state; takes a look at each. */
  public static List<GapCount> counts(Transaction transaction) {
    return transaction.rows(
        GapRow.COUNTS,
        row ->
            new GapCount(
                row.text(1), row.text(2), State.named(row.text(3)), row.number(4), row.time(5)));
  }

  /**
   * Some gaps of a collection, those that were noted first.
   *
   * @param state only those in this state; empty for all
   * @param limit how many at most
   */
  public static List<DetailGap> list(
      Transaction transaction, String collection, Optional<State> state, int limit) {
    return transaction.rows(
        GapRow.SELECT + "where collection = ? and state = coalesce(?, state) order by id limit ?",
        GapRow::read,
        collection,
        state.map(State::wireName).orElse(null),
        limit);
  }
}
