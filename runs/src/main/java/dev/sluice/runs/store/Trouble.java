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

/** Tells from what the database says what is wrong with its file, and what can be done. */
final class Trouble {
  private static final Pattern SAID_BY_DRIVER = Pattern.compile("\\[SQLITE_\\w+\\][^(]*\\((.+)\\)");

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
              + SqliteStore.LOCK_TIMEOUT.toSeconds()
              + " seconds; end whatever holds it (another sluice, a backup, a database browser)"
              + " and try again",
          e);
    } else if (plain == SQLiteErrorCode.SQLITE_CORRUPT.code) {
      return new StoreException(
          Problem.DAMAGED,
          "the store "
              + file
              + " is damaged ("
              + words(e)
              + "); restore it from a backup, with its -wal file if there is one, or move it away"
              + " to begin anew",
          e);
    } else if (plain == SQLiteErrorCode.SQLITE_IOERR.code) {
      return new StoreException(
          Problem.OTHER,
          "the disk under the store "
              + file
              + " fails ("
              + words(e)
              + "); see that it is there, has room and is a disk of this machine, then run the same"
              + " command again",
          e);
    }
    return new StoreException(
        Problem.OTHER,
        "the store "
            + file
            + " failed ("
            + words(e)
            + "); run the same command again. If it stays so, restore the store from a backup, or name"
            + " another file, with which everything begins anew",
        e);
  }

  /** Without the name of the code, and what the driver says twice. */
  private static String words(Exception e) {
    Matcher told = SAID_BY_DRIVER.matcher(String.valueOf(e.getMessage()));
    return told.matches() ? told.group(1) : String.valueOf(e.getMessage());
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
            + words(e)
            + "); its folder must exist or be creatable, and file and folder must be writable for"
            + " this user: change that, or name another file",
        e);
  }
}
