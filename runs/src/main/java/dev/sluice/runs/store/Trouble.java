package dev.sluice.runs.store;

import dev.sluice.runs.store.StoreException.Problem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/** Tells from what the database says what is wrong with its file, and what can be done. */
final class Trouble {
  private Trouble() {}

  /** Whether somebody else has what is asked for, for now. */
  static boolean isBusy(SQLException e) {
    return plain(e) == SQLiteErrorCode.SQLITE_BUSY.code
        || plain(e) == SQLiteErrorCode.SQLITE_LOCKED.code;
  }

  /** Extended codes carry the plain one in their last byte. */
  private static int plain(SQLException e) {
    return e.getErrorCode() & 0xff;
  }

  static StoreException with(String file, SQLException e) {
    int plain = plain(e);
    if (plain == SQLiteErrorCode.SQLITE_NOTADB.code) {
      return notAStore(file, "it is no database", e);
    } else if (plain == SQLiteErrorCode.SQLITE_FULL.code
        || e.getErrorCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE.code) {
      return full(file, e);
    } else if (plain == SQLiteErrorCode.SQLITE_READONLY.code
        || plain == SQLiteErrorCode.SQLITE_CANTOPEN.code
        || plain == SQLiteErrorCode.SQLITE_PERM.code) {
      return readOnly(file, e);
    } else if (isBusy(e)) {
      return new StoreException(
          Problem.BUSY,
          "the store "
              + file
              + " has been locked by another process for more than "
              + SqliteStore.PATIENCE.toSeconds()
              + " seconds; end whatever holds it (another sluice, a backup, a database browser)"
              + " and try again",
          e);
    } else if (plain == SQLiteErrorCode.SQLITE_CORRUPT.code) {
      return new StoreException(
          Problem.DAMAGED,
          "the store "
              + file
              + " is damaged ("
              + e.getMessage()
              + "); restore it from a backup, with its -wal file if there is one, or move it away"
              + " to begin anew",
          e);
    }
    return new StoreException(Problem.OTHER, "the store " + file + " failed: " + e.getMessage(), e);
  }

  static StoreException with(String file, IOException e) {
    String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (why.contains("no space left") || why.contains("quota exceeded")) {
      return full(file, e);
    }
    return e instanceof FileSystemException
        ? readOnly(file, e)
        : new StoreException(Problem.OTHER, "the store " + file + " failed: " + e, e);
  }

  static StoreException notAStore(String file, String why, @Nullable Exception e) {
    return new StoreException(
        Problem.NOT_A_STORE,
        file + " cannot be the store: " + why + "; name another file, or move this one away",
        e);
  }

  static StoreException newerSchema(String file, long found, int known) {
    return new StoreException(
        Problem.NEWER_SCHEMA,
        "the store "
            + file
            + " was written by a newer version (its schema is "
            + found
            + ", this version knows "
            + known
            + "); use that version, or name another store",
        null);
  }

  private static StoreException full(String file, Exception e) {
    return new StoreException(
        Problem.DISK_FULL,
        "the disk is full: the store "
            + file
            + " cannot grow; make room and run the same command again, nothing that was committed"
            + " is lost",
        e);
  }

  private static StoreException readOnly(String file, Exception e) {
    return new StoreException(
        Problem.READ_ONLY,
        "the store "
            + file
            + " cannot be written ("
            + e.getMessage()
            + "); its folder must exist or be creatable, and file and folder must be writable for"
            + " this user: change that, or name another file",
        e);
  }
}
