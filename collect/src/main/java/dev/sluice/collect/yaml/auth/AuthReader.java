package dev.sluice.collect.yaml.auth;

import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.request.HeaderFields;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.config.Node;
import dev.sluice.config.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads {@code provider.auth}. */
public final class AuthReader {
  private static final List<String> KINDS =
      List.of("bearer", "basic", "header", "query", "oauth2", "pool");

  /** How other programs' files say which kind it is. */
  private static final Set<String> SAYS_KIND = Set.of("type", "kind", "method", "scheme");

  /** A reference that lacks its braces would be sent as if it were the secret. */
  private static final Pattern BARE_REFERENCE = Pattern.compile("config\\.[A-Za-z0-9_-]+");

  private static final String CLIENT = "client-credentials";
  private static final String REFRESH = "refresh";

  private final ConfigRules config;

  /** Reads for what can be configured. */
  public AuthReader(ConfigRules config) {
    this.config = config;
  }

  /** What {@code auth} of a provider says; nobody if it is not there, or cannot be. */
  public AuthRule read(Section provider) {
    Optional<Node> auth = provider.node("auth");
    if (auth.isEmpty()) {
      return new AuthRule.Nobody();
    }
    if (auth.get() instanceof Node.Scalar word) {
      // Not quoted: it may be the secret itself.
      provider.mistake(
          "auth",
          "is a single value, but a group of keys is expected, such as " + shape(word.text()));
      return new AuthRule.Nobody();
    }
    try (Section section = Section.of(auth.get(), provider.at("auth"), provider.reading())) {
      Optional<String> kind =
          KINDS.stream().noneMatch(section::has) ? saidKind(auth.get()) : Optional.empty();
      if (kind.isPresent()) {
        List<String> unused = section.names(); // one mistake, not one for each of them
        provider.mistake("auth", "names its kind by a key of its own; write " + shape(kind.get()));
        return new AuthRule.Nobody();
      }
      Optional<String> only = section.onlyOne(KINDS, "no way to prove who asks");
      if (only.isEmpty()) {
        return new AuthRule.Nobody();
      }
      Optional<? extends AuthRule> rule =
          switch (only.get()) {
            case "bearer" -> secret(section, "bearer").map(AuthRule.Bearer::new);
            case "basic" -> basic(section);
            case "oauth2" -> oauth(section);
            case "pool" -> pool(section);
            case "header" -> header(section);
            default ->
                section
                    .text("query")
                    .flatMap(name -> value(section).map(value -> new AuthRule.Query(name, value)));
          };
      return rule.isPresent() ? rule.get() : new AuthRule.Nobody();
    }
  }

  /** The kind that is named as a value, which is how others do it: {@code type: bearer}. */
  private static Optional<String> saidKind(Node auth) {
    return auth instanceof Node.Mapping mapping
        ? mapping.entries().stream()
            .filter(entry -> SAYS_KIND.contains(entry.key()))
            .map(Node.Entry::value)
            .filter(Node.Scalar.class::isInstance)
            .map(value -> ((Node.Scalar) value).text().toLowerCase(Locale.ROOT))
            .filter(KINDS::contains)
            .findFirst()
        : Optional.empty();
  }

  /** What a kind of proof looks like; that of the kind that is used most if it is none. */
  private static String shape(String kind) {
    return switch (kind.toLowerCase(Locale.ROOT)) {
      case "basic" -> "{basic: {user: \"{config.user}\", password: \"{config.password}\"}}";
      case "header" -> "{header: X-Api-Key, value: \"{config.key}\"}";
      case "query" -> "{query: api_key, value: \"{config.key}\"}";
      case "oauth2" ->
          "{oauth2: {grant: client-credentials, token-url: \"https://…\", client-id:"
              + " \"{config.client}\", client-secret: \"{config.secret}\"}}";
      case "pool" -> "{pool: [\"{config.first}\", \"{config.second}\"]}";
      default -> "{bearer: \"{config.token}\"}";
    };
  }

  private Optional<AuthRule> header(Section section) {
    Optional<String> name = section.text("header");
    name.map(HeaderFields::wrongName)
        .filter(wrong -> !wrong.isEmpty())
        .ifPresent(wrong -> section.mistake("header", wrong));
    return name.flatMap(word -> value(section).map(value -> new AuthRule.Header(word, value)));
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
    return section
        .text(key)
        .filter(
            text -> {
              boolean bare = BARE_REFERENCE.matcher(text).matches();
              if (bare) {
                section.mistake(
                    key, "is %1$s as it stands there; did you mean \"{%1$s}\"?".formatted(text));
              }
              return !bare;
            })
        .flatMap(text -> config.template(section, key, text, true));
  }
}
