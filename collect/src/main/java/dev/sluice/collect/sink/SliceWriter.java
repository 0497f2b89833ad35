package dev.sluice.collect.sink;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes the slices of one track, one after the other: records, then {@link #prepare}, then {@link
 * #commit} inside the transaction that moves the bookmark, then {@link #acknowledge} when that
 * transaction holds. Until it is prepared, a slice can be {@linkplain #giveUp given up}. Used by
 * one task at a time.
 *
 * <p>If the transaction fails, nobody here knows for certain whether the bookmark has moved. The
 * writer can then only be given up and closed: whoever opens the track next tells by the mark.
 */
public interface SliceWriter extends AutoCloseable {

  /**
   * A slice that is durable here although its bookmark was never moved, because the process died in
   * between: where it ended. It is committed as it stands, and nothing is fetched again.
   */
  default Optional<SliceEnd> unacknowledged() {
    return Optional.empty();
  }

  /** What was {@linkplain #note noted} of the unacknowledged slice; empty if nothing was. */
  default String noted() {
    return "";
  }

  /** Takes a record of a stream. */
  void write(String stream, CollectedRecord record) throws IOException, InterruptedException;

  /**
   * Tells what else belongs to the slice, before it is prepared: kept with it by sinks that make
   * slices durable before bookmarks move, because whoever comes next must know it.
   */
  default void note(String facts) {}

  /**
   * Makes what was written since the last commit durable, as far as that can be done outside of the
   * store.
   *
   * @param end where the slice ended
   * @return what the sink needs to go on from here; kept with the bookmark
   */
  String prepare(SliceEnd end) throws IOException, InterruptedException;

  /** Joins the transaction that moves the bookmark; for sinks that live in the store. */
  default void commit(Transaction transaction) {}

  /**
   * Told that the bookmark has moved: the transaction of {@link #commit} holds. The next slice may
   * be written.
   */
  default void acknowledge() throws IOException {}

  /**
   * Forgets what was written since the last commit. A slice that is prepared already stays as it
   * is, and nothing more can be written: see above.
   */
  void giveUp() throws IOException;

  /** Ends the writing; what was committed is complete and can be read by others. */
  @Override
  void close() throws IOException;
}
