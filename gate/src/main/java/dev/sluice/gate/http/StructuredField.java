package dev.sluice.gate.http;

import java.util.List;
import java.util.Map;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Structured fields (RFC 8941), within bounds: 16 members and 1 KiB (H.N8 in docs/traceability.md).
 * The bounds come first because the parser's time grows with the square of what it is given.
 */
final class StructuredField {
  private static final int MOST_MEMBERS = 16;
  private static final int LONGEST = 1024;

  private StructuredField() {}

  /** A list over several field lines; null if it is malformed or out of bounds. */
  static @Nullable List<ListElement<?>> list(List<String> lines) {
    String field = joined(lines);
    if (field == null) {
      return null;
    }
    try {
      List<ListElement<?>> members = Parser.parseList(field).get();
      return members.size() > MOST_MEMBERS ? null : members;
    } catch (ParseException malformed) {
      return null;
    }
  }

  /** A dictionary over several field lines; null if it is malformed or out of bounds. */
  static @Nullable Map<String, ListElement<?>> dictionary(List<String> lines) {
    String field = joined(lines);
    if (field == null) {
      return null;
    }
    try {
      Map<String, ListElement<?>> members = Parser.parseDictionary(field).get();
      return members.size() > MOST_MEMBERS ? null : members;
    } catch (ParseException malformed) {
      return null;
    }
  }

  /** An integer as the text that the rules for numbers read; empty if it is anything else. */
  static List<String> integer(@Nullable Object item) {
    return item instanceof IntegerItem number
        ? List.of(Long.toString(number.getAsLong()))
        : List.of();
  }

  private static @Nullable String joined(List<String> lines) {
    int length = 0;
    for (String line : lines) {
      length += line.length() + 1;
      if (length > LONGEST + 1) {
        return null;
      }
    }
    return String.join(",", lines);
  }
}
