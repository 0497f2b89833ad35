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

  /** The value, or else the default, without spaces that do not count; null if there is none. */
  @Nullable String value(RawRecord record) {
    if (part == null) {
      return null;
    }
    String value = position < 0 ? null : record.value(position);
    String given = value == null || value.isEmpty() ? part.fallback() : value;
    if (given == null || given.isEmpty()) {
      return null;
    }
    return part.converter().keepsSpaces() ? given : given.strip();
  }

  /** Writes {@code name=value}; false if there is no value, or none that the column can hold. */
  boolean write(RawRecord record, StringBuilder predicate) {
    String value = value(record);
    return part != null && value != null && !value.isEmpty() && part.write(value, predicate);
  }
}
