package dev.sluice.cli;

import dev.sluice.runs.store.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * As whom the database of the state is entered: only the environment says, never an argument or a
 * file that others read.
 */
final class StateLogin {
  static final String USER = "SLUICE_STATE_USER";
  static final String PASSWORD = "SLUICE_STATE_PASSWORD";
  static final String PASSWORD_FILE = "SLUICE_STATE_PASSWORD_FILE";

  private StateLogin() {}

  /**
   * The login of an environment. What it leaves out, the driver finds by itself: the user of the
   * system, and the password in {@code .pgpass}.
   *
   * @throws IllegalArgumentException if it names a file that cannot be read, or a password twice
   */
  static Login from(Map<String, String> environment) {
    String password = environment.getOrDefault(PASSWORD, "");
    String file = environment.getOrDefault(PASSWORD_FILE, "");
    if (!password.isEmpty() && !file.isEmpty()) {
      throw new IllegalArgumentException(
          "%s and %s are both set, but only one of them may be".formatted(PASSWORD, PASSWORD_FILE));
    }
    return new Login(
        environment.getOrDefault(USER, ""), file.isEmpty() ? password : read(Path.of(file)));
  }

  /** A line's end behind it does not belong to it. */
  private static String read(Path file) {
    try {
      return Files.readString(file).stripTrailing();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s names %s, but that file cannot be read".formatted(PASSWORD_FILE, file), e);
    }
  }
}
