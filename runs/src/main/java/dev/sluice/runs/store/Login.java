package dev.sluice.runs.store;

import static java.util.Objects.requireNonNull;

/**
 * As whom a database is entered. Kept apart from its address, so that the address can be shown.
 * Immutable.
 *
 * @param user the user; empty for the one that the driver takes, which is the system's
 * @param password its password; empty for none, or for that in the user's {@code .pgpass}
 */
public record Login(String user, String password) {
  /** Whatever the driver finds by itself. */
  public static final Login NONE = new Login("", "");

  public Login {
    requireNonNull(user, "user");
    requireNonNull(password, "password");
  }

  /** Tells neither of them. */
  @Override
  public String toString() {
    return "a login";
  }
}
