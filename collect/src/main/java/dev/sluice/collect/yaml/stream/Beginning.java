package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.runs.bookmark.Mode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where reading begins and ends, by cursor values. Catch-up reads {@code [from, horizon)}; steady
 * work reads from the horizon on, each time a little earlier than it stopped. Immutable.
 *
 * @param cursor empty for a snapshot
 * @param from where catch-up begins; empty for the beginning of all
 */
record Beginning(Optional<CursorRule> cursor, Optional<String> from) {

  /** The value from which a walk is to start, overlap aside; empty for the beginning of all. */
  Optional<String> at(SliceStart start, Optional<String> bookmark) {
    if (cursor.isEmpty()) {
      return Optional.empty();
    }
    return bookmark.or(start.mode() == Mode.CATCH_UP ? this::from : start::horizon);
  }

  /** What is asked for: steady work looks back for records that show up late. */
  Optional<String> asked(SliceStart start, Optional<String> at) {
    return start.mode() == Mode.CATCH_UP || cursor.isEmpty()
        ? at
        : at.map(value -> cursor.get().type().before(value, cursor.get().overlap()));
  }

  /** The same as a part of the request. */
  Map<Spot, String> asking(Optional<String> value) {
    return value
        .flatMap(text -> cursor.flatMap(CursorRule::ask).map(spot -> Map.of(spot, text)))
        .orElse(Map.of());
  }

  /**
   * Looks at a bookmark.
   *
   * @throws IllegalArgumentException if it is no value of the cursor's type
   */
  void check(SliceStart start, Optional<String> bookmark) {
    for (Optional<String> value : List.of(bookmark, start.horizon())) {
      if (cursor.isPresent() && value.isPresent()) {
        String unused = cursor.get().type().sortable(value.get());
      }
    }
  }

  /** The value at and beyond which nothing is read; empty if there is no such. */
  Optional<String> stop(SliceStart start) {
    return start.mode() == Mode.CATCH_UP && cursor.isPresent() ? start.horizon() : Optional.empty();
  }
}
