package dev.sluice.collect.sink.sql;

import dev.sluice.collect.sink.BeginAnew;
import dev.sluice.collect.sink.TakenOverException;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.sql.SQLException;

/** Tells from what a database says what is wrong, and what can be done. */
final class SqlTrouble {
  // Result codes of SQLite, in the last byte of what its driver reports.
  private static final int BUSY = 5;
  private static final int READ_ONLY = 8;
  private static final int FULL = 13;
  private static final int CANNOT_OPEN = 14;

  private SqlTrouble() {}

  static IOException with(String database, Dialect dialect, SQLException e) {
    if (e instanceof FencedException) {
      return new TakenOverException("%s: %s".formatted(database, e.getMessage()), e);
    }
    if (e instanceof TableException) {
      return new IOException("%s: %s".formatted(database, e.getMessage()), e);
    }
    return new IOException(
        "%s: %s (%s)".formatted(database, remedy(dialect, e), e.getMessage()), e);
  }

  /** Without the driver's words: they may have the whole address in them. */
  static IOException noDriver(String database, Dialect dialect) {
    return new IOException(
        "there is no JDBC driver for %s; put %s on the class path"
            .formatted(
                database,
                switch (dialect) {
                  case SQLITE -> "org.xerial:sqlite-jdbc";
                  case POSTGRESQL -> "org.postgresql:postgresql";
                }));
  }

  static IOException lost(String database, Track track) {
    return new IOException(
        "%s lacks records of %s that were committed: it is another database, or an older state of it;"
                .formatted(database, track)
            + " put it back as it was, or let the stream begin anew: "
            + BeginAnew.command(track));
  }

  static IOException notOurMark(String mark) {
    return new IOException(
        "the bookmark's mark was not written by this SQL sink: '%s'; give the collection the sink"
                .formatted(mark.length() > 80 ? mark.substring(0, 80) + "…" : mark)
            + " that it had before, or begin it anew under another name");
  }

  private static String remedy(Dialect dialect, SQLException e) {
    return switch (dialect) {
      case SQLITE ->
          switch (e.getErrorCode() & 0xff) {
            case BUSY ->
                "is locked by another process; end whatever holds it and run the same command again";
            case READ_ONLY, CANNOT_OPEN ->
                "cannot be written; its folder must exist, and file and folder must be writable for"
                    + " this user";
            case FULL -> FULL_DISK;
            default -> FAILED;
          };
      case POSTGRESQL -> postgresql(String.valueOf(e.getSQLState()));
    };
  }

  private static final String FAILED = "the rows could not be written";
  private static final String FULL_DISK =
      "the disk is full; make room and run the same command again, nothing that was committed is"
          + " lost";

  private static String postgresql(String state) {
    if (state.startsWith("08") || state.startsWith("57P")) {
      return "cannot be reached; see that it is up, and that its address is right, and run the same"
          + " command again";
    } else if (state.startsWith("28")) {
      return "refuses the login; see that user and password are right";
    } else if (state.equals("42501")) {
      return "does not allow this user to make or write tables; grant it CREATE and USAGE on the"
          + " schema";
    } else if (state.startsWith("3D")) {
      return "has no such database; make it, or name another";
    } else if (state.equals("53100")) {
      return FULL_DISK;
    }
    return FAILED;
  }
}
