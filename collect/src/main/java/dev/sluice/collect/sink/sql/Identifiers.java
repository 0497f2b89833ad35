package dev.sluice.collect.sink.sql;

import dev.sluice.collect.sink.NameDigest;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Names of tables and columns, made of names that others chose. They are always quoted, so that a
 * name can have anything in it and is still only a name.
 */
final class Identifiers {
  /** PostgreSQL cuts longer ones off, and says nothing. */
  private static final int MOST_BYTES = 63;

  private static final int DIGEST_BYTES = 4;

  private Identifiers() {}

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Whether a name can be used as it is, beside others that are taken. */
  static boolean fits(String name, Collection<String> taken) {
    return !name.isEmpty()
        && name.indexOf('\0') < 0
        && name.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES
        && taken.stream().noneMatch(name::equalsIgnoreCase);
  }

  /**
   * What can be read of a name, and a digest of all of it: for one that cannot be used as it is.
   */
  static String distinct(String name) {
    StringBuilder readable = new StringBuilder();
    int room = MOST_BYTES - 1 - 2 * DIGEST_BYTES;
    for (int point : name.replace('\0', '_').codePoints().toArray()) {
      room -= Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
      if (room < 0) {
        break;
      }
      readable.appendCodePoint(point);
    }
    return readable.append('~').append(NameDigest.of(name, DIGEST_BYTES)).toString();
  }
}
