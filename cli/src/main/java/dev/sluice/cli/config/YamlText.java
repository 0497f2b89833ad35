package dev.sluice.cli.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML, and JSON with it, into {@link Node nodes} that know their lines. Scalars stay as they
 * were written, so that {@code 007} and {@code no} mean what whoever asks for them expects.
 */
final class YamlText {
  private static final YAMLFactory YAML = new YAMLFactory();
  private static final Pattern PLACE = Pattern.compile("(?m)^ in reader, line (\\d+)");
  private static final int DEEPEST = 32;

  private final String file;
  private final YAMLParser parser;

  private YamlText(String file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * The one document of a text.
   *
   * @param file what messages call it
   */
  static Node parse(String file, String text) throws ConfigurationException {
    String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), plain)) {
      YamlText reader = new YamlText(file, parser);
      Optional<JsonToken> first = reader.next();
      if (first.isEmpty()) {
        return new Node.Nothing(1);
      }
      Node document = reader.node(first.get(), 0);
      if (reader.next().isPresent()) {
        throw reader.refused("a second document begins here, but there must be only one");
      }
      return document;
    } catch (JacksonException e) {
      throw unreadable(file, e);
    }
  }

  private Optional<JsonToken> next() {
    return Optional.ofNullable(parser.nextToken());
  }

  private JsonToken following() throws ConfigurationException {
    return next().orElseThrow(() -> refused("the text ends here, within something"));
  }

  private Node node(JsonToken token, int depth) throws ConfigurationException {
    if (depth > DEEPEST) {
      throw refused("this is nested more than %d levels deep".formatted(DEEPEST));
    }
    if (parser.isCurrentAlias()) {
      throw refused(
          "*%s refers to something written elsewhere, which is not supported: write it out here"
              .formatted(parser.getString()));
    }
    return switch (token) {
      case START_OBJECT -> mapping(depth);
      case START_ARRAY -> sequence(depth);
      case VALUE_NULL -> new Node.Nothing(line());
      default -> new Node.Scalar(line(), parser.getString());
    };
  }

  private Node mapping(int depth) throws ConfigurationException {
    int start = line();
    List<Node.Entry> entries = new ArrayList<>();
    while (following() == JsonToken.PROPERTY_NAME) {
      int line = line();
      String key = parser.currentName();
      entries.add(new Node.Entry(line, key, node(following(), depth + 1)));
    }
    return new Node.Mapping(start, entries);
  }

  private Node sequence(int depth) throws ConfigurationException {
    int start = line();
    List<Node> items = new ArrayList<>();
    for (JsonToken token = following(); token != JsonToken.END_ARRAY; token = following()) {
      items.add(node(token, depth + 1));
    }
    return new Node.Sequence(start, items);
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private ConfigurationException refused(String what) {
    return new ConfigurationException(file, List.of(new Mistake(line(), what)));
  }

  /**
   * What the parser says, without the line of text that it quotes: that line may hold a secret. The
   * last place that it names is where it gave up.
   */
  private static ConfigurationException unreadable(String file, JacksonException problem) {
    String message = String.valueOf(problem.getOriginalMessage());
    int line = problem.getLocation() == null ? 0 : problem.getLocation().getLineNr();
    Matcher places = PLACE.matcher(message);
    while (places.find()) {
      line = Integer.parseInt(places.group(1));
    }
    String words =
        message
            .lines()
            .filter(part -> !part.startsWith(" ") && !part.isBlank())
            .collect(Collectors.joining(", "));
    return new ConfigurationException(
        file, List.of(new Mistake(line, "this cannot be read as YAML: " + words)));
  }
}
