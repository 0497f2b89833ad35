package dev.sluice.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

  /** More than that is a mix-up, and reading it as YAML could take hours. */
  private static final int MOST_BYTES = 1024 * 1024;

  private static final String TOO_LARGE =
      "it is larger than 1 MiB, which is the most that is read; is it the right file?";

  private final String file;
  private final YAMLParser parser;

  private YamlText(String file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /**
   * The text of a file, of which no more is read than people write.
   *
   * @param kind what messages call such a file
   * @throws ConfigurationException if it cannot be read, is too large or not UTF-8
   */
  public static String read(Path file, String kind) throws ConfigurationException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException(TOO_LARGE);
      }
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      throw new ConfigurationException(List.of("there is no %s %s".formatted(kind, file)));
    } catch (CharacterCodingException e) {
      throw new ConfigurationException(List.of(file + " is not UTF-8; save it as such"));
    } catch (IOException e) {
      throw new ConfigurationException(
          List.of("the %s %s cannot be read: %s".formatted(kind, file, e.getMessage())));
    }
  }

  /**
   * The one document of a text.
   *
   * @param file what messages call it
   * @throws ConfigurationException if it is no YAML, holds more than one document, or is larger or
   *     goes deeper than anybody writes by hand; the message quotes none of it
   */
  public static Node parse(String file, String text) throws ConfigurationException {
    if (text.length() > MOST_BYTES) {
      throw refused(file, 1, TOO_LARGE);
    }
    String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
    try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), plain)) {
      YamlText reader = new YamlText(file, parser);
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
      throw unreadable(file, e);
    }
  }

  private Optional<JsonToken> next() {
    return Optional.ofNullable(parser.nextToken());
  }

  private JsonToken following() throws ConfigurationException {
    return next().orElseThrow(() -> refused("the text ends here, within something"));
  }

  private Node node(JsonToken token, int line, int depth) throws ConfigurationException {
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

  private Node mapping(int start, int depth) throws ConfigurationException {
    List<Node.Entry> entries = new ArrayList<>();
    while (following() == JsonToken.PROPERTY_NAME) {
      int line = line();
      String key = parser.currentName();
      entries.add(new Node.Entry(line, key, node(following(), line, depth + 1)));
    }
    return new Node.Mapping(start, entries);
  }

  private Node sequence(int start, int depth) throws ConfigurationException {
    List<Node> items = new ArrayList<>();
    for (JsonToken token = following(); token != JsonToken.END_ARRAY; token = following()) {
      items.add(node(token, line(), depth + 1));
    }
    return new Node.Sequence(start, items);
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private ConfigurationException refused(String what) {
    return refused(file, line(), what);
  }

  private static ConfigurationException refused(String file, int line, String what) {
    return new ConfigurationException(List.of("%s:%d: %s".formatted(file, line, what)));
  }

  /**
   * What the parser says, without the line of text that it quotes: that line may hold a secret. The
   * last place that it names is where it gave up.
   */
  private static ConfigurationException unreadable(String file, JacksonException problem) {
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
    return refused(file, line, "this cannot be read as YAML: " + words);
  }
}
