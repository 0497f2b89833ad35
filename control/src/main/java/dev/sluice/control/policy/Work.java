package dev.sluice.control.policy;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a request does, for policies that cost operations differently.
 *
 * @param operation the kind of operation ({@code create account}, {@code delete}): requests of one
 *     kind cost about the same; empty if unknown
 * @param left how many requests of its job are still to come, this one included; empty if unknown
 * @param job the job that {@code left} counts, told from others by identity; null if there is only
 *     one, whatever kinds of operations it consists of
 */
public record Work(String operation, OptionalLong left, @Nullable Object job) {
  /** Nothing is known. */
  public static final Work UNKNOWN = new Work("", OptionalLong.empty());

  public Work {
    requireNonNull(operation, "operation");
    if (left.isPresent() && left.getAsLong() < 1) {
      throw new IllegalArgumentException("left is " + left.getAsLong() + ", but must be positive");
    }
  }

  /** Of the only job that there is. */
  public Work(String operation, OptionalLong left) {
    this(operation, left, null);
  }
}
