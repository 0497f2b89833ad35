package dev.sluice.collect.connector;

import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A kind of record that is fetched for each record of a list, its parent. Thread-safe. */
public interface DetailStream {

  /** What sinks have to know of it. */
  StreamShape shape();

  /** Whether there is anything to fetch for this parent. */
  boolean wants(CollectedRecord parent);

  /**
   * As much of a parent as {@link #read} needs: kept if the details cannot be had now. Small, and
   * safe to keep.
   */
  ObjectNode remembered(CollectedRecord parent);

  /**
   * What changes when the details of a parent do: while the list looks back and hands on the same
   * parent again, details that were had for the same edition are not fetched again. Empty: they are
   * fetched whenever the parent comes.
   */
  default Optional<String> edition(CollectedRecord parent) {
    return Optional.empty();
  }

  /** Whether an answer with this status says that there is nothing to be had, ever. */
  default boolean isGone(int status) {
    return status == 404 || status == 410;
  }

  /**
   * Reads all details of one parent.
   *
   * @param split the parent's
   * @param parent what was {@linkplain #remembered remembered} of it
   * @throws ProviderException if the provider's answer ends it
   * @throws ReadAgainException if the records handed on so far are void
   * @throws IOException if no answer came, or a record could not be kept
   */
  void read(String split, ObjectNode parent, Requests requests, Records records)
      throws ProviderException, ReadAgainException, IOException, InterruptedException;
}
