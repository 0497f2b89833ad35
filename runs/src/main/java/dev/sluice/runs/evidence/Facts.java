package dev.sluice.runs.evidence;

import dev.sluice.control.signal.WireName;
import dev.sluice.runs.run.Reason;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Some facts. Immutable: each one that is added gives others.
 *
 * <p>There is no way to add free text.
 */
public final class Facts {
  /** None. */
  public static final Facts NONE = new Facts(new EnumMap<>(Fact.class));

  private final Map<Fact, String> values;

  private Facts(Map<Fact, String> values) {
    this.values = values;
  }

  /** These, and a word of the program's own. */
  public Facts with(Fact fact, WireName word) {
    return with(fact, word.wireName());
  }

  /** These, and a reason. */
  public Facts with(Reason reason) {
    return with(Fact.REASON, reason.wireName());
  }

  /** These, and a number; 0 or more. */
  public Facts with(Fact fact, long number) {
    return with(fact, Long.toString(number));
  }

  /** These, and a span of time in whole milliseconds, as many as a number can hold. */
  public Facts with(Fact fact, Duration span) {
    Duration longest = Duration.ofMillis(Long.MAX_VALUE);
    return with(fact, (span.compareTo(longest) > 0 ? longest : span).toMillis());
  }

  /**
   * These, and a kind of record. Connectors name them as they like: a name that is no word is left
   * out of it, and the stream is called "unnamed".
   */
  public Facts withStream(String name) {
    return with(Fact.STREAM, Fact.isWord(name) ? name : Fact.UNNAMED);
  }

  private Facts with(Fact fact, String value) {
    if (!fact.fits(value)) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be %s"
              .formatted(
                  fact.wireName(),
                  value,
                  fact.isNumber() ? "a number from 0 upwards" : "a word of lower-case letters"));
    }
    Map<Fact, String> more = new EnumMap<>(values);
    more.put(fact, value);
    return new Facts(more);
  }

  Set<Fact> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /** By their wire names. */
  SortedMap<String, String> byName() {
    SortedMap<String, String> named = new TreeMap<>();
    values.forEach((fact, value) -> named.put(fact.wireName(), value));
    return named;
  }

  /** For people and tests: {@code reason=x stream=y}. */
  @Override
  public String toString() {
    return Evidence.encoded(byName());
  }
}
