package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Source;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A token with which a provider tells what has changed since it issued it. Immutable.
 *
 * @param source where answers have it
 * @param ask where a request says it
 * @param begin query parameters for as long as there is none
 * @param expired with which statuses a provider says that it no longer honours one
 * @param startsAnew whether everything is read again then; otherwise the stream fails
 */
record TokenRule(
    Source source,
    Spot ask,
    Map<String, Template> begin,
    List<Integer> expired,
    boolean startsAnew) {

  /**
   * What a request says besides its page.
   *
   * @param page what asks for the page; one that goes by the same name stands in for the token
   */
  Map<Spot, String> asking(Optional<String> token, Map<Spot, String> page, Names names)
      throws ProviderException {
    Map<Spot, String> asked = new LinkedHashMap<>();
    if (token.isPresent()) {
      asked.put(ask, token.get());
    } else if (!page.containsKey(ask)) {
      for (Map.Entry<String, Template> each : begin.entrySet()) {
        asked.put(new Spot(Spot.Kind.QUERY, each.getKey(), false), each.getValue().render(names));
      }
    }
    asked.putAll(page);
    return asked;
  }
}
