package dev.sluice.runs.lease;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.store.Transaction;
import java.util.function.Consumer;

/**
 * The right to write under a name, until it is given back or somebody else takes it over. It renews
 * itself, and is renewed by transactions that it {@linkplain #guard guards}.
 *
 * <p>Thread-safe.
 */
public final class Lease implements AutoCloseable {
  private final Leases leases;
  private final String name;
  private final long fence;
  private final Renewal renewal;
  private volatile Consumer<Transaction> alongside = transaction -> {};

  Lease(Leases leases, String name, long fence) {
    this.leases = leases;
    this.name = name;
    this.fence = fence;
    this.renewal = leases.renewal(this);
  }

  /** What is leased. */
  public String name() {
    return name;
  }

  /** The fencing number: higher than that of everybody who held this lease before. */
  public long fence() {
    return fence;
  }

  /**
   * From now on writes something along with every renewal: what others want to know of whoever
   * holds the lease while it writes nothing else.
   */
  public void alongside(Consumer<Transaction> work) {
    alongside = requireNonNull(work, "work");
  }

  /** Renews it; whether it was still ours. */
  boolean renew(Transaction transaction) {
    boolean ours = leases.extend(transaction, name, fence);
    if (ours) {
      alongside.accept(transaction);
    }
    return ours;
  }

  /**
   * Refuses a transaction that comes too late. To be called in every transaction that writes under
   * this lease, which keeps others from taking it over until it has ended. Renews the lease, unless
   * that was done within the last second.
   *
   * @throws LeaseLostException if somebody has a higher number, or the lease was given back
   */
  public void guard(Transaction transaction) {
    if (!leases.guard(transaction, name, fence)) {
      throw lost();
    }
  }

  /**
   * Refuses a transaction that only reads, if somebody else may have written what it sees.
   *
   * @throws LeaseLostException if somebody has a higher number
   */
  public void requireNewest(Transaction transaction) {
    if (!leases.isNewest(transaction, name, fence)) {
      throw lost();
    }
  }

  /**
   * Gives the lease back as part of a transaction, so that whatever ends with it ends in the same
   * moment; guards it, too. Renewals that come later change nothing. {@link #close} must follow.
   *
   * @throws LeaseLostException as {@link #guard}
   */
  public void release(Transaction transaction) {
    guard(transaction);
    leases.giveBack(transaction, name, fence);
  }

  /**
   * Gives the lease back if it is still ours, and stops renewing it. A second time does nothing.
   */
  @Override
  public void close() {
    if (renewal.stop()) {
      leases.giveBack(name, fence);
    }
  }

  private LeaseLostException lost() {
    return new LeaseLostException(name, fence);
  }

  @Override
  public String toString() {
    return "lease " + name + " #" + fence;
  }
}
