package dev.sluice.simulator.dataverse.webapi;

import java.util.Locale;

/** What a request asks for, by kind. */
public enum Operation {
  /** Who the caller is, what version this is: nearly free. */
  WHO_AM_I(Kind.LIGHT),
  /** What tables there are and what they look like. */
  METADATA(Kind.LIGHT),
  /** One row is read. */
  RETRIEVE(Kind.READ),
  /** Rows are read. */
  QUERY(Kind.READ),
  /** One row is created. */
  CREATE(Kind.WRITE),
  /** One row is changed. */
  UPDATE(Kind.WRITE),
  /** One row is changed, or created if it is not there. */
  UPSERT(Kind.WRITE),
  /** One row is deleted. */
  DELETE(Kind.WRITE),
  /** Many rows are created by one message. */
  CREATE_MULTIPLE(Kind.BULK),
  /** Many rows are changed by one message. */
  UPDATE_MULTIPLE(Kind.BULK),
  /** Many rows are changed or created by one message. */
  UPSERT_MULTIPLE(Kind.BULK),
  /** Many rows are deleted by one message. */
  DELETE_MULTIPLE(Kind.BULK),
  /** Several requests in one. */
  BATCH(Kind.BATCH),
  /** It could not be understood. */
  INVALID(Kind.LIGHT);

  /** How an operation takes time. */
  public enum Kind {
    LIGHT,
    READ,
    WRITE,
    BULK,
    BATCH
  }

  private final Kind kind;

  Operation(Kind kind) {
    this.kind = kind;
  }

  /** How it takes time. */
  public Kind kind() {
    return kind;
  }

  /** Whether it changes rows, or may. */
  public boolean writes() {
    return kind == Kind.WRITE || kind == Kind.BULK || kind == Kind.BATCH;
  }

  /** Its name in reports and settings: {@code create-multiple}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
