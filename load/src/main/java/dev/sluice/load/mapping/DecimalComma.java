package dev.sluice.load.mapping;

import dev.sluice.load.input.Layout;
import org.jspecify.annotations.Nullable;

/**
 * What speaks for a decimal comma in a CSV file. While nothing does, 1.234 in a column without a
 * declared format has three decimals, as in English files; afterwards it may be 1234, and is not
 * read.
 *
 * <p>For one thread.
 */
final class DecimalComma {
  private @Nullable String reason;
  private long since = -1;
  private long line; // 0 for defaults, which are read first
  private @Nullable String read;
  private long readAt;

  /** Programs separate cells by semicolons where the comma stands before decimals. */
  DecimalComma(Layout layout, Mapping mapping) {
    if (layout.delimiter() == ';') {
      reason = "semicolons separate the cells";
    }
    mapping
        .columns()
        .forEach(
            (name, rule) ->
                rule.number()
                    .filter(format -> format.decimal() == ',')
                    .ifPresent(format -> reason = name + " has " + format.setting()));
  }

  /** Says on which line the values stand that come now. */
  void startLine(long number) {
    line = number;
  }

  /** What speaks for a decimal comma; null for nothing. */
  @Nullable String reason() {
    return reason;
  }

  /** Notes a value whose point may separate thousands, but which was read as having decimals. */
  void hasRead(String value) {
    if (read == null) {
      read = "%s, which was read as %s".formatted(shown(value), value);
      readAt = line;
    }
  }

  /** Notes a value that could not be read, which may be because of its comma. */
  void hasRefused(String value) {
    if (reason == null && isReadBy(',', value) && !isReadBy('.', value)) {
      reason = shown(value);
      since = line;
    }
  }

  private static boolean isReadBy(char decimal, String value) {
    return NumberFormat.FREQUENT.stream()
        .anyMatch(format -> format.decimal() == decimal && Numbers.read(format, value) != null);
  }

  private String shown(String value) {
    return (line == 0 ? "a default is '%s'" : "line %2$d has '%1$s'").formatted(value, line);
  }

  /** What was read above, if it is this line that speaks for a decimal comma; else empty. */
  String remark() {
    return read == null || since != line || readAt == line ? "" : "; " + read;
  }
}
