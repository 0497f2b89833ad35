package dev.sluice.collect.run;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the requests of a run met. Immutable.
 *
 * @param refused how many a limit of the provider refused
 * @param failed how many failed otherwise, or had no answer
 * @param retries how many were repeated ones
 * @param waited for how long some request was ready and could not be sent, by what it waited for;
 *     what took no time is left out
 */
public record RequestCounts(long refused, long failed, long retries, Map<Wait, Duration> waited) {
  private static final String WAITED = "waited_";
  private static final String MILLISECONDS = "_ms";

  public RequestCounts {
    EnumMap<Wait, Duration> ordered = new EnumMap<>(Wait.class);
    ordered.putAll(waited);
    waited = Collections.unmodifiableMap(ordered);
  }

  /** Nothing yet. */
  static final RequestCounts NONE = new RequestCounts(0, 0, 0, Map.of());

  /** The same by the names under which a store keeps them. */
  public Map<String, Long> named() {
    Map<String, Long> named = new TreeMap<>();
    named.put("refused", refused);
    named.put("failed", failed);
    named.put("retries", retries);
    waited.forEach((wait, length) -> named.put(name(wait), length.toMillis()));
    return named;
  }

  /** Under which name a store keeps how long was waited, in milliseconds. */
  public static String name(Wait wait) {
    return WAITED + wait.wireName() + MILLISECONDS;
  }
}
