package dev.sluice.dataverse.message;

import dev.sluice.dataverse.fault.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of the items of one message. Immutable. */
public sealed interface Result {

  /** All are in. */
  record Done() implements Result {}

  /** None is in, or nobody knows ({@link Fault.UnknownOutcome}): the fault is that of the whole. */
  record Refused(Fault fault) implements Result {}

  /**
   * Each has an outcome of its own.
   *
   * @param faults in the order of the items; null for one that is in
   */
  record Each(List<@Nullable Fault> faults) implements Result {
    public Each {
      faults = Collections.unmodifiableList(new ArrayList<>(faults)); // List.copyOf takes no nulls
    }
  }
}
