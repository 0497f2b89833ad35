package dev.sluice.control.policy;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * What a request does, for policies that cost operations differently.
 *
 * @param operation the class of operation ({@code create}, {@code delete}); empty if unknown
 * @param left how many requests like it are still to come, this one included; empty if unknown
 */
public record Work(String operation, OptionalLong left) {
  /** Nothing is known. */
  public static final Work UNKNOWN = new Work("", OptionalLong.empty());

  public Work {
    requireNonNull(operation, "operation");
    if (left.isPresent() && left.getAsLong() < 1) {
      throw new IllegalArgumentException("left is " + left.getAsLong() + ", but must be positive");
    }
  }
}
