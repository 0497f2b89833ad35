package dev.sluice.runs.store;

import org.jspecify.annotations.Nullable;

/**
 * What is done in one transaction. It runs once, on the calling thread, and must not wait for
 * anything but the database.
 *
 * @param <T> the type of its result
 */
@FunctionalInterface
public interface Work<T extends @Nullable Object> {
  /** Does it. */
  T in(Transaction transaction);
}
