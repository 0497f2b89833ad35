package dev.sluice.simulator.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Header fields in the order in which they were added; a name may occur more than once and is
 * compared without regard to case. Not thread-safe.
 */
public final class Headers {
  // Names and values in turn: a request has a dozen, and is asked for a few.
  private final List<String> fields = new ArrayList<>(24);

  /** These fields, names and values in turn. */
  public static Headers of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("a name without a value: " + namesAndValues.length);
    }
    Headers headers = new Headers();
    headers.fields.addAll(List.of(namesAndValues));
    return headers;
  }

  /** Adds a field, beside others of that name. */
  public Headers add(String name, String value) {
    fields.add(name);
    fields.add(value);
    return this;
  }

  /** The first value of that name; null without one. */
  public @Nullable String first(String name) {
    for (int i = 0; i < fields.size(); i += 2) {
      if (fields.get(i).equalsIgnoreCase(name)) {
        return fields.get(i + 1);
      }
    }
    return null;
  }

  /** All values of that name. */
  public List<String> all(String name) {
    List<String> values = new ArrayList<>();
    forEach(
        (each, value) -> {
          if (each.equalsIgnoreCase(name)) {
            values.add(value);
          }
        });
    return values;
  }

  /** Shows every field, in order. */
  public void forEach(BiConsumer<String, String> visitor) {
    for (int i = 0; i < fields.size(); i += 2) {
      visitor.accept(fields.get(i), fields.get(i + 1));
    }
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
