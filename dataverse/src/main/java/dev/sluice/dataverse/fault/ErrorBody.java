package dev.sluice.dataverse.fault;

import dev.sluice.gate.wire.WebAnswer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The body of an error answer: {@code {"error":{"code":"0x80040217","message":"…"}}}. Immutable.
 *
 * @param code as a signed 32-bit number; 0 if there was none, or none that could be read
 * @param message the service's words; may be empty
 * @param rows what became of each row, as JSON; null unless an elastic table answered and
 *     annotations were asked for
 */
public record ErrorBody(int code, String message, @Nullable String rows) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String ROWS = "BulkApiErrorDetails";

  /** The error that an answer carries; null if its body is something else. */
  public static @Nullable ErrorBody of(WebAnswer answer) {
    if (answer.body().length == 0 || answer.body()[0] == '<') {
      return null;
    }
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), answer.body())) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      for (String name = in.nextName(); name != null; name = in.nextName()) {
        JsonToken token = in.nextToken();
        if (name.equals("error") && token == JsonToken.START_OBJECT) {
          return error(in);
        }
        in.skipChildren();
      }
      return null;
    } catch (JacksonException e) {
      return null; // a page of a gateway, or half an answer: nothing that the service said
    }
  }

  private static ErrorBody error(JsonParser in) {
    int code = 0;
    String message = "";
    String rows = null;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      JsonToken token = in.nextToken();
      if (!token.isScalarValue()) {
        in.skipChildren();
      } else if (name.equals("code")) {
        code = code(in.getString());
      } else if (name.equals("message")) {
        message = in.getString();
      } else if (name.endsWith(ROWS)) {
        rows = in.getString();
      }
    }
    return new ErrorBody(code, message, rows);
  }

  /** Reads {@code 0x80072321}, in letters of any size, or {@code -2147015903}; 0 for all else. */
  static int code(String text) {
    String digits = text.strip();
    try {
      return digits.regionMatches(true, 0, "0x", 0, 2)
          ? (int) Long.parseLong(digits, 2, digits.length(), 16)
          : (int) Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Whether the code is one that only the service gives: its codes start with 0x8. */
  boolean hasOwnCode() {
    return code >>> 28 == 8;
  }

  /** The code as it is always written here: {@code 0x8004A001}; empty for none. */
  public String hexCode() {
    return code == 0 ? "" : "0x%08X".formatted(code);
  }
}
