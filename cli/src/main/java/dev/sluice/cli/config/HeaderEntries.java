package dev.sluice.cli.config;

import dev.sluice.config.Node;
import dev.sluice.config.Reading;
import dev.sluice.config.SecretSource;
import dev.sluice.config.Section;
import dev.sluice.dataverse.wire.RequestHeaders;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Headers as the configuration describes them, those that come from elsewhere not yet fetched. No
 * message quotes a value, which may be a secret.
 *
 * @param values by the names of the headers
 */
record HeaderEntries(Map<String, SecretSource> values) {

  /** Reads them; what can be checked before values are fetched is checked. */
  static HeaderEntries read(Section section) {
    Map<String, Integer> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Map<String, SecretSource> values = new LinkedHashMap<>();
    for (Node.Entry entry : section.entries()) {
      String path = section.at(RequestHeaders.printable(entry.key()));
      String wrong = RequestHeaders.wrongName(entry.key());
      Integer before = lines.putIfAbsent(entry.key(), entry.line());
      if (wrong.isEmpty() && before != null) {
        wrong = "is a duplicate key, already in line %d; remove one".formatted(before);
      }
      if (!wrong.isEmpty()) {
        section.reading().mistake(entry.line(), path + " " + wrong);
        continue;
      }
      SecretSource.orWritten(section, entry)
          .filter(
              source ->
                  !(source instanceof SecretSource.Written written)
                      || isValue(section.reading(), entry.key(), written, written.text()))
          .ifPresent(source -> values.put(entry.key(), source));
    }
    return new HeaderEntries(Collections.unmodifiableMap(values));
  }

  /** With their values; mistakes for those that cannot be had or sent. */
  RequestHeaders fetch(Reading reading) {
    Map<String, String> fetched = new LinkedHashMap<>();
    values.forEach(
        (name, source) -> {
          Optional<String> value = source.fetch(reading);
          value
              .filter(text -> isValue(reading, name, source, text))
              .ifPresent(text -> fetched.put(name, text));
        });
    return new RequestHeaders(fetched);
  }

  private static boolean isValue(Reading reading, String name, SecretSource source, String text) {
    String wrong = RequestHeaders.wrong(name, text);
    if (!wrong.isEmpty()) {
      reading.mistake(source.line(), source.path() + " " + wrong);
    }
    return wrong.isEmpty();
  }
}
