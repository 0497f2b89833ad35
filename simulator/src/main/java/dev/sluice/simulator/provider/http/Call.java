package dev.sluice.simulator.provider.http;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A request to a provider.
 *
 * @param method in capitals
 * @param target the path, and the query if there is one, as they go over the wire
 * @param headers one value each; their names in any case
 * @param body empty if there is none
 */
public record Call(String method, String target, Map<String, String> headers, String body) {
  public Call {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = Collections.unmodifiableMap(anyCase);
  }

  /** A GET without headers. */
  public static Call get(String target) {
    return new Call("GET", target, Map.of(), "");
  }

  /** A POST without headers. */
  public static Call post(String target, String body) {
    return new Call("POST", target, Map.of(), body);
  }

  /** The same with one more header. */
  public Call with(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new Call(method, target, more, body);
  }

  /** A header's value, if there is one. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }
}
