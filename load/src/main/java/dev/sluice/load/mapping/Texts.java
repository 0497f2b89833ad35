package dev.sluice.load.mapping;

/** Texts: any characters that the service stores, up to a length. */
final class Texts implements Converter {
  private final int maxLength;

  /**
   * Texts of a column.
   *
   * @param maxLength in UTF-16 units, as the service counts; 0 for any
   */
  Texts(int maxLength) {
    this.maxLength = maxLength;
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    return (maxLength == 0 || value.length() <= maxLength) && quote(value, json);
  }

  /**
   * Writes a JSON string.
   *
   * @return false at a character that XML cannot hold, and so the service neither: a control
   *     character, or half of a pair
   */
  static boolean quote(String value, StringBuilder json) {
    json.append('"');
    int written = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\' && c < Character.MIN_SURROGATE) {
        continue;
      }
      if (c >= Character.MIN_SURROGATE) {
        if (Character.isSurrogate(c)) {
          if (!Character.isHighSurrogate(c)
              || i + 1 == value.length()
              || !Character.isLowSurrogate(value.charAt(i + 1))) {
            return false;
          }
          i++;
        } else if (c >= '\uFFFE') {
          return false;
        }
        continue;
      }
      char escape =
          switch (c) {
            case '"', '\\' -> c;
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 0;
          };
      if (escape == 0) {
        return false;
      }
      json.append(value, written, i).append('\\').append(escape);
      written = i + 1;
    }
    json.append(value, written, value.length()).append('"');
    return true;
  }

  @Override
  public String expected(String value) {
    return maxLength > 0 && value.length() > maxLength
        ? "at most %,d characters are expected, and it has %,d".formatted(maxLength, value.length())
        : "no control characters or halves of characters are expected";
  }

  @Override
  public boolean keepsSpaces() {
    return true;
  }
}
