package dev.sluice.runs.store;

import dev.sluice.runs.store.StoreException.Problem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/**
 * Tells from what SQLite says what is wrong with a database's file, and what can be done.
 *
 * @param what as people know it: {@code store state.db}
 */
record SqliteErrors(String what) {
  private static final Pattern SAID_BY_DRIVER = Pattern.compile("\\[SQLITE_\\w+\\][^(]*\\((.+)\\)");

  /** Whether somebody else has what is asked for, for now. */
  static boolean isBusy(SQLException e) {
    return plain(e) == SQLiteErrorCode.SQLITE_BUSY || plain(e) == SQLiteErrorCode.SQLITE_LOCKED;
  }

  /** Extended codes carry the plain one in their last byte. */
  private static SQLiteErrorCode plain(SQLException e) {
    return SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff);
  }

  StoreException with(SQLException e) {
    if (e.getErrorCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE.code) {
      return full(e);
    }
    return switch (plain(e)) {
      case SQLITE_NOTADB -> notAStore("it is no database", e);
      case SQLITE_FULL -> full(e);
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM -> readOnly(e);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          new StoreException(
              Problem.BUSY,
              "the %s has been locked by another process for more than %d seconds; end whatever holds it (another sluice, a backup, a database browser) and try again"
                  .formatted(what, SqliteDialect.LOCK_TIMEOUT.toSeconds()),
              e);
      case SQLITE_CORRUPT ->
          new StoreException(
              Problem.DAMAGED,
              "the %s is damaged (%s); restore it from a backup, with its -wal file if there is one, or move it away to begin anew"
                  .formatted(what, words(e)),
              e);
      case SQLITE_IOERR ->
          new StoreException(
              Problem.OTHER,
              "the disk under the %s fails (%s); see that it is there, has room and is a disk of this machine, then run the same command again"
                  .formatted(what, words(e)),
              e);
      default ->
          new StoreException(
              Problem.OTHER,
              "the %s failed (%s); run the same command again. If it stays so, restore it from a backup, or name another file, with which everything begins anew"
                  .formatted(what, words(e)),
              e);
    };
  }

  /** Without the name of the code, and what the driver says twice. */
  private static String words(Exception e) {
    Matcher told = SAID_BY_DRIVER.matcher(String.valueOf(e.getMessage()));
    return told.matches() ? told.group(1) : String.valueOf(e.getMessage());
  }

  StoreException with(IOException e) {
    String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (why.contains("no space left") || why.contains("quota exceeded")) {
      return full(e);
    }
    return e instanceof FileSystemException
        ? readOnly(e)
        : new StoreException(Problem.OTHER, "the %s failed: %s".formatted(what, e), e);
  }

  StoreException notAStore(String why, @Nullable Exception e) {
    return new StoreException(
        Problem.NOT_A_STORE,
        "the %s cannot be used: %s; name another file, or move this one away".formatted(what, why),
        e);
  }

  private StoreException full(Exception e) {
    return new StoreException(
        Problem.DISK_FULL,
        "the disk is full: the %s cannot grow; make room and run the same command again, nothing that was committed is lost"
            .formatted(what),
        e);
  }

  private StoreException readOnly(Exception e) {
    return new StoreException(
        Problem.READ_ONLY,
        "the %s cannot be written (%s); its folder must exist, and file and folder must be writable for this user: change that, or name another file"
            .formatted(what, words(e)),
        e);
  }
}
