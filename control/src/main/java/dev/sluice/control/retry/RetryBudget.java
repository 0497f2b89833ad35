package dev.sluice.control.retry;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the retries of a whole run: each one costs a token, each success earns a part of one, so
 * that total retries stay near that share of the work, however many requests fail at once.
 *
 * <p>Starts with the smaller of its capacity and 10 tokens. Tokens are counted in millionths, so
 * that a fifth earned five times is one token exactly.
 *
 * <p>Thread-safe and lock-free; never overdrawn, never above its capacity; nothing is allocated.
 */
public final class RetryBudget {
  /** What a success earns unless told otherwise: a fifth of a token. */
  public static final double DEFAULT_REFILL = 0.2;

  /** The capacity for a run without a request cap. */
  public static final int DEFAULT_CAPACITY = 100;

  /** The highest capacity. */
  public static final int MAX_CAPACITY = 1_000_000_000;

  private static final int FIRST_TOKENS = 10;
  private static final int SHARE_OF_CAP = 5; // one retry for every five requests: 20 %
  private static final long TOKEN = 1_000_000;

  private final long capacity;
  private final long refill;
  private final AtomicLong balance;

  /**
   * A budget.
   *
   * @param capacity the most tokens it holds; 1 to a billion
   * @param refill tokens earned by a success; 0 to 1, counted to the millionth
   * @throws IllegalArgumentException if one is out of range
   */
  public RetryBudget(int capacity, double refill) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "retryBudget.capacity is "
              + capacity
              + ", but must lie between 1 and "
              + MAX_CAPACITY
              + " (the most retries that may be saved up)");
    }
    if (!(refill >= 0 && refill <= 1)) { // false for NaN
      throw new IllegalArgumentException(
          "retryBudget.refill is "
              + refill
              + ", but must lie between 0 and 1 (the share of a retry that a success earns)");
    }
    this.capacity = capacity * TOKEN;
    this.refill = Math.round(refill * TOKEN);
    this.balance = new AtomicLong(Math.min(capacity, FIRST_TOKENS) * TOKEN);
  }

  /**
   * The budget of a run with this request cap: a fifth of it, rounded up; 100 without a cap.
   *
   * @throws IllegalArgumentException if the cap is below 1
   */
  public static RetryBudget forRequestCap(OptionalLong cap) {
    if (cap.isEmpty()) {
      return new RetryBudget(DEFAULT_CAPACITY, DEFAULT_REFILL);
    }
    if (cap.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "requestCap is " + cap.getAsLong() + ", but must be 1 or more (attempts in one run)");
    }
    long fifth = (cap.getAsLong() - 1) / SHARE_OF_CAP + 1;
    return new RetryBudget((int) Math.min(fifth, MAX_CAPACITY), DEFAULT_REFILL);
  }

  /** Pays for one retry if there is a whole token; otherwise changes nothing. */
  public boolean tryWithdraw() {
    while (true) {
      long before = balance.get();
      if (before < TOKEN) {
        return false;
      }
      if (balance.compareAndSet(before, before - TOKEN)) {
        return true;
      }
    }
  }

  /** A request succeeded: earns its share of a token. */
  public void deposit() {
    add(refill);
  }

  /** A retry that was paid for was never sent: its token comes back. */
  public void giveBack() {
    add(TOKEN);
  }

  /** How many retries could be paid for now. */
  public long tokens() {
    return balance.get() / TOKEN;
  }

  /** The most retries that may be saved up. */
  public long capacity() {
    return capacity / TOKEN;
  }

  private void add(long amount) {
    while (true) {
      long before = balance.get();
      long after = Math.min(before + amount, capacity);
      if (after == before || balance.compareAndSet(before, after)) {
        return;
      }
    }
  }
}
