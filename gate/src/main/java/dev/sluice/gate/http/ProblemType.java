package dev.sluice.gate.http;

import java.util.Optional;

/**
 * The {@code type} of an {@code application/problem+json} body (RFC 9457), found without a JSON
 * parser: the top-level member of that name, as far as the body is there. Anything that is not
 * understood is no type.
 */
final class ProblemType {
  private final String json;
  private int at;

  private ProblemType(String json) {
    this.json = json;
  }

  /** The type as it stands in the body, escapes included; empty if there is none. */
  static String of(Answer answer) {
    if (!answer.hasType("application/problem+json")) {
      return "";
    }
    Optional<String> body = answer.body();
    return body.isPresent() ? new ProblemType(body.get()).find() : "";
  }

  private String find() {
    int depth = 0;
    while (at < json.length()) {
      char c = json.charAt(at++);
      switch (c) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case '"' -> {
          boolean type = string().equals("type") && depth == 1;
          if (type && next(':') && next('"')) {
            return string();
          }
        }
        default -> {}
      }
    }
    return "";
  }

  /** The rest of a string whose opening quote has been read; nothing if it does not end. */
  private String string() {
    int start = at;
    while (at < json.length()) {
      char c = json.charAt(at++);
      if (c == '\\') {
        at++;
      } else if (c == '"') {
        return json.substring(start, at - 1);
      }
    }
    return "";
  }

  private boolean next(char expected) {
    while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
    boolean found = at < json.length() && json.charAt(at) == expected;
    if (found) {
      at++;
    }
    return found;
  }
}
