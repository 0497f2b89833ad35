package dev.sluice.dataverse.message;

import java.util.Locale;

/** What is done with every record of a job. */
public enum Operation {
  CREATE,
  UPDATE,
  UPSERT,
  DELETE;

  /** As it is written in options, and in logs. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
