package dev.sluice.runs.evidence;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.WireName;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Something that happened in a run, safe to show. Immutable.
 *
 * @param id grows with every piece of evidence
 * @param run in which it happened; {@link EvidenceLog#NO_RUN} if a person acted between runs
 * @param at when, on the store's clock
 * @param facts by their wire names
 */
public record Evidence(long id, long run, Instant at, Kind kind, SortedMap<String, String> facts) {
  public Evidence {
    requireNonNull(at, "at");
    requireNonNull(kind, "kind");
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }

  /** What kind of thing happened. Stable wire names. */
  public enum Kind implements WireName {
    /** The lane's circuit opened, closed, or let probes through. */
    CIRCUIT_MOVED,
    /** The provider asked to wait. */
    LANE_HELD,
    /** Nothing is sent any more until a person acts. */
    LANE_STOPPED,
    /** A person has acted. */
    LANE_REOPENED,
    /** The provider is left alone beyond the end of the run. */
    COOLDOWN_ARMED,
    /** A person went on in spite of that. */
    COOLDOWN_OVERRIDDEN,
    /** The provider answers again. */
    COOLDOWN_CLEARED,
    /** A slice was left before its end; it is read again later. */
    SLICE_GIVEN_UP,
    /** Something is missing, and will be fetched later. */
    GAP_NOTED,
    /** It was fetched. */
    GAP_CLOSED,
    /** Some details were refused too often, and wait for a person. */
    GAP_QUARANTINED,
    /** A person let a track begin anew. */
    BOOKMARK_RESET;

    /** What it always says. */
    public Set<Fact> required() {
      return switch (this) {
        case CIRCUIT_MOVED -> EnumSet.of(Fact.PREVIOUS_STATE, Fact.STATE, Fact.TRIGGER);
        case LANE_HELD -> EnumSet.of(Fact.HELD_MS);
        case LANE_STOPPED, SLICE_GIVEN_UP, GAP_NOTED -> EnumSet.of(Fact.REASON);
        case COOLDOWN_ARMED -> EnumSet.of(Fact.REASON, Fact.HELD_MS, Fact.CONSECUTIVE);
        case BOOKMARK_RESET -> EnumSet.of(Fact.STREAM, Fact.MODE);
        case LANE_REOPENED -> EnumSet.of(Fact.LANE);
        case COOLDOWN_OVERRIDDEN, COOLDOWN_CLEARED, GAP_CLOSED, GAP_QUARANTINED ->
            EnumSet.noneOf(Fact.class);
      };
    }

    /** What it may say besides. */
    public Set<Fact> optional() {
      return switch (this) {
        case CIRCUIT_MOVED ->
            EnumSet.of(Fact.REASON, Fact.ELAPSED_MS, Fact.REQUESTS, Fact.RETRY_TOKENS);
        case COOLDOWN_OVERRIDDEN -> EnumSet.of(Fact.REASON, Fact.HELD_MS, Fact.CONSECUTIVE);
        case SLICE_GIVEN_UP -> EnumSet.of(Fact.STREAM, Fact.MODE, Fact.REQUESTS);
        case GAP_NOTED -> EnumSet.of(Fact.STREAM, Fact.MODE, Fact.COUNT);
        case GAP_CLOSED, GAP_QUARANTINED ->
            EnumSet.of(Fact.REASON, Fact.STREAM, Fact.MODE, Fact.COUNT);
        case COOLDOWN_CLEARED -> EnumSet.of(Fact.CONSECUTIVE);
        case LANE_HELD, LANE_REOPENED -> EnumSet.of(Fact.REASON);
        case LANE_STOPPED, COOLDOWN_ARMED, BOOKMARK_RESET -> EnumSet.noneOf(Fact.class);
      };
    }

    static Kind named(String wireName) {
      return Stream.of(values())
          .filter(kind -> kind.wireName().equals(wireName))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "there is no kind of evidence named '" + wireName + "'"));
    }
  }

  /** As the store keeps facts: {@code name=value}, with blanks between; neither has any. */
  static String encoded(Map<String, String> facts) {
    return facts.entrySet().stream()
        .map(fact -> fact.getKey() + "=" + fact.getValue())
        .collect(Collectors.joining(" "));
  }

  static SortedMap<String, String> decoded(String text) {
    SortedMap<String, String> facts = new TreeMap<>();
    for (String fact : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      int equals = fact.indexOf('=');
      facts.put(fact.substring(0, equals), fact.substring(equals + 1));
    }
    return facts;
  }
}
