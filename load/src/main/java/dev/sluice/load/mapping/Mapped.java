package dev.sluice.load.mapping;

import dev.sluice.dataverse.message.Item;
import dev.sluice.load.Rejection;

/** What became of a record. Immutable. */
public sealed interface Mapped {

  /**
   * It can be sent.
   *
   * @param links what ties it to other rows of the same input
   */
  record Ready(Item item, Links links) implements Mapped {}

  /**
   * It is turned away.
   *
   * @param links as far as they could be read: others may mean this row
   */
  record Rejected(Rejection rejection, Links links) implements Mapped {}
}
