package dev.sluice.collect.yaml;

import dev.sluice.collect.yaml.auth.AuthReader;
import dev.sluice.collect.yaml.auth.AuthRule;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.request.HeaderFields;
import dev.sluice.collect.yaml.request.Revalidation;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.config.Durations;
import dev.sluice.config.Section;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is the same for all requests to a provider. Immutable.
 *
 * @param line of the base, for messages
 * @param lane what shares one pace, if it is not the host
 * @param revalidate by what a page is known to have changed; empty if it is always sent again
 */
record ProviderRule(
    int line,
    Template base,
    AuthRule auth,
    Map<String, Template> headers,
    Duration timeout,
    Optional<Template> lane,
    Optional<Revalidation.By> revalidate) {
  private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

  static Optional<ProviderRule> read(Section root, ConfigRules config) {
    Optional<Section> provider = root.requiredSection("provider", "where and how it is asked");
    if (provider.isEmpty()) {
      return Optional.empty();
    }
    try (Section section = provider.get()) {
      Optional<String> unused =
          section.required("base", "its address, such as https://api.shop.example/v2");
      Optional<Template> base = config.template(section, "base");
      AuthRule auth = new AuthReader(config).read(section);
      Map<String, Template> headers = headers(section, config);
      Duration timeout = section.read("timeout", Durations::parsePositive).orElse(USUAL_TIMEOUT);
      Optional<Template> lane = config.template(section, "lane");
      Optional<Revalidation.By> revalidate =
          section
              .word("revalidate", List.of("etag", "last-modified", "none"))
              .filter(word -> !word.equals("none"))
              .map(
                  word ->
                      word.equals("etag") ? Revalidation.By.ETAG : Revalidation.By.LAST_MODIFIED);
      return base.map(
          address ->
              new ProviderRule(
                  section.line("base"), address, auth, headers, timeout, lane, revalidate));
    }
  }

  private static Map<String, Template> headers(Section provider, ConfigRules config) {
    Map<String, Template> headers = new LinkedHashMap<>();
    provider
        .section("headers")
        .ifPresent(
            section -> {
              for (String name : section.names()) {
                config
                    .template(section, name)
                    .ifPresent(
                        value -> {
                          HeaderFields.check(section, name);
                          headers.put(name, value);
                        });
              }
            });
    return headers;
  }
}
