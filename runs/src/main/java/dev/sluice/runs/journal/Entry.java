package dev.sluice.runs.journal;

import dev.sluice.runs.store.Transaction;

/**
 * Something else that is to be stored in the commit that carries rows' outcome: so neither is ever
 * durable without the other.
 */
@FunctionalInterface
public interface Entry {
  /** Nothing to store. */
  Entry NONE = transaction -> {};

  /** Stores it; called at most once, by the task that makes the commit. */
  void write(Transaction transaction);
}
