package dev.sluice.collect.yaml.auth;

import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.document.Section;
import dev.sluice.collect.yaml.text.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code provider.auth}. */
public final class AuthReader {
  private static final List<String> KINDS =
      List.of("bearer", "basic", "header", "query", "oauth2", "pool");

  private static final String CLIENT = "client-credentials";
  private static final String REFRESH = "refresh";

  private final ConfigRules config;

  /** Reads for what can be configured. */
  public AuthReader(ConfigRules config) {
    this.config = config;
  }

  /** What a section says; nobody if there is none, or it cannot be. */
  public AuthRule read(Optional<Section> auth) {
    if (auth.isEmpty()) {
      return new AuthRule.Nobody();
    }
    try (Section section = auth.get()) {
      List<String> kinds = KINDS.stream().filter(section::has).toList();
      if (kinds.size() != 1) {
        section
            .mistakes()
            .add(
                section.line(),
                "%s has %s, but one of %s is expected"
                    .formatted(
                        section.path(),
                        kinds.isEmpty() ? "no way to prove who asks" : String.join(" and ", kinds),
                        String.join(", ", KINDS)));
        return new AuthRule.Nobody();
      }
      Optional<? extends AuthRule> rule =
          switch (kinds.getFirst()) {
            case "bearer" -> secret(section, "bearer").map(AuthRule.Bearer::new);
            case "basic" -> basic(section);
            case "oauth2" -> oauth(section);
            case "pool" -> pool(section);
            case "header" ->
                section
                    .text("header")
                    .flatMap(name -> value(section).map(value -> new AuthRule.Header(name, value)));
            default ->
                section
                    .text("query")
                    .flatMap(name -> value(section).map(value -> new AuthRule.Query(name, value)));
          };
      return rule.isPresent() ? rule.get() : new AuthRule.Nobody();
    }
  }

  private Optional<AuthRule> basic(Section section) {
    return section
        .section("basic")
        .flatMap(
            basic -> {
              try (basic) {
                Optional<Template> user = required(basic, "user", "who asks");
                Optional<Template> password = required(basic, "password", "the proof of it");
                return user.flatMap(name -> password.map(proof -> new AuthRule.Basic(name, proof)));
              }
            });
  }

  private Optional<AuthRule> oauth(Section section) {
    return section
        .section("oauth2")
        .flatMap(
            oauth -> {
              try (oauth) {
                Optional<String> grant = oauth.word("grant", List.of(CLIENT, REFRESH));
                boolean refresh = grant.filter(REFRESH::equals).isPresent();
                Map<String, Template> fields = new LinkedHashMap<>();
                required(oauth, "client-id", "who asks")
                    .ifPresent(id -> fields.put("client_id", id));
                (refresh
                        ? secret(oauth, "client-secret")
                        : required(oauth, "client-secret", "the proof of it"))
                    .ifPresent(proof -> fields.put("client_secret", proof));
                if (refresh) {
                  required(oauth, "refresh-token", "what a new token is given for")
                      .ifPresent(token -> fields.put("refresh_token", token));
                }
                List<String> scope = oauth.list("scope", text -> text);
                if (!scope.isEmpty()) {
                  config
                      .template(oauth, "scope", String.join(" ", scope), false)
                      .ifPresent(text -> fields.put("scope", text));
                }
                return address(oauth)
                    .map(
                        address ->
                            new AuthRule.OAuth(
                                refresh ? "refresh_token" : "client_credentials", address, fields));
              }
            });
  }

  private Optional<Template> address(Section oauth) {
    Optional<String> unused = oauth.required("token-url", "where tokens are issued");
    return config
        .template(oauth, "token-url")
        .filter(
            address -> {
              boolean safe =
                  address
                      .toString()
                      .matches("https://[^{}]+|http://(localhost|127\\.0\\.0\\.1)[:/].*");
              if (!safe) {
                oauth.mistake(
                    "token-url", "is '%s', but an https address is expected".formatted(address));
              }
              return safe;
            });
  }

  private Optional<AuthRule> pool(Section section) {
    List<Template> tokens = new ArrayList<>();
    for (String text : section.list("pool", text -> text)) {
      config.template(section, "pool", text, true).ifPresent(tokens::add);
    }
    return tokens.isEmpty() ? Optional.empty() : Optional.of(new AuthRule.Pool(tokens));
  }

  private Optional<Template> value(Section section) {
    return required(section, "value", "what is sent there, such as \"{config.token}\"");
  }

  private Optional<Template> required(Section section, String key, String meaning) {
    return section.required(key, meaning).isPresent() ? secret(section, key) : Optional.empty();
  }

  private Optional<Template> secret(Section section, String key) {
    return section.text(key).flatMap(text -> config.template(section, key, text, true));
  }
}
