package dev.sluice.runs.store;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.runs.store.StoreException.Problem;
import java.sql.SQLException;
import java.util.Set;

/** Tells from a server's code what is wrong with a database, and what can be done. */
final class PostgresTrouble {
  /** Stopped, crashed, starting, idle for too long, and a transaction that stood still. */
  private static final Set<String> BROKEN = Set.of("57P01", "57P02", "57P03", "57P05", "25P03");

  private PostgresTrouble() {}

  /** Whether the connection is gone. */
  static boolean isBroken(SQLException e) {
    String code = code(e);
    return code.startsWith("08") || BROKEN.contains(code);
  }

  private static String code(SQLException e) {
    return requireNonNullElse(e.getSQLState(), "");
  }

  static StoreException with(DatabaseAddress address, SQLException e) {
    return with(address, e, "what was not committed is undone, and nothing else is lost");
  }

  /** While a commit is on its way nobody knows whether it arrived. */
  static StoreException atCommit(DatabaseAddress address, SQLException e) {
    return with(address, e, "whether the last change was still stored will be seen then");
  }

  private static StoreException with(DatabaseAddress address, SQLException e, String lost) {
    if (isBroken(e)) {
      return told(
          Problem.UNREACHABLE,
          address,
          e,
          "cannot be reached",
          "see that the server runs, and that its address and the network are right, then run the"
              + " same command again; "
              + lost);
    }
    return switch (code(e)) {
      // Their messages name the user, and are left out.
      case "28P01" ->
          refused(address, "refuses user and password: see that both are right, then try again");
      case "28000" ->
          refused(
              address,
              "does not let this user in: see that the user exists, and that the server allows it"
                  + " to log in from here (pg_hba.conf, encryption)");
      case "3D000" -> refused(address, "does not exist: create the database, or correct its name");
      case "42501" ->
          told(
              Problem.REFUSED,
              address,
              e,
              "does not let this user do what is needed",
              "let an administrator create the schema '%s' with this user as its owner"
                  .formatted(address.schema()));
      case "25006" ->
          told(
              Problem.READ_ONLY,
              address,
              e,
              "cannot be written",
              "name the primary server, not a copy of it");
      case "53300" ->
          told(
              Problem.UNREACHABLE,
              address,
              e,
              "has too many connections",
              "close others, or raise max_connections, then try again");
      case "53100" ->
          told(
              Problem.DISK_FULL,
              address,
              e,
              "cannot grow",
              "make room on the server's disk and run the same command again, nothing that was"
                  + " committed is lost");
      case "55P03", "57014", "40P01" ->
          told(
              Problem.BUSY,
              address,
              e,
              "has been locked by another process for more than %d seconds"
                  .formatted(PostgresSession.LOCK_TIMEOUT.toSeconds()),
              "end whatever holds it (another sluice that stands still, a backup, an open"
                  + " transaction) and try again");
      case "XX001", "XX002" ->
          told(Problem.DAMAGED, address, e, "is damaged", "restore it from a backup");
      default ->
          new StoreException(
              Problem.OTHER, "the store " + address + " failed: " + e.getMessage(), e);
    };
  }

  private static StoreException refused(DatabaseAddress address, String why) {
    return new StoreException(Problem.REFUSED, "the database " + address + " " + why, null);
  }

  private static StoreException told(
      Problem problem, DatabaseAddress address, SQLException e, String what, String remedy) {
    return new StoreException(
        problem, "the store %s %s (%s); %s".formatted(address, what, e.getMessage(), remedy), e);
  }

  static StoreException foreign(DatabaseAddress address) {
    return new StoreException(
        Problem.NOT_A_STORE,
        "the schema '%s' of %s cannot be the store: it belongs to another program; name another one"
                .formatted(address.schema(), address)
            + " by ?currentSchema= in the address, or another database",
        null);
  }
}
