package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;

/**
 * Somebody else's way to keep within limits.
 *
 * @param name its stable name on the wire: lower case, with dashes
 * @param description one line for the report
 * @param origin whether the library itself decides
 * @param factory makes one that has seen nothing yet
 */
public record Peer(String name, String description, Origin origin, Factory factory) {
  /** Makes contenders. */
  @FunctionalInterface
  public interface Factory {
    /** One that has seen nothing yet; the arguments have been checked. */
    Contender contender(int users, int hint, long seed);
  }

  /**
   * One that has seen nothing yet, at time 0.
   *
   * @param users how many users it has, at least 1
   * @param hint the degree of parallelism that the service recommends per user, at least 1
   * @param seed equal seeds give equal chances
   * @throws IllegalArgumentException if a number is less than 1
   */
  public Contender contender(int users, int hint, long seed) {
    atLeastOne("users", users, "how many identities there are to send through");
    atLeastOne("hint", hint, "the degree of parallelism that the service recommends per user");
    return factory.contender(users, hint, seed);
  }

  private static void atLeastOne(String name, int value, String meaning) {
    if (value < 1) {
      throw new IllegalArgumentException(
          name + " is " + value + ", but must be 1 or more (" + meaning + ")");
    }
  }
}
