package dev.sluice.collect.yaml.document;

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
 * were written: {@code 2022-11-28} is a text, and {@code no} is two letters.
 */
public final class YamlText {
  private static final YAMLFactory YAML = new YAMLFactory();
  private static final Pattern PLACE = Pattern.compile("(?m)^ in reader, line (\\d+)");
  private static final int DEEPEST = 32;

  private final YAMLParser parser;

  private YamlText(YAMLParser parser) {
    this.parser = parser;
  }

  /**
   * The one document of a text.
   *
   * @throws MalformedYamlException if it is no YAML, holds more than one document, or is larger or
   *     goes deeper than anybody writes by hand
   */
  public static Node parse(String text) throws MalformedYamlException {
    if (text.length() > FileText.MOST_BYTES) {
      throw new MalformedYamlException(1, FileText.TOO_LARGE);
    }
    String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), plain)) {
      YamlText reader = new YamlText(parser);
      Optional<JsonToken> first = reader.next();
      if (first.isEmpty()) {
        return new Node.Nothing(1);
      }
      Node document = reader.node(first.get(), reader.line(), 0);
      if (reader.next().isPresent()) {
        throw reader.refused("a second document begins here, but there must be only one");
      }
      return document;
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  private Optional<JsonToken> next() {
    return Optional.ofNullable(parser.nextToken());
  }

  private JsonToken following() throws MalformedYamlException {
    return next().orElseThrow(() -> refused("the text ends here, within something"));
  }

  private Node node(JsonToken token, int line, int depth) throws MalformedYamlException {
    if (depth > DEEPEST) {
      throw refused("this is nested more than %d levels deep".formatted(DEEPEST));
    }
    if (parser.isCurrentAlias()) {
      throw refused(
          "*%s refers to something written elsewhere, which is not supported: write it out here"
              .formatted(parser.getString()));
    }
    return switch (token) {
      case START_OBJECT -> mapping(line, depth);
      case START_ARRAY -> sequence(line, depth);
      case VALUE_NULL -> new Node.Nothing(line);
      default -> new Node.Scalar(line, parser.getString(), token != JsonToken.VALUE_STRING);
    };
  }

  private Node mapping(int start, int depth) throws MalformedYamlException {
    List<Node.Entry> entries = new ArrayList<>();
    while (following() == JsonToken.PROPERTY_NAME) {
      int line = line();
      String key = parser.currentName();
      entries.add(new Node.Entry(line, key, node(following(), line, depth + 1)));
    }
    return new Node.Mapping(start, entries);
  }

  private Node sequence(int start, int depth) throws MalformedYamlException {
    List<Node> items = new ArrayList<>();
    for (JsonToken token = following(); token != JsonToken.END_ARRAY; token = following()) {
      items.add(node(token, line(), depth + 1));
    }
    return new Node.Sequence(start, items);
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private MalformedYamlException refused(String what) {
    return new MalformedYamlException(line(), what);
  }

  /**
   * What the parser says, without the line of text that it quotes: that line may hold a secret. The
   * last place that it names is where it gave up.
   */
  private static MalformedYamlException unreadable(JacksonException problem) {
    String message = String.valueOf(problem.getOriginalMessage());
    int line = problem.getLocation() == null ? 1 : problem.getLocation().getLineNr();
    Matcher places = PLACE.matcher(message);
    while (places.find()) {
      line = Integer.parseInt(places.group(1));
    }
    String words =
        message
            .lines()
            .filter(part -> !part.startsWith(" ") && !part.isBlank())
            .collect(Collectors.joining(", "));
    return new MalformedYamlException(line, "this cannot be read as YAML: " + words);
  }
}
