package dev.sluice.runs.lease;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out the leases of a store, one per name.
 *
 * <p>A lease lasts {@link #TERM} from its last renewal, on the store's clock, and is renewed every
 * {@link #RENEWED_EVERY}. Whoever comes after it expired takes it over with a higher number; so
 * does whoever can {@linkplain Holder#isProvablyDead prove} that its holder has ended, at once. A
 * clock that was set cannot do harm: forward, it only lets others take over early, and the number
 * keeps the old holder from writing; backward, it delays them by one term at most.
 *
 * <p>Thread-safe.
 */
public final class Leases {
  /** How long a lease lasts without being renewed. */
  public static final Duration TERM = Duration.ofSeconds(60);

  /** How often it is renewed. */
  public static final Duration RENEWED_EVERY = Duration.ofSeconds(20);

  /** Writers renew it as well, but not oftener: a slice should not cost another page. */
  private static final Duration RENEWED_AT_MOST_EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Leases.class);

  /** When a lease expired that was given back: long ago. */
  private static final long GIVEN_BACK = 0;

  private final Store store;
  private final Time time;
  private final Holder self;
  private final Predicate<Holder> provablyDead;

  /** Leases for this process. */
  public Leases(Store store, Time time) {
    this(store, time, Holder.self(), Holder::isProvablyDead);
  }

  /**
   * Leases for a given holder.
   *
   * @param self who takes them
   * @param provablyDead tells of a holder whether it has certainly ended
   */
  public Leases(Store store, Time time, Holder self, Predicate<Holder> provablyDead) {
    this.store = store;
    this.time = time;
    this.self = self;
    this.provablyDead = provablyDead;
  }

  /**
   * Takes a lease if nobody has it; never waits. It is held, and renewed by a task of its own,
   * until it is closed or lost.
   */
  public Claim take(String name) {
    return switch (store.write(transaction -> claim(transaction, name))) {
      case Granted granted -> new Claim.Taken(new Lease(this, name, granted.fence));
      case Refused refused -> refused.held;
    };
  }

  /** Who holds a lease now; empty if nobody does, or whoever did has certainly ended. */
  public Optional<Claim.Held> held(String name) {
    return store
        .read(transaction -> found(transaction, name).filter(row -> row.isHeld(transaction.now())))
        .map(Row::held)
        .filter(held -> !provablyDead.test(held.holder()))
        .flatMap(held -> store.write(transaction -> heldWithinATerm(transaction, name)));
  }

  private static Optional<Claim.Held> heldWithinATerm(Transaction transaction, String name) {
    forgetClockSetBack(transaction, name);
    return found(transaction, name).filter(row -> row.isHeld(transaction.now())).map(Row::held);
  }

  /** More than a term ahead: the clock has been set back since. */
  private static void forgetClockSetBack(Transaction transaction, String name) {
    Instant latest = transaction.now().plus(TERM);
    int unused =
        transaction.update(
            "update lease set expires = ? where name = ? and expires > ?", latest, name, latest);
  }

  private sealed interface Answer {}

  private record Granted(long fence) implements Answer {}

  private record Refused(Claim.Held held) implements Answer {}

  private Answer claim(Transaction transaction, String name) {
    Instant now = transaction.now();
    forgetClockSetBack(transaction, name);
    Optional<Row> before = found(transaction, name);
    if (before.isPresent() && before.get().isHeld(now)) {
      if (!provablyDead.test(before.get().held.holder())) {
        return new Refused(before.get().held);
      }
      log.info("lease {} is taken over: {} has ended", name, before.get().held.holder());
    }
    return new Granted(
        transaction
            .row(
                """
                insert into lease (name, fence, holder, since, expires) values (?, 1, ?, ?, ?)
                on conflict (name) do update set fence = lease.fence + 1, holder = excluded.holder,
                  since = excluded.since, expires = excluded.expires
                returning fence
                """,
                row -> row.number(1),
                name,
                self.encoded(),
                now,
                now.plus(TERM))
            .orElseThrow());
  }

  private record Row(Claim.Held held) {
    boolean isHeld(Instant now) {
      return held.until().isAfter(now);
    }
  }

  private static Optional<Row> found(Transaction transaction, String name) {
    return transaction.row(
        "select holder, since, expires from lease where name = ?",
        row -> new Row(new Claim.Held(name, Holder.decoded(row.text(1)), row.time(2), row.time(3))),
        name);
  }

  /**
   * Whether the number is still good, and stays so until the transaction has ended: nobody else
   * writes meanwhile. If so, the lease is renewed, unless that was done just now.
   */
  boolean guard(Transaction transaction, String name, long fence) {
    Optional<Instant> expires =
        transaction.row(
            "select expires from lease where name = ? and fence = ? and expires > ?",
            row -> row.time(1),
            name,
            fence,
            GIVEN_BACK);
    Instant due = transaction.now().plus(TERM).minus(RENEWED_AT_MOST_EVERY);
    return expires.isPresent() && (expires.get().isAfter(due) || extend(transaction, name, fence));
  }

  /** Whether the number is still good; if so, the lease is renewed. */
  boolean extend(Transaction transaction, String name, long fence) {
    return transaction.update(
            "update lease set expires = ? where name = ? and fence = ? and expires > ?",
            transaction.now().plus(TERM),
            name,
            fence,
            GIVEN_BACK)
        == 1;
  }

  /** Whether nobody has taken the lease since, although it may have expired. */
  boolean isNewest(Transaction transaction, String name, long fence) {
    return transaction
        .row("select fence from lease where name = ?", row -> row.number(1), name)
        .equals(Optional.of(fence));
  }

  void giveBack(Transaction transaction, String name, long fence) {
    int unused =
        transaction.update(
            "update lease set expires = ? where name = ? and fence = ? and expires > ?",
            GIVEN_BACK,
            name,
            fence,
            GIVEN_BACK);
  }

  /** Never throws: a lease that cannot be given back expires. */
  void giveBack(String name, long fence) {
    try {
      store.write(
          transaction -> {
            giveBack(transaction, name, fence);
            return null;
          });
    } catch (StoreException e) {
      log.warn(
          "lease {} could not be given back, and expires within {} s: {}",
          name,
          TERM.toSeconds(),
          e.getMessage());
    }
  }

  Renewal renewal(Lease lease) {
    return new Renewal(time, lease.name(), () -> store.write(lease::renew));
  }
}
