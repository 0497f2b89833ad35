package dev.sluice.collect.setup;

import java.nio.file.Path;
import java.util.Map;

/** Where the records of a collection go, as its file says. Immutable. */
public sealed interface Destination {

  /** Into files of JSON Lines. */
  record JsonLines(Path folder) implements Destination {}

  /** Into tables of an SQLite database. */
  record Sqlite(Path file) implements Destination {}

  /**
   * Into tables of a PostgreSQL database.
   *
   * @param url a JDBC address, without secrets
   * @param login what the driver needs to know: {@code user} and {@code password}
   */
  record Postgresql(String url, Map<String, String> login) implements Destination {
    public Postgresql {
      login = Map.copyOf(login);
    }

    /** Without the login. */
    @Override
    public String toString() {
      return "a PostgreSQL database";
    }
  }

  /** Into tables of the state database itself. */
  record State() implements Destination {}

  /** As Singer messages to standard output. */
  record Singer() implements Destination {}
}
