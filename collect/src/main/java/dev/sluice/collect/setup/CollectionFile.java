package dev.sluice.collect.setup;

import dev.sluice.collect.yaml.config.Configured;
import dev.sluice.config.ConfigurationException;
import dev.sluice.config.Durations;
import dev.sluice.config.Node;
import dev.sluice.config.Reading;
import dev.sluice.config.Section;
import dev.sluice.config.YamlText;
import dev.sluice.gate.words.Spelling;
import dev.sluice.runs.run.Envelope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A collection as its file describes it, checked. Immutable. Its text never shows the
 * configuration, which may hold secrets.
 *
 * <pre>{@code
 * collect: connectors/github-issues.yaml
 * as: acme-app
 * config: {owner: acme, repo: app, token: "{env.GH_TOKEN}"}
 * into: {json-lines: data}
 * run: {max-requests: 2000, max-time: 20m}
 * state: postgresql://db.example/ops
 * }</pre>
 */
public final class CollectionFile {
  private static final Pattern FROM_ENVIRONMENT = Pattern.compile("\\{env\\.([A-Za-z_][\\w]*)}");
  private static final Pattern NAME = Pattern.compile("[\\w.-]{1,100}");

  private final Path connector;
  private final String name;
  private final Configured config;
  private final Destination into;
  private final Envelope envelope;
  private final Duration inlineWait;
  private final StatePlace state;

  private CollectionFile(
      Path connector,
      String name,
      Configured config,
      Destination into,
      Envelope envelope,
      Duration inlineWait,
      StatePlace state) {
    this.connector = connector;
    this.name = name;
    this.config = config;
    this.into = into;
    this.envelope = envelope;
    this.inlineWait = inlineWait;
    this.state = state;
  }

  /**
   * Reads a file. Paths in it are relative to its folder.
   *
   * @param environment where {@code {env.NAME}} is looked up
   * @throws ConfigurationException if it cannot be read, or with every mistake in it
   */
  public static CollectionFile read(
      Path file, Map<String, String> environment, Duration usualInlineWait)
      throws ConfigurationException {
    Reading reading = Reading.of(file.toString(), Spelling::closest);
    Path folder = file.toAbsolutePath().getParent();
    Optional<CollectionFile> read;
    try (Section root = Section.of(YamlText.read(file, "collection"), reading)) {
      Configured config = config(file.toString(), root, environment);
      read =
          read(root, folder == null ? Path.of("") : folder, config, environment, usualInlineWait);
    }
    reading.check();
    return read.orElseThrow();
  }

  private static Optional<CollectionFile> read(
      Section root,
      Path folder,
      Configured config,
      Map<String, String> environment,
      Duration usualInlineWait) {
    Optional<String> connector = root.required("collect", "the connector's file");
    Optional<String> name = root.required("as", "what the collection is called");
    name.filter(word -> !NAME.matcher(word).matches())
        .ifPresent(
            word ->
                root.mistake(
                    "as",
                    "is '%s', but letters, digits, - _ or . alone are expected".formatted(word)));
    Optional<Destination> into = into(root, folder, environment);
    Limits limits = limits(root, usualInlineWait);
    StatePlace state = state(root, folder);
    if (connector.isEmpty() || name.isEmpty() || into.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new CollectionFile(
            folder.resolve(connector.get()),
            name.get(),
            config,
            into.get(),
            limits.envelope,
            limits.inlineWait,
            state));
  }

  private static Configured config(String file, Section root, Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, Integer> lines = new LinkedHashMap<>();
    root.section("config")
        .ifPresent(
            section -> {
              try (section) {
                for (String key : section.names()) {
                  lines.put(key, section.line(key));
                  section
                      .node(key)
                      .ifPresent(node -> values.put(key, value(section, key, node, environment)));
                }
              }
            });
    return new Configured(file, values, lines, root.has("config") ? root.line("config") : 0);
  }

  private static String value(
      Section section, String key, Node node, Map<String, String> environment) {
    return switch (node) {
      case Node.Scalar scalar -> resolved(section, key, scalar.text(), environment);
      case Node.Sequence sequence ->
          String.join(
              ",",
              sequence.items().stream()
                  .map(item -> value(section, key, item, environment))
                  .toList());
      case Node.Nothing nothing -> "";
      case Node.Mapping mapping -> {
        section.mistake(key, "is a mapping, but must be a text, a number or a list of those");
        yield "";
      }
    };
  }

  private static String resolved(
      Section section, String key, String text, Map<String, String> environment) {
    Matcher matcher = FROM_ENVIRONMENT.matcher(text);
    return matcher.replaceAll(
        found -> {
          String value = environment.get(found.group(1));
          if (value == null) {
            section.mistake(
                key,
                "asks for the environment variable %s, which is not set".formatted(found.group(1)));
            return "";
          }
          return Matcher.quoteReplacement(value);
        });
  }

  private static Optional<Destination> into(
      Section root, Path folder, Map<String, String> environment) {
    Optional<Section> into =
        root.requiredSection("into", "where records go, as in: into: {json-lines: data}");
    if (into.isEmpty()) {
      return Optional.empty();
    }
    try (Section section = into.get()) {
      List<Destination> all = new ArrayList<>();
      section
          .text("json-lines")
          .ifPresent(text -> all.add(new Destination.JsonLines(folder.resolve(text))));
      section
          .text("sqlite")
          .ifPresent(text -> all.add(new Destination.Sqlite(folder.resolve(text))));
      postgresql(section, environment).ifPresent(all::add);
      section
          .word("state", List.of("tables"))
          .ifPresent(unused -> all.add(new Destination.State()));
      section
          .word("singer", List.of("stdout"))
          .ifPresent(unused -> all.add(new Destination.Singer()));
      if (all.size() != 1) {
        root.mistake(
            "into",
            "names %d places, but must name one: json-lines, sqlite, postgresql, state or singer"
                .formatted(all.size()));
        return Optional.empty();
      }
      return Optional.of(all.getFirst());
    }
  }

  private static Optional<Destination> postgresql(
      Section section, Map<String, String> environment) {
    Map<String, String> login = new LinkedHashMap<>();
    for (String key : List.of("user", "password")) {
      section
          .text(key)
          .ifPresent(text -> login.put(key, resolved(section, key, text, environment)));
    }
    if (!section.has("postgresql")) {
      for (String key : login.keySet()) {
        section.mistake(key, "is for postgresql alone, which into does not name");
      }
    }
    return section.text("postgresql").map(url -> new Destination.Postgresql(url, login));
  }

  /** An address is not repeated in a mistake: it may have a password in it. */
  private static StatePlace state(Section root, Path folder) {
    try {
      return root.text("state")
          .map(text -> StatePlace.of(text, folder))
          .orElseGet(() -> StatePlace.usual(folder));
    } catch (IllegalArgumentException e) {
      root.mistake("state", "cannot be used: " + e.getMessage());
      return StatePlace.usual(folder);
    }
  }

  private record Limits(Envelope envelope, Duration inlineWait) {}

  private static Limits limits(Section root, Duration usualInlineWait) {
    Optional<Section> run = root.section("run");
    if (run.isEmpty()) {
      return new Limits(Envelope.UNBOUNDED, usualInlineWait);
    }
    try (Section section = run.get()) {
      Optional<Long> requests =
          section.read("max-requests", "a whole number above 0", CollectionFile::count);
      Optional<Duration> time = section.read("max-time", Durations::parsePositive);
      Optional<Duration> wait = section.read("inline-wait", Durations::parsePositive);
      return new Limits(
          new Envelope(
              requests.map(OptionalLong::of).orElse(OptionalLong.empty()),
              time.filter(Duration::isPositive)),
          wait.orElse(usualInlineWait));
    }
  }

  private static long count(String text) {
    long count = Long.parseLong(text);
    if (count < 1) {
      throw new IllegalArgumentException();
    }
    return count;
  }

  /** The connector's file. */
  public Path connector() {
    return connector;
  }

  /** What the collection is called. */
  public String name() {
    return name;
  }

  /** What the connector is given; secrets among it. */
  public Configured config() {
    return config;
  }

  /** Where records go. */
  public Destination into() {
    return into;
  }

  /** What a run may spend. */
  public Envelope envelope() {
    return envelope;
  }

  /** The longest hold that is waited for. */
  public Duration inlineWait() {
    return inlineWait;
  }

  /** Where runs, bookmarks and gaps are kept; a file beside this one if it does not say. */
  public StatePlace state() {
    return state;
  }

  @Override
  public String toString() {
    return "collection " + name;
  }
}
