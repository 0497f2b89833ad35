package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.request.BodyForm;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.text.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a stream is asked for, apart from what all streams of its provider share. Immutable.
 *
 * @param body the JSON that a POST carries; empty for a GET
 */
record RequestRule(
    Template path,
    Map<String, Template> query,
    Map<String, Template> headers,
    Optional<BodyForm> body) {

  /** The same at a provider. */
  RequestForm at(RequestForm provider) {
    Map<String, Template> fields = new LinkedHashMap<>(provider.headers());
    fields.putAll(headers);
    return new RequestForm(
        provider.base(), path, query, fields, body, provider.timeout(), provider.hidden());
  }

  /** Everything in which something is filled in. */
  List<Template> templates() {
    List<Template> all = new ArrayList<>(List.of(path));
    all.addAll(query.values());
    all.addAll(headers.values());
    body.ifPresent(form -> all.addAll(form.templates()));
    return all;
  }
}
