package dev.sluice.runs.gap;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;

/**
 * Whose details are missing: as much as is needed to fetch them later. Immutable.
 *
 * @param collection what a user set up and named
 * @param stream the detail stream
 * @param parentStream the list that the record is of
 * @param recordKey the record's key there. These four tell one gap from another
 * @param split the record's part of that list; empty if it has none
 * @param parent what the detail stream needs to know of the record, as JSON text
 */
public record MissingDetail(
    String collection,
    String stream,
    String parentStream,
    String recordKey,
    String split,
    String parent) {
  /** What a row weighs beside its texts: numbers, times, names. */
  private static final int FRAME = 128;

  public MissingDetail {
    requireNonNull(collection, "collection");
    requireNonNull(stream, "stream");
    requireNonNull(parentStream, "parentStream");
    requireNonNull(recordKey, "recordKey");
    requireNonNull(split, "split");
    requireNonNull(parent, "parent");
  }

  /** What it adds to a page, in bytes. */
  long weight() {
    return FRAME + bytes(recordKey) + bytes(split) + bytes(parent);
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
