package dev.sluice.simulator.provider.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a call asks for: the segments of its path, and its parameters.
 *
 * @param segments decoded, without empty ones
 * @param parameters decoded; of several with one name, the last
 */
record Target(List<String> segments, Map<String, String> parameters) {

  /** Takes a target apart. */
  static Target parse(String text) {
    int mark = text.indexOf('?');
    String path = mark < 0 ? text : text.substring(0, mark);
    return new Target(
        List.of(path.split("/", -1)).stream()
            .filter(segment -> !segment.isEmpty())
            .map(Target::decoded)
            .toList(),
        form(mark < 0 ? "" : text.substring(mark + 1)));
  }

  /** Takes a query, or a form, apart. */
  static Map<String, String> form(String text) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (!pair.isEmpty()) {
        parameters.put(
            decoded(equals < 0 ? pair : pair.substring(0, equals)),
            equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw new MistakenCall(400, "malformed_address", "a % in the address stands for nothing");
    }
  }

  Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  /** A whole number, or {@code otherwise} if there is none. */
  long number(String name, long otherwise, long least, long most) {
    String text = parameters.get(name);
    if (text == null) {
      return otherwise;
    }
    if (text.matches("[0-9]{1,15}")) {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new MistakenCall(
        400,
        "invalid_parameter",
        "%s is '%s', but must be %d to %d".formatted(name, abridged(text), least, most));
  }

  static String abridged(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
