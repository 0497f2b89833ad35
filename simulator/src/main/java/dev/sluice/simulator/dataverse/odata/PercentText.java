package dev.sluice.simulator.dataverse.odata;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Text as addresses and forms carry it, with bytes written as percent and two digits. */
public final class PercentText {
  private PercentText() {}

  /** What was meant; a percent sign that starts nothing stands for itself. */
  public static String decode(String text, boolean plusIsSpace) {
    if (text.indexOf('%') < 0 && (!plusIsSpace || text.indexOf('+') < 0)) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '%' && i + 2 < raw.length && digit(raw[i + 1]) >= 0 && digit(raw[i + 2]) >= 0) {
        bytes.write(digit(raw[i + 1]) << 4 | digit(raw[i + 2]));
        i += 2;
      } else {
        bytes.write(raw[i] == '+' && plusIsSpace ? ' ' : raw[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int digit(byte character) {
    return Character.digit(character, 16);
  }

  /** Every character but letters, digits and {@code -_.~} as percent and two small digits. */
  public static String encode(String text) {
    StringBuilder encoded = new StringBuilder(text.length() * 2);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xFF);
      if (character < 128
          && (Character.isLetterOrDigit(character) || "-_.~".indexOf(character) >= 0)) {
        encoded.append(character);
      } else {
        encoded.append('%').append(Character.forDigit(character >> 4, 16));
        encoded.append(Character.forDigit(character & 15, 16));
      }
    }
    return encoded.toString();
  }

  /** The fields of a query or form, decoded, in order; of two with one name the last counts. */
  public static Map<String, String> fields(@Nullable String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (text == null) {
      return fields;
    }
    for (String pair : text.split("&", -1)) {
      if (!pair.isEmpty()) {
        int sign = pair.indexOf('=');
        String name = sign < 0 ? pair : pair.substring(0, sign);
        String value = sign < 0 ? "" : pair.substring(sign + 1);
        fields.put(decode(name, true), decode(value, true));
      }
    }
    return fields;
  }
}
