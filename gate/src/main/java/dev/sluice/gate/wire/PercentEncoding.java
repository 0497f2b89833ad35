package dev.sluice.gate.wire;

import java.nio.charset.StandardCharsets;

/** How text stands in an address. */
public final class PercentEncoding {
  private static final String PLAIN = "-._~'()*,;=:@$!";

  private PercentEncoding() {}

  /** The text as one segment of a path, or as the value of a query option. */
  public static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xFF);
      if (isPlain(character)) {
        encoded.append(character);
      } else {
        encoded.append('%').append("%02X".formatted((int) character));
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(char character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || PLAIN.indexOf(character) >= 0;
  }
}
