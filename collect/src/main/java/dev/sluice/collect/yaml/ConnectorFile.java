package dev.sluice.collect.yaml;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.yaml.check.CheckRule;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.document.ConnectorFileException;
import dev.sluice.collect.yaml.document.Mistakes;
import dev.sluice.collect.yaml.document.Section;
import dev.sluice.collect.yaml.document.YamlText;
import dev.sluice.collect.yaml.pacing.PacingReader;
import dev.sluice.collect.yaml.pacing.PacingRule;
import dev.sluice.collect.yaml.stream.StreamReader;
import dev.sluice.collect.yaml.stream.StreamRule;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private ConnectorFile(
      String file,
      String name,
      ConfigRules config,
      ProviderRule provider,
      PacingRule pacing,
      List<StreamRule> streams,
      List<CheckRule> checks) {
    this.file = file;
    this.name = name;
    this.config = config;
    this.provider = provider;
    this.pacing = pacing;
    this.streams = List.copyOf(streams);
    this.checks = List.copyOf(checks);
  }

  /**
   * Reads a file.
   *
   * @throws ConnectorFileException if it cannot be read, or with every mistake in it
   */
  public static ConnectorFile read(Path file) throws ConnectorFileException {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new ConnectorFileException(List.of("there is no connector file " + file));
    } catch (CharacterCodingException e) {
      throw new ConnectorFileException(
          List.of(file + " is not UTF-8, but a connector file must be"));
    } catch (IOException e) {
      throw new ConnectorFileException(
          List.of("the connector file %s cannot be read: %s".formatted(file, e.getMessage())));
    }
  }

  /** Like {@link #read}, of a text; the name is for messages. */
  public static ConnectorFile parse(String file, String text) throws ConnectorFileException {
    Mistakes mistakes = new Mistakes(file);
    Optional<ConnectorFile> read;
    try (Section root = Section.of(YamlText.parse(file, text), "", mistakes)) {
      read = read(file, root);
    }
    mistakes.check();
    return read.orElseThrow();
  }

  private static Optional<ConnectorFile> read(String file, Section root) {
    Optional<String> name = root.required("connector", "what it is called");
    Optional<String> unused = root.word("version", List.of("1"));
    ConfigRules config = ConfigRules.read(root.section("config"));
    Optional<ProviderRule> provider = ProviderRule.read(root, config);
    PacingRule pacing = PacingReader.read(root.section("pacing"));
    String hidden = provider.map(rule -> rule.auth().queryParameter()).orElse("");
    List<StreamRule> streams = streams(root, new StreamReader(config, hidden));
    List<CheckRule> checks = CheckRule.read(root, lists(streams));
    return name.flatMap(
        word ->
            provider.map(
                rule -> new ConnectorFile(file, word, config, rule, pacing, streams, checks)));
  }

  private static List<StreamRule> streams(Section root, StreamReader reader) {
    List<StreamRule> streams = new ArrayList<>();
    Optional<Section> section = root.section("streams");
    if (section.isEmpty() || section.get().names().isEmpty()) {
      root.mistakes().add(root.line(), "streams is missing (what there is to collect)");
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
                Mistakes.instead(
                    "is for each of %s, which is no stream that is listed"
                        .formatted(stream.parent().get()),
                    stream.parent().get(),
                    lists));
      }
    }
    return streams;
  }

  private static List<String> lists(List<StreamRule> streams) {
    return streams.stream()
        .filter(stream -> stream.parent().isEmpty())
        .map(StreamRule::name)
        .toList();
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
   * @throws ConnectorFileException with everything that does not fit
   */
  public Connector bind(Map<String, String> values, Transport transport, Time time)
      throws ConnectorFileException {
    requireNonNull(transport, "transport");
    requireNonNull(time, "time");
    Mistakes mistakes = new Mistakes(file);
    Names names = config.bind(values, mistakes);
    mistakes.check();
    return new Binding(name, provider, pacing, streams, names, mistakes).connector(transport, time);
  }

  List<CheckRule> checks() {
    return checks;
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
