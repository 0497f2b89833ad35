package dev.sluice.runs.store;

import dev.sluice.control.signal.WireName;
import org.jspecify.annotations.Nullable;

/** The store cannot do what it was asked. The message says which one, why, and what to do. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Problem implements WireName {
    /** The file is no database, or one of something else. */
    NOT_A_STORE,
    /** A newer version of this program has written it. */
    NEWER_SCHEMA,
    /** File or folder may not be written. */
    READ_ONLY,
    /** The disk is full. */
    DISK_FULL,
    /** The database server does not answer, or broke off. */
    UNREACHABLE,
    /** The database server does not let this user in, or not do what is needed. */
    REFUSED,
    /** Another process has it, and does not let go. */
    BUSY,
    /** The database is damaged. */
    DAMAGED,
    /** Something else. */
    OTHER
  }

  private final Problem problem;

  public StoreException(Problem problem, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.problem = problem;
  }

  /** What is wrong. */
  public Problem problem() {
    return problem;
  }
}
