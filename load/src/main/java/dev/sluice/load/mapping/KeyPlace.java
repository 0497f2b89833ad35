package dev.sluice.load.mapping;

import dev.sluice.load.input.RawRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of an alternate key, and where its values stand. */
final class KeyPlace {
  final String column;

  /** Of the input's column; -1 if the input has none. */
  int position = -1;

  Slot.@Nullable KeyPart part;

  private KeyPlace(String column) {
    this.column = column;
  }

  /** The parts of a key. */
  static KeyPlace[] of(List<String> columns) {
    return columns.stream().map(KeyPlace::new).toArray(KeyPlace[]::new);
  }

  /** Says where the values of a part stand. */
  static void put(KeyPlace[] key, Slot.KeyPart part, int position) {
    for (KeyPlace place : key) {
      if (part.name().equals(place.column) || part.name().equals("_" + place.column + "_value")) {
        place.position = position;
        place.part = part;
      }
    }
  }

  /** Writes {@code name=value}; false if there is no value, or none that the column can hold. */
  boolean write(RawRecord record, StringBuilder predicate) {
    if (part == null) {
      return false;
    }
    String value = position < 0 ? null : record.value(position);
    String given = value == null || value.isEmpty() ? part.fallback() : value;
    String meant = given == null || part.converter().keepsSpaces() ? given : given.strip();
    return meant != null && !meant.isEmpty() && part.write(meant, predicate);
  }
}
