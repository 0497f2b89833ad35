package dev.sluice.runs.store;

import static java.util.Objects.requireNonNullElse;

import dev.sluice.runs.store.StoreException.Problem;
import java.sql.SQLException;
import java.util.Set;

/**
 * Tells from a server's code what is wrong with a database, and what can be done.
 *
 * @param what as people know it: {@code store postgresql://server/database}
 * @param schema which of its schemas is written to: {@code schema 'sluice'}
 */
record PostgresErrors(String what, String schema) {
  /** Stopped, crashed, starting, idle for too long, and a transaction that stood still. */
  private static final Set<String> BROKEN = Set.of("57P01", "57P02", "57P03", "57P05", "25P03");

  /** Whether the connection is gone. */
  static boolean isBroken(SQLException e) {
    String code = code(e);
    return code.startsWith("08") || BROKEN.contains(code);
  }

  private static String code(SQLException e) {
    return requireNonNullElse(e.getSQLState(), "");
  }

  StoreException with(SQLException e) {
    return with(e, "what was not committed is undone, and nothing else is lost");
  }

  /** While a commit is on its way nobody knows whether it arrived. */
  StoreException atCommit(SQLException e) {
    return with(e, "whether the last change was still stored will be seen then");
  }

  private StoreException with(SQLException e, String lost) {
    if (isBroken(e)) {
      return told(
          Problem.UNREACHABLE,
          e,
          "cannot be reached",
          "see that the server runs, and that its address and the network are right, then run the"
              + " same command again; "
              + lost);
    }
    return switch (code(e)) {
      // Their messages name the user, and are left out.
      case "28P01" -> refused("refuses user and password: see that both are right, then try again");
      case "28000" ->
          refused(
              "does not let this user in: see that the user exists, and that the server allows it"
                  + " to log in from here (pg_hba.conf, encryption)");
      case "3D000" -> refused("does not exist: create the database, or correct its name");
      case "42501" ->
          told(
              Problem.REFUSED,
              e,
              "does not let this user do what is needed",
              "let an administrator create the %s with this user as its owner, or grant it CREATE and USAGE there"
                  .formatted(schema));
      case "25006" ->
          told(
              Problem.READ_ONLY,
              e,
              "cannot be written",
              "name the primary server, not a copy of it");
      case "53300" ->
          told(
              Problem.UNREACHABLE,
              e,
              "has too many connections",
              "close others, or raise max_connections, then try again");
      case "53100" ->
          told(
              Problem.DISK_FULL,
              e,
              "cannot grow",
              "the disk is full; make room on the server's disk and run the same command again,"
                  + " nothing that was committed is lost");
      case "55P03", "57014", "40P01", "40001" ->
          told(
              Problem.BUSY,
              e,
              "has been locked by another process for too long",
              "end whatever holds it (another sluice that stands still, a backup, an open"
                  + " transaction) and try again");
      case "XX001", "XX002" -> told(Problem.DAMAGED, e, "is damaged", "restore it from a backup");
      default -> new StoreException(Problem.OTHER, "the " + what + " failed: " + e.getMessage(), e);
    };
  }

  private StoreException refused(String why) {
    return new StoreException(Problem.REFUSED, "the " + what + " " + why, null);
  }

  private StoreException told(Problem problem, SQLException e, String how, String remedy) {
    return new StoreException(
        problem, "the %s %s (%s); %s".formatted(what, how, e.getMessage(), remedy), e);
  }

  /** Without the driver's words: they may have the whole address in them. */
  StoreException noDriver() {
    return new StoreException(
        Problem.OTHER,
        "there is no JDBC driver for the %s; put org.postgresql:postgresql on the class path"
            .formatted(what),
        null);
  }

  StoreException foreign() {
    return new StoreException(
        Problem.NOT_A_STORE,
        "the %s cannot be used: its %s belongs to another program; name another one by"
                .formatted(what, schema)
            + " ?currentSchema= in the address, or another database",
        null);
  }
}
