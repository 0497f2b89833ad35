package dev.sluice.load.reject;

import dev.sluice.load.input.RawRecord;

/** How rejects are written. Thread-safe. */
sealed interface RejectLayout permits CsvRejects, JsonRejects {

  /** What a file starts with. */
  byte[] head();

  /** A record with what is wrong with it. */
  byte[] line(RawRecord record, String code, String message);
}
