package dev.sluice.load.mapping;

import dev.sluice.dataverse.message.Item;
import dev.sluice.load.Rejection;

/** What became of a record. Immutable. */
public sealed interface Mapped {

  /** It can be sent. */
  record Ready(Item item) implements Mapped {}

  /** It is turned away. */
  record Rejected(Rejection rejection) implements Mapped {}
}
