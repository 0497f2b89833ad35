package dev.sluice.config;

import dev.sluice.config.Node.Entry;
import dev.sluice.config.Node.Mapping;
import dev.sluice.config.Node.Nothing;
import dev.sluice.config.Node.Scalar;
import dev.sluice.config.Node.Sequence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A group of keys, read one by one. What is asked for is what is known: {@link #close} notes every
 * key that nobody asked for. A mistake is noted and reads as if the key were not there, so that one
 * reading finds them all. Not thread-safe.
 */
public final class Section extends Keys {
  private static final String SINGLE = "a single value";
  private static final String GROUP = "a group of keys";
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern REFERENCE = Pattern.compile("[a-z]+\\.[A-Za-z0-9_.-]+");

  private Section(Reading reading, String path, int line, List<Entry> entries) {
    super(reading, path, line, entries);
  }

  private Section(Reading reading, Section same) {
    super(reading, same);
  }

  /**
   * The keys of a whole file.
   *
   * @throws ConfigurationException if it is no YAML, in which case nothing else can be found
   */
  public static Section of(String text, Reading reading) throws ConfigurationException {
    return of(YamlText.parse(reading.file(), text), "", reading);
  }

  /**
   * A node as a group of keys; empty, and a mistake, if it is something else. Empty without a
   * mistake if it is nothing: what must be there is missed by whoever asks for it.
   *
   * @param path what messages call it; empty for the whole file
   */
  public static Section of(Node node, String path, Reading reading) {
    if (node instanceof Scalar || node instanceof Sequence) {
      // Not quoted: it may be a secret in the wrong place.
      reading.mistake(
          node.line(),
          "%s is %s, but %s is expected"
              .formatted(path.isEmpty() ? "the file" : path, node.kind(), GROUP));
    }
    List<Entry> entries = node instanceof Mapping mapping ? mapping.entries() : List.of();
    return new Section(reading, path, node.line(), entries);
  }

  /** The same in another reading, which gets the mistakes from now on. */
  public Section in(Reading other) {
    return new Section(other, this);
  }

  /** A single value under a key. */
  public Optional<String> text(String key) {
    return text(key, SINGLE);
  }

  /** The same, with what is expected of it for messages. */
  public Optional<String> text(String key, String expected) {
    return scalar(key, expected).flatMap(scalar -> reading.expanded(scalar, at(key)));
  }

  /** A single value that must be there. */
  public Optional<String> required(String key, String meaning) {
    if (!has(key)) {
      missing(key, meaning);
    }
    return text(key);
  }

  /** A single value that must be there, read as by {@link #read(String, Function)}. */
  public <T> Optional<T> required(String key, String meaning, Function<String, T> reader) {
    if (!has(key)) {
      missing(key, meaning);
    }
    return read(key, reader);
  }

  /**
   * A single value, read.
   *
   * @param reader throws {@link IllegalArgumentException} if it can make nothing of the text, with
   *     what is expected: "but … is expected"
   */
  public <T> Optional<T> read(String key, Function<String, T> reader) {
    return scalar(key, SINGLE).flatMap(scalar -> read(at(key), scalar, reader));
  }

  /**
   * A single value, read.
   *
   * @param reader throws {@link IllegalArgumentException} if it can make nothing of the text, with
   *     the reason if there is one
   */
  public <T> Optional<T> read(String key, String expected, Function<String, T> reader) {
    return scalar(key, expected)
        .flatMap(scalar -> read(at(key), scalar, text -> expecting(expected, reader, text)));
  }

  /** A text that stands under a key, read as by {@link #read(String, Function)}. */
  public <T> Optional<T> parse(String key, String text, Function<String, T> reader) {
    return read(at(key), new Scalar(line(key), text, false), reader);
  }

  private <T> Optional<T> read(String at, Scalar scalar, Function<String, T> reader) {
    try {
      return reading.expanded(scalar, at).map(reader);
    } catch (IllegalArgumentException wrong) {
      // As it is written: the variable that it stands for may be a secret.
      reading.mistake(
          scalar.line(), "%s is '%s', %s".formatted(at, scalar.text(), wrong.getMessage()));
      return Optional.empty();
    }
  }

  private static <T> T expecting(String expected, Function<String, T> reader, String text) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      // Those of the JDK's own kinds quote the text, which a variable may have filled in.
      boolean says =
          e.getMessage() != null
              && e.getCause() == null
              && e.getClass() == IllegalArgumentException.class;
      throw new IllegalArgumentException(
          "but %s is expected%s".formatted(expected, says ? " (" + e.getMessage() + ")" : ""), e);
    }
  }

  private Optional<Scalar> scalar(String key, String expected) {
    Optional<Node> node = node(key);
    if (node.isPresent() && !(node.get() instanceof Scalar)) {
      mistake(
          key,
          "is %s, but %s is expected%s"
              .formatted(node.get().kind(), expected, meantReference(node.get())));
    }
    return node.filter(Scalar.class::isInstance).map(Scalar.class::cast);
  }

  /** Without quotes YAML takes braces for a group of keys, the commonest slip of all. */
  private static String meantReference(Node node) {
    return node instanceof Mapping mapping
            && mapping.entries().size() == 1
            && mapping.entries().getFirst().value() instanceof Nothing
            && REFERENCE.matcher(mapping.entries().getFirst().key()).matches()
        ? "; did you mean \"{%s}\", with quotes?".formatted(mapping.entries().getFirst().key())
        : "";
  }

  /** A truth value. */
  public Optional<Boolean> flag(String key) {
    return read(
        key,
        "true or false",
        text ->
            switch (reading.plain(text)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException();
            });
  }

  /** A whole number. */
  public Optional<Integer> integer(String key) {
    return read(key, "a whole number", Integer::valueOf);
  }

  /** A whole number within bounds. */
  public Optional<Integer> integer(String key, int least, int most) {
    return read(
        key,
        "a whole number from %,d to %,d".formatted(least, most),
        text -> {
          int number = Integer.parseInt(text);
          if (number < least || number > most) {
            throw new IllegalArgumentException();
          }
          return number;
        });
  }

  /** A number. */
  public Optional<Double> number(String key) {
    return read(
        key,
        "a number",
        text -> {
          if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException();
          }
          return Double.valueOf(text);
        });
  }

  /** A duration, as {@link Durations} reads it. */
  public Optional<Duration> duration(String key) {
    return read(
        key, text -> Durations.parse(reading.isSettings() ? text.toLowerCase(Locale.ROOT) : text));
  }

  /** A file, from the folder of the one that is read. */
  public Optional<Path> file(String key) {
    return read(key, "the name of a file", reading::resolved);
  }

  /** One of several words. */
  public Optional<String> word(String key, Collection<String> words) {
    return read(
        key,
        text ->
            words.stream()
                .filter(word -> reading.plain(word).equals(reading.plain(text)))
                .findFirst()
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            reading.instead("which is not known", text, words))));
  }

  /** One of the constants, as in {@code last-modified}. */
  public <E extends Enum<E>> Optional<E> word(String key, Class<E> type) {
    Map<String, E> constants = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      constants.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    return word(key, constants.keySet()).flatMap(word -> Optional.ofNullable(constants.get(word)));
  }

  /** A group of keys under a key. */
  public Optional<Section> section(String key) {
    return node(key).map(node -> of(node, at(key), reading));
  }

  /** The same, where an empty one is a mistake, too. */
  public Optional<Section> section(String key, String expected) {
    Optional<Node> node = node(key);
    if (node.isPresent() && !(node.get() instanceof Mapping)) {
      mistake(key, "is %s, but %s is expected".formatted(node.get().kind(), expected));
    }
    return node.filter(Mapping.class::isInstance).map(group -> of(group, at(key), reading));
  }

  /** A group of keys that must be there. */
  public Optional<Section> requiredSection(String key, String meaning) {
    if (!has(key)) {
      missing(key, meaning);
    }
    return section(key);
  }

  /** A group of keys under a key, as if it were empty if it is not there. */
  public Section sectionOrEmpty(String key) {
    return section(key).orElseGet(() -> of(new Nothing(line), at(key), reading));
  }

  /** The groups of keys that are listed under a key; those of settings are called by their name. */
  public List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    for (Node node : nodes(key)) {
      int count = sections.size();
      String name = reading.isSettings() ? name(node, count + 1) : String.valueOf(count);
      sections.add(of(node, "%s[%s]".formatted(at(key), name), reading));
    }
    return List.copyOf(sections);
  }

  private String name(Node item, int number) {
    return item instanceof Mapping mapping
        ? mapping.entries().stream()
            .filter(entry -> reading.plain(entry.key()).equals("name"))
            .map(Entry::value)
            .filter(Scalar.class::isInstance)
            .map(value -> ((Scalar) value).text())
            .findFirst()
            .orElse(String.valueOf(number))
        : String.valueOf(number);
  }

  /** One or several values under a key, read as by {@link #read(String, Function)}. */
  public <T> List<T> list(String key, Function<String, T> reader) {
    List<T> values = new ArrayList<>();
    for (Node node : nodes(key)) {
      if (node instanceof Scalar scalar) {
        read(at(key), scalar, reader).ifPresent(values::add);
      } else {
        reading.mistake(
            node.line(),
            "%s is %s, but single values are expected".formatted(at(key), node.kind()));
      }
    }
    return List.copyOf(values);
  }

  /**
   * Builds options out of what was read. What they refuse becomes a mistake in the line of the key
   * that their message begins with, in the words of the file.
   *
   * @return empty if they were refused
   */
  public <T> Optional<T> build(Supplier<T> options) {
    try {
      return Optional.of(options.get());
    } catch (IllegalArgumentException e) {
      blame(Durations.inWords(String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private void blame(String message) {
    String named = message.substring(0, Math.max(0, message.indexOf(' ')));
    String key = named.substring(named.lastIndexOf('.') + 1);
    if (!asked.contains(key)) {
      reading.mistake(line, "%s: %s".formatted(path, message));
      return;
    }
    int must = message.indexOf(", but must ");
    Optional<Node> node = node(key);
    boolean asWritten =
        must > 0
            && message.startsWith(" is ", named.length())
            && node.filter(Scalar.class::isInstance).isPresent();
    mistake(
        key,
        asWritten
            ? "is %s%s".formatted(((Scalar) node.get()).text(), message.substring(must))
            : message.substring(named.length()).strip());
  }
}
