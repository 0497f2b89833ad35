package dev.sluice.collect.yaml.config;

import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.config.Reading;
import dev.sluice.config.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What there is to configure. Immutable. */
public final class ConfigRules {
  private final Map<String, Rule> rules;

  private ConfigRules(Map<String, Rule> rules) {
    this.rules = Map.copyOf(rules);
  }

  /** Reads {@code config}. */
  public static ConfigRules read(Optional<Section> config) {
    Map<String, Rule> rules = new LinkedHashMap<>();
    config.ifPresent(
        section -> {
          for (String name : section.names()) {
            section.section(name).ifPresent(each -> rules.put(name, rule(each)));
          }
        });
    return new ConfigRules(rules);
  }

  private static Rule rule(Section section) {
    try (section) {
      ConfigType type = section.word("type", ConfigType.class).orElse(ConfigType.STRING);
      if (type == ConfigType.SECRET && section.has("default")) {
        section.mistake("default", "gives a secret away; leave it out");
      }
      return new Rule(
          section.line(),
          type,
          section.has("default") ? section.read("default", type::checked) : Optional.empty());
    }
  }

  /**
   * What was configured, checked.
   *
   * @param reading where everything that does not fit is noted
   */
  public Names bind(Configured config, Reading reading) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String name : config.values().keySet()) {
      if (!rules.containsKey(name)) {
        reading.unknown(config.line(name), "config." + name, name, sortedNames());
      }
    }
    rules.forEach(
        (name, rule) -> {
          Optional<String> value =
              Optional.ofNullable(config.values().get(name)).or(rule::fallback);
          if (value.isEmpty() || value.get().isBlank()) {
            reading.mistake(
                config.line(name),
                "config.%s has no value; the collection has to give one (%s)"
                    .formatted(name, rule.type().name().toLowerCase(Locale.ROOT)));
            return;
          }
          try {
            values.put(name, rule.type().checked(value.get()));
          } catch (IllegalArgumentException wrong) {
            boolean secret = rule.type() == ConfigType.SECRET;
            reading.mistake(
                config.line(name),
                "config.%s is '%s', %s"
                    .formatted(name, secret ? "…" : value.get(), wrong.getMessage()));
          }
        });
    return Names.of(values);
  }

  /** Values that no file has: messages name where this file declares them. */
  public Configured configured(String file, Map<String, String> values) {
    Map<String, Integer> lines = new LinkedHashMap<>();
    rules.forEach((name, rule) -> lines.put(name, rule.line()));
    return new Configured(file, values, lines, 0);
  }

  /** These values, and something of the right type wherever one is missing. */
  public Map<String, String> madeUp(Map<String, String> values) {
    Map<String, String> all = new LinkedHashMap<>(values);
    rules.forEach(
        (name, rule) -> {
          if (rule.fallback().isEmpty()) {
            String unused = all.putIfAbsent(name, rule.type().madeUp());
          }
        });
    return all;
  }

  /** What a configured list has. */
  public static List<String> elements(String value) {
    return ConfigType.elements(value);
  }

  private boolean isSecret(String name) {
    Rule rule = rules.get(name);
    return rule != null && rule.type() == ConfigType.SECRET;
  }

  /**
   * Reads a template that may name what is configured, secrets aside.
   *
   * @param others the names with their scopes that it may use besides, such as {@code parent}
   */
  public Optional<Template> template(Section section, String key, Template.Scope... others) {
    return section.text(key).flatMap(text -> template(section, key, text, false, others));
  }

  /** The same of a text that stands under a key. */
  public Optional<Template> template(
      Section section, String key, String text, boolean secrets, Template.Scope... others) {
    return allowed(section, key, parsed(section, key, text, secrets), secrets, others);
  }

  /** The same of a text in which braces also stand for themselves. */
  public Optional<Template> templateAmongBraces(
      Section section, String key, String text, Template.Scope... others) {
    return allowed(
        section, key, section.parse(key, text, Template::parseAmongBraces), false, others);
  }

  /** Whether something under {@code config} is a whole number. */
  public boolean isNumber(String name) {
    Rule rule = rules.get(name);
    return rule != null && rule.type() == ConfigType.INT;
  }

  private Optional<Template> allowed(
      Section section,
      String key,
      Optional<Template> parsed,
      boolean secrets,
      Template.Scope... others) {
    return parsed.filter(
        template -> {
          List<String> wrong = wrong(section, template, secrets, List.of(others));
          wrong.forEach(each -> section.mistake(key, each));
          return wrong.isEmpty();
        });
  }

  /** Where secrets may stand, a text that cannot be read is not quoted: it may be one. */
  private static Optional<Template> parsed(
      Section section, String key, String text, boolean secrets) {
    if (!secrets) {
      return section.parse(key, text, Template::parse);
    }
    try {
      return Optional.of(Template.parse(text));
    } catch (IllegalArgumentException e) {
      section.mistake(key, "cannot be read; in braces {config.NAME} is expected");
      return Optional.empty();
    }
  }

  private List<String> wrong(
      Section section, Template template, boolean secrets, List<Template.Scope> others) {
    List<String> wrong = new ArrayList<>();
    for (Template.Reference reference : template.references()) {
      if (reference.scope() != Template.Scope.CONFIG) {
        if (!others.contains(reference.scope())) {
          wrong.add("names %s, which there is not here".formatted(reference));
        }
      } else if (!rules.containsKey(reference.name())) {
        wrong.add(
            section
                .reading()
                .instead(
                    "names %s, which is not under config".formatted(reference),
                    reference.name(),
                    sortedNames()));
      } else if (isSecret(reference.name()) && !secrets) {
        wrong.add(
            "names %s, a secret; secrets belong under provider.auth alone".formatted(reference));
      }
    }
    return wrong;
  }

  private List<String> sortedNames() {
    return rules.keySet().stream().sorted().toList();
  }

  private record Rule(int line, ConfigType type, Optional<String> fallback) {}
}
