package dev.sluice.runs.run;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The runs of a store, past and present. Thread-safe. */
public final class Runs {
  private static final String SELECT =
      """
      select run.id, coalesce(run.origin, run.id), run.kind, run.name, run.options, run.nonce,
        coalesce(origin.started, run.started), run.started, run.ended, run.outcome, run.reason,
        run.detail,
        case when run.ended is null and lease.fence = run.fence and lease.expires > ?
          then 1 else 0 end,
        run.lane, lease.holder
      from run join lease on lease.name = run.lease left join run origin on origin.id = run.origin
      """;

  private final Store store;
  private final Time time;

  public Runs(Store store, Time time) {
    this.store = store;
    this.time = time;
  }

  /**
   * Begins work, durably, with a nonce of its own.
   *
   * @param lease what the run holds; checked in the same transaction
   * @param kind what sort of work
   * @param name what is worked on
   * @param options what it is asked to do, in the words of its kind
   * @throws dev.sluice.runs.lease.LeaseLostException if the lease is lost
   */
  public RunRecord begin(Lease lease, String kind, String name, String options) {
    return begin(lease, kind, name, options, (transaction, run) -> {});
  }

  /**
   * The same, with something that is stored in the same transaction.
   *
   * @param alongside stores it; if it throws, nothing has begun
   */
  public RunRecord begin(
      Lease lease,
      String kind,
      String name,
      String options,
      BiConsumer<Transaction, RunRecord> alongside) {
    return insert(lease, kind, name, options, null, time.random().nextLong(), null, alongside);
  }

  /**
   * The same for work that goes through one lane.
   *
   * @param lane which one
   */
  public RunRecord begin(Lease lease, String kind, String name, String options, String lane) {
    return insert(
        lease, kind, name, options, null, time.random().nextLong(), lane, (transaction, run) -> {});
  }

  /**
   * Continues the work of an earlier run, durably: a run of its own with the same origin and nonce.
   *
   * @throws dev.sluice.runs.lease.LeaseLostException if the lease is lost
   */
  public RunRecord resume(Lease lease, RunRecord earlier, String options) {
    return resume(lease, earlier, earlier.name(), options, (transaction, run) -> {});
  }

  /**
   * The same under another name, with something that is stored in the same transaction.
   *
   * @param alongside stores it; if it throws, nothing has begun
   */
  public RunRecord resume(
      Lease lease,
      RunRecord earlier,
      String name,
      String options,
      BiConsumer<Transaction, RunRecord> alongside) {
    return insert(
        lease,
        earlier.kind(),
        name,
        options,
        earlier.origin(),
        earlier.nonce(),
        earlier.lane().orElse(null),
        alongside);
  }

  private RunRecord insert(
      Lease lease,
      String kind,
      String name,
      String options,
      @Nullable Long origin,
      long nonce,
      @Nullable String lane,
      BiConsumer<Transaction, RunRecord> alongside) {
    return store.write(
        transaction -> {
          lease.guard(transaction);
          long id =
              transaction
                  .row(
                      """
                      insert into run
                        (origin, kind, name, options, nonce, started, lease, fence, lane)
                      values (?, ?, ?, ?, ?, ?, ?, ?, ?) returning id
                      """,
                      row -> row.number(1),
                      origin,
                      kind,
                      name,
                      options,
                      nonce,
                      transaction.now(),
                      lease.name(),
                      lease.fence(),
                      lane)
                  .orElseThrow();
          RunRecord run = select(transaction, "where run.id = ?", id).getFirst();
          alongside.accept(transaction, run);
          return run;
        });
  }

  /**
   * Ends a run: its outcome, its counts and the end of its lease are one transaction. The lease is
   * closed.
   *
   * @throws dev.sluice.runs.lease.LeaseLostException if the lease is lost; then nothing is stored
   * @throws IllegalStateException if the run has ended before
   */
  public void end(Lease lease, RunRecord run, Outcome outcome, Map<String, Long> counts) {
    store.write(
        transaction -> {
          lease.release(transaction);
          end(transaction, run, outcome, counts);
          return null;
        });
    lease.close();
  }

  /**
   * Ends a run as part of a transaction, together with whatever else ends with it; its lease is the
   * caller's to guard and to release.
   *
   * @throws IllegalStateException if the run has ended before
   */
  public static void end(
      Transaction transaction, RunRecord run, Outcome outcome, Map<String, Long> counts) {
    long id = run.id();
    Reason reason = outcome.reason();
    int changed =
        transaction.update(
            """
            update run set ended = ?, outcome = ?, reason = ?, detail = ?
            where id = ? and ended is null
            """,
            transaction.now(),
            outcome.wireName(),
            reason == null ? null : reason.wireName(),
            outcome.detail(),
            id);
    if (changed != 1) {
      throw new IllegalStateException("run " + id + " has ended before, or never began");
    }
    count(transaction, run, counts);
  }

  /** Writes what a run has counted so far; for the transaction of other work. */
  public static void count(Transaction transaction, RunRecord run, Map<String, Long> counts) {
    counts.forEach(
        (name, value) -> {
          int unused =
              transaction.update(
                  """
                  insert into run_count (run, name, value) values (?, ?, ?)
                  on conflict (run, name) do update set value = excluded.value
                  """,
                  run.id(),
                  name,
                  value);
        });
  }

  /** The last run of this kind and name, if there ever was one. */
  public Optional<RunRecord> last(String kind, String name) {
    return store.read(transaction -> last(transaction, kind, name));
  }

  /** The same as part of a transaction. */
  public static Optional<RunRecord> last(Transaction transaction, String kind, String name) {
    return select(
            transaction,
            "where run.kind = ? and run.name = ? order by run.id desc limit 1",
            kind,
            name)
        .stream()
        .findFirst();
  }

  /** The last run of the work that a run began. */
  public static Optional<RunRecord> lastOf(Transaction transaction, long origin) {
    return select(
            transaction,
            "where run.id = ? or run.origin = ? order by run.id desc limit 1",
            origin,
            origin)
        .stream()
        .findFirst();
  }

  /** When the run began that is so many back from the last of this kind and name. */
  public static Optional<Instant> startOf(
      Transaction transaction, String kind, String name, int back) {
    return transaction.row(
        "select started from run where kind = ? and name = ? order by id desc limit 1 offset ?",
        row -> row.time(1),
        kind,
        name,
        back);
  }

  /** The last run of each kind and name that goes through a single lane, the earliest first. */
  public static List<RunRecord> lastOnLanes(Transaction transaction) {
    return select(
        transaction,
        """
        where run.lane is not null
          and run.id in (select max(id) from run group by kind, name) order by run.id
        """);
  }

  /** The last run of each name of a kind that neither ended nor is at work: it was killed. */
  public static List<RunRecord> lastKilled(Transaction transaction, String kind) {
    return select(
            transaction,
            """
            where run.kind = ? and run.ended is null
              and run.id in (select max(id) from run group by kind, name) order by run.id
            """,
            kind)
        .stream()
        .filter(run -> !run.running())
        .toList();
  }

  /** The run with this number, if there is one. */
  public Optional<RunRecord> find(long id) {
    return store.read(
        transaction -> select(transaction, "where run.id = ?", id).stream().findFirst());
  }

  /** The latest runs of all kinds, latest first, at most {@code limit}. */
  public List<RunRecord> latest(int limit) {
    return store.read(transaction -> select(transaction, "order by run.id desc limit ?", limit));
  }

  private static List<RunRecord> select(
      Transaction transaction, String which, @Nullable Object... arguments) {
    @Nullable Object[] all = new @Nullable Object[arguments.length + 1];
    all[0] = transaction.now();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    List<RunRecord> plain = transaction.rows(SELECT + which, Runs::read, all);
    return plain.stream().map(run -> withCounts(transaction, run)).toList();
  }

  private static RunRecord read(Transaction.Row row) {
    String outcome = row.textOrNull(10);
    Optional<Instant> ended = row.isNull(9) ? Optional.empty() : Optional.of(row.time(9));
    return new RunRecord(
        row.number(1),
        row.number(2),
        row.text(3),
        row.text(4),
        row.text(5),
        row.number(6),
        row.time(7),
        row.time(8),
        ended,
        outcome == null
            ? Optional.empty()
            : Optional.of(Outcome.of(outcome, row.textOrNull(11), row.textOrNull(12))),
        row.number(13) != 0 && !Holder.decoded(row.text(15)).isProvablyDead(),
        Optional.ofNullable(row.textOrNull(14)),
        Collections.emptySortedMap());
  }

  private static RunRecord withCounts(Transaction transaction, RunRecord run) {
    SortedMap<String, Long> counts = new TreeMap<>();
    for (Map.Entry<String, Long> count :
        transaction.rows(
            "select name, value from run_count where run = ?",
            row -> Map.entry(row.text(1), row.number(2)),
            run.id())) {
      counts.put(count.getKey(), count.getValue());
    }
    return new RunRecord(
        run.id(),
        run.origin(),
        run.kind(),
        run.name(),
        run.options(),
        run.nonce(),
        run.begun(),
        run.started(),
        run.ended(),
        run.outcome(),
        run.running(),
        run.lane(),
        Collections.unmodifiableSortedMap(counts));
  }
}
