package dev.sluice.collect.yaml;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.yaml.check.CheckReader;
import dev.sluice.collect.yaml.check.CheckRule;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.config.Configured;
import dev.sluice.collect.yaml.pacing.PacingReader;
import dev.sluice.collect.yaml.pacing.PacingRule;
import dev.sluice.collect.yaml.stream.StreamReader;
import dev.sluice.collect.yaml.stream.StreamRule;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.config.ConfigurationException;
import dev.sluice.config.Reading;
import dev.sluice.config.Section;
import dev.sluice.config.YamlText;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.words.Spelling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A provider and its streams as a file describes them, checked. Immutable and thread-safe.
 *
 * <pre>{@code
 * connector: shop-orders
 * version: 1
 * config:
 *   token: {type: secret}
 * provider:
 *   base: https://api.shop.example
 *   auth: {bearer: "{config.token}"}
 * streams:
 *   orders:
 *     get: /orders
 *     records: $.orders[*]
 *     key: id
 *     pages: link-header
 * }</pre>
 */
public final class ConnectorFile {
  private final String file;
  private final String name;
  private final ConfigRules config;
  private final ProviderRule provider;
  private final PacingRule pacing;
  private final List<StreamRule> streams;
  private final List<CheckRule> checks;
  private final List<String> wrongInChecks;

  private ConnectorFile(
      String file,
      String name,
      ConfigRules config,
      ProviderRule provider,
      PacingRule pacing,
      List<StreamRule> streams,
      List<CheckRule> checks,
      List<String> wrongInChecks) {
    this.file = file;
    this.name = name;
    this.config = config;
    this.provider = provider;
    this.pacing = pacing;
    this.streams = List.copyOf(streams);
    this.checks = List.copyOf(checks);
    this.wrongInChecks = List.copyOf(wrongInChecks);
  }

  /**
   * Reads a file. Mistakes in its checks alone stop nobody but {@link Checks}.
   *
   * @throws ConfigurationException if it cannot be read, or with every mistake in it
   */
  public static ConnectorFile read(Path file) throws ConfigurationException {
    return parse(file.toString(), YamlText.read(file, "connector file"));
  }

  /** Like {@link #read}, of a text; the name is for messages. */
  public static ConnectorFile parse(String file, String text) throws ConfigurationException {
    Reading reading = reading(file);
    Reading inChecks = reading.again();
    Optional<ConnectorFile> read;
    try (Section root = Section.of(text, reading)) {
      read = read(file, root, inChecks);
    }
    // Whoever has to mend the file wants to know them all.
    reading.join(inChecks);
    reading.check();
    return read.orElseThrow();
  }

  private static Reading reading(String file) {
    return Reading.of(file, Spelling::closest);
  }

  private static Optional<ConnectorFile> read(String file, Section root, Reading inChecks) {
    Optional<String> name = root.required("connector", "what it is called");
    Optional<String> unused = root.word("version", List.of("1"));
    ConfigRules config = ConfigRules.read(root.section("config"));
    Optional<ProviderRule> provider = ProviderRule.read(root, config);
    PacingRule pacing = PacingReader.read(root.section("pacing"));
    String hidden = provider.map(rule -> rule.auth().queryParameter()).orElse("");
    List<StreamRule> streams = streams(root, new StreamReader(config, hidden));
    List<CheckRule> checks = new CheckReader(lists(streams)).read(root.in(inChecks));
    return name.flatMap(
        word ->
            provider.map(
                rule ->
                    new ConnectorFile(
                        file, word, config, rule, pacing, streams, checks, inChecks.mistakes())));
  }

  private static List<StreamRule> streams(Section root, StreamReader reader) {
    List<StreamRule> streams = new ArrayList<>();
    Optional<Section> section = root.section("streams");
    if (section.isEmpty() || section.get().names().isEmpty()) {
      root.missing("streams", "what there is to collect");
      return streams;
    }
    for (String each : section.get().names()) {
      section
          .get()
          .section(each)
          .flatMap(stream -> reader.read(each, stream))
          .ifPresent(streams::add);
    }
    List<String> lists =
        streams.stream().filter(stream -> stream.parent().isEmpty()).map(StreamRule::name).toList();
    for (StreamRule stream : streams) {
      if (stream.parent().isPresent() && !lists.contains(stream.parent().get())) {
        section
            .get()
            .mistake(
                stream.name(),
                root.reading()
                    .instead(
                        "is for each of %s, which is no stream that is listed"
                            .formatted(stream.parent().get()),
                        stream.parent().get(),
                        lists));
      } else if (streams.stream()
          .filter(list -> stream.parent().equals(Optional.of(list.name())))
          .anyMatch(list -> !list.isKeyed())) {
        section
            .get()
            .mistake(
                stream.name(),
                "is for each of %s, whose records cannot be told apart; give %s a key"
                    .formatted(stream.parent().get(), stream.parent().get()));
      }
    }
    return streams;
  }

  /** The streams that are listed, each with its details. */
  private static Map<String, List<String>> lists(List<StreamRule> streams) {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    for (StreamRule list : streams) {
      if (list.parent().isEmpty()) {
        lists.put(
            list.name(),
            streams.stream()
                .filter(stream -> stream.parent().equals(Optional.of(list.name())))
                .map(StreamRule::name)
                .toList());
      }
    }
    return lists;
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /**
   * The connector for a configuration.
   *
   * @param values by their names under {@code config}; secrets among them
   * @param transport for tokens that somebody else issues
   * @throws ConfigurationException with everything that does not fit
   */
  public Connector bind(Map<String, String> values, Transport transport, Time time)
      throws ConfigurationException {
    return bind(config.configured(file, values), transport, time);
  }

  /** The same for a configuration that stands in a file: messages name its lines. */
  public Connector bind(Configured values, Transport transport, Time time)
      throws ConfigurationException {
    requireNonNull(transport, "transport");
    requireNonNull(time, "time");
    Reading configured = reading(values.file());
    Names names = config.bind(values, configured);
    configured.check();
    return new Binding(name, provider, pacing, streams, names, reading(file))
        .connector(transport, time);
  }

  /**
   * Its checks.
   *
   * @throws ConfigurationException with every mistake in them
   */
  List<CheckRule> checks() throws ConfigurationException {
    if (!wrongInChecks.isEmpty()) {
      throw new ConfigurationException(wrongInChecks);
    }
    return checks;
  }

  /** Whether it depends on the configuration where the provider is. */
  boolean isBaseConfigured() {
    return !provider.base().references().isEmpty();
  }

  /** A configuration in which nothing is missing, for checks. */
  Map<String, String> madeUp(Map<String, String> values) {
    return config.madeUp(values);
  }

  @Override
  public String toString() {
    return "connector " + name;
  }
}
