package dev.sluice.load.mapping;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids: GUIDs with or without hyphens and braces, written plain and in small letters. */
final class Ids implements Converter {
  static final String EXPECTED = "an id such as 00aa00bb-1234-5678-9abc-00dd00ee00ff is expected";

  @Override
  public boolean write(String value, StringBuilder json) {
    UUID id = parsed(value);
    if (id == null) {
      return false;
    }
    json.append('"').append(id).append('"');
    return true;
  }

  @Override
  public String expected(String value) {
    return EXPECTED;
  }

  /** The id that a text means; null if it means none. */
  static @Nullable UUID parsed(String value) {
    int start = 0;
    int end = value.length();
    if (end > 2 && value.charAt(0) == '{' && value.charAt(end - 1) == '}') {
      start++;
      end--;
    }
    boolean hyphens = end - start == 36;
    if (!hyphens && end - start != 32) {
      return null;
    }
    long high = 0;
    long low = 0;
    int digits = 0;
    for (int i = start; i < end; i++) {
      char c = value.charAt(i);
      if (hyphens && (i - start == 8 || i - start == 13 || i - start == 18 || i - start == 23)) {
        if (c != '-') {
          return null;
        }
        continue;
      }
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        return null;
      }
      if (digits++ < 16) {
        high = (high << 4) | digit;
      } else {
        low = (low << 4) | digit;
      }
    }
    return new UUID(high, low);
  }
}
