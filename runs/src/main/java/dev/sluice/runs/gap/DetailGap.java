package dev.sluice.runs.gap;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.WireName;
import dev.sluice.runs.run.Reason;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * One record whose details are missing. Immutable: the row as it was when it was read.
 *
 * @param stream the detail stream
 * @param parentStream the list that the record is of
 * @param recordKey the record's key there
 * @param split the record's part of that list; empty if it has none
 * @param parent what the detail stream needs to know of the record, as JSON text; empty once the
 *     details were had
 * @param version how often the gap has been noted: it rises whenever the record is seen again
 * @param reason why the details are missing, by its wire name
 * @param tries how many requests were really sent for it
 * @param failures how many of them a healthy provider answered against this record alone
 * @param firstSeen since when they are missing
 * @param due when the next try may be made
 */
public record DetailGap(
    long id,
    String collection,
    String stream,
    String parentStream,
    String recordKey,
    String split,
    String parent,
    long version,
    State state,
    String reason,
    int tries,
    int failures,
    Instant firstSeen,
    Instant due) {
  public DetailGap {
    requireNonNull(collection, "collection");
    requireNonNull(stream, "stream");
    requireNonNull(parentStream, "parentStream");
    requireNonNull(recordKey, "recordKey");
    requireNonNull(split, "split");
    requireNonNull(parent, "parent");
    requireNonNull(state, "state");
    requireNonNull(reason, "reason");
    requireNonNull(firstSeen, "firstSeen");
    requireNonNull(due, "due");
  }

  /**
   * Whether the details are missing because of a throttle whose time is not over: nobody is to ask
   * for them before, although their record may be seen again.
   */
  public boolean isPutOff(Instant now) {
    return state == State.PENDING
        && reason.equals(Reason.Pressure.RATE_LIMITED.wireName())
        && due.isAfter(now);
  }

  /** Whether the details are missing, and have failed alone. */
  public boolean hasFailed() {
    return state != State.RECOVERED && failures > 0;
  }

  /** What is being done about a gap. Stable wire names. */
  public enum State implements WireName {
    /** It waits for its turn. */
    PENDING,
    /** A run has it, for a while. */
    LEASED,
    /** The details were had, and are durable. */
    RECOVERED,
    /** There are none, for good. */
    GONE,
    /** Too often refused; a person has to look at it. */
    QUARANTINED;

    /** Whether something is missing, and not known to be gone for good. */
    public boolean isOpen() {
      return switch (this) {
        case PENDING, LEASED, QUARANTINED -> true;
        case RECOVERED, GONE -> false;
      };
    }

    /**
     * The state with a wire name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static State named(String wireName) {
      return Stream.of(values())
          .filter(state -> state.wireName().equals(wireName))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "there is no state of a gap named '" + wireName + "'"));
    }
  }
}
