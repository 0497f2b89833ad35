package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.request.BodyForm;
import dev.sluice.collect.yaml.request.HeaderFields;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.collect.yaml.text.Template.Scope;
import dev.sluice.config.Section;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code get} or {@code post} of a stream, with {@code query}, {@code headers}, {@code body}.
 */
final class RequestReader {
  private final ConfigRules config;

  RequestReader(ConfigRules config) {
    this.config = config;
  }

  /** How a stream is asked for; empty if it says no path. */
  Optional<RequestRule> read(Section stream, Scope... scopes) {
    boolean posts = stream.has("post");
    if (posts && stream.has("get")) {
      stream.mistake("post", "stands beside get; remove one");
    } else if (!posts && !stream.has("get")) {
      Optional<String> unused = stream.required("get", "the path, such as /items");
    }
    Optional<Template> path = path(stream, posts ? "post" : "get", scopes);
    Map<String, Template> query = templates(stream, "query", scopes);
    Map<String, Template> headers = templates(stream, "headers", scopes);
    Optional<BodyForm> body = body(stream, posts, scopes);
    new BodySpots(stream).check(body);
    return path.map(to -> new RequestRule(to, query, headers, body));
  }

  private Optional<Template> path(Section stream, String key, Scope... scopes) {
    return config
        .template(stream, key, scopes)
        .filter(
            path -> {
              boolean rooted = path.toString().startsWith("/");
              if (!rooted) {
                stream.mistake(
                    key, "is '%s', but a path that begins with / is expected".formatted(path));
              }
              return rooted;
            });
  }

  private Optional<BodyForm> body(Section stream, boolean posts, Scope... scopes) {
    Optional<BodyForm> body = new BodyReader(config, scopes).read(stream, "body");
    if (!posts && stream.has("body")) {
      stream.mistake("body", "is carried by post alone, but the stream has get");
      return Optional.empty();
    }
    return posts ? Optional.of(body.orElse(BodyForm.EMPTY)) : Optional.empty();
  }

  /** The values under a key by their names. */
  Map<String, Template> templates(Section stream, String key, Scope... scopes) {
    Map<String, Template> templates = new LinkedHashMap<>();
    stream
        .section(key)
        .ifPresent(
            section -> {
              for (String name : section.names()) {
                config
                    .template(section, name, scopes)
                    .ifPresent(
                        template -> {
                          if (key.equals("headers")) {
                            HeaderFields.check(section, name);
                          }
                          templates.put(name, template);
                        });
              }
            });
    return templates;
  }
}
