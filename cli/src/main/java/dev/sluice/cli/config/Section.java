package dev.sluice.cli.config;

import dev.sluice.collect.yaml.document.Node;
import dev.sluice.control.signal.WireName;
import dev.sluice.gate.words.Spelling;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keys and values under one heading. Each question names a key by its usual spelling, and finds it
 * in any case style; what was never asked for is unknown. An answer that cannot be is reported to
 * the {@link Reading} and is empty, so that one reading finds every mistake. For one thread.
 */
final class Section {
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d+");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private final Reading reading;
  private final String path;
  private final int line;
  private final List<Node.Entry> entries;
  private final Set<String> asked;
  private final Map<String, Node.Entry> found;

  private Section(Reading reading, String path, int line, List<Node.Entry> entries) {
    this(reading, path, line, entries, new LinkedHashSet<>(), new HashMap<>());
  }

  private Section(
      Reading reading,
      String path,
      int line,
      List<Node.Entry> entries,
      Set<String> asked,
      Map<String, Node.Entry> found) {
    this.reading = reading;
    this.path = path;
    this.line = line;
    this.entries = entries;
    this.asked = asked;
    this.found = found;
  }

  /**
   * What a node holds; nothing, and a mistake, if it holds something else than keys.
   *
   * @param path its keys from the top, joined by dots; empty for the top
   * @param line where it is called by its name
   */
  static Section of(Reading reading, String path, int line, Node node) {
    return switch (node) {
      case Node.Mapping mapping -> new Section(reading, path, line, mapping.entries());
      case Node.Nothing nothing -> new Section(reading, path, line, List.of());
      case Node.Sequence list -> {
        reading.mistake(line, called(path) + " is a list, but must have keys of its own");
        yield new Section(reading, path, line, List.of());
      }
      case Node.Scalar scalar -> {
        // Not quoted: it may be a secret in the wrong place.
        reading.mistake(line, called(path) + " is a single value, but must have keys of its own");
        yield new Section(reading, path, line, List.of());
      }
    };
  }

  /** The same in a later reading, to which what is found wrong from now on is reported. */
  Section in(Reading later) {
    return new Section(later, path, line, entries, asked, found);
  }

  /** The reading that it is a part of. */
  Reading reading() {
    return reading;
  }

  /** The keys from the top that lead here, and one more. */
  String path(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The keys from the top that lead here. */
  String path() {
    return path;
  }

  /** Whether a key that was asked for is there. */
  boolean has(String key) {
    return found.containsKey(key);
  }

  /** Where it is called by its name; 0 if it is not there. */
  int line() {
    return line;
  }

  /** Where a key stands; where the section does, if it is not there. */
  int line(String key) {
    Node.Entry entry = found.get(key);
    return entry == null ? line : entry.line();
  }

  /** The value of a key, by its usual name or another; empty if it is not there or null. */
  Optional<Node.Entry> entry(String key, String... others) {
    asked.add(key);
    asked.addAll(List.of(others));
    Set<String> names = new LinkedHashSet<>();
    names.add(plain(key));
    for (String other : others) {
      names.add(plain(other));
    }
    List<Node.Entry> matching =
        entries.stream().filter(entry -> names.contains(plain(entry.key()))).toList();
    if (matching.size() > 1) {
      reading.mistake(
          matching.getLast().line(),
          "%s is given twice, here and in line %d, but must be given once"
              .formatted(path(key), matching.getFirst().line()));
    }
    if (!matching.isEmpty()) {
      found.put(key, matching.getFirst());
    }
    return matching.stream().findFirst().filter(entry -> !(entry.value() instanceof Node.Nothing));
  }

  /** Keys of its own under a key; an empty section if it is not there. */
  Section section(String key, String... others) {
    return entry(key, others)
        .map(entry -> of(reading, path(key), entry.line(), entry.value()))
        .orElseGet(() -> new Section(reading, path(key), line, List.of()));
  }

  /** A list of sections under a key, named by their place in it; empty if it is not there. */
  List<Section> sections(String key, String... others) {
    Optional<Node.Entry> entry = entry(key, others);
    if (entry.isEmpty()) {
      return List.of();
    }
    if (!(entry.get().value() instanceof Node.Sequence list)) {
      reading.mistake(
          entry.get().line(),
          path(key) + " is not a list, but must be one (each begins with '- ')");
      return List.of();
    }
    List<Section> sections = new ArrayList<>();
    for (Node item : list.items()) {
      String name = name(item).orElse(String.valueOf(sections.size() + 1));
      sections.add(of(reading, "%s[%s]".formatted(path(key), name), item.line(), item));
    }
    return sections;
  }

  /** All that stands here, where the keys are the user's own. */
  List<Node.Entry> entries() {
    return List.copyOf(entries);
  }

  /** A list of texts; empty if it is not there. */
  List<String> texts(String key) {
    Optional<Node.Entry> entry = entry(key);
    List<String> texts = new ArrayList<>();
    if (entry.isPresent() && entry.get().value() instanceof Node.Sequence list) {
      for (Node item : list.items()) {
        if (item instanceof Node.Scalar scalar) {
          reading.expanded(scalar, path(key)).ifPresent(texts::add);
        } else {
          reading.mistake(item.line(), path(key) + " holds something that is no text");
        }
      }
    } else if (entry.isPresent()) {
      reading.mistake(
          entry.get().line(),
          "%s is %s, but must be a list of texts"
              .formatted(
                  path(key),
                  entry.get().value() instanceof Node.Scalar ? "a single value" : "a section"));
    }
    return texts;
  }

  /** What an item of a list calls itself, if it does. */
  private static Optional<String> name(Node item) {
    return item instanceof Node.Mapping mapping
        ? mapping.entries().stream()
            .filter(entry -> plain(entry.key()).equals("name"))
            .map(Node.Entry::value)
            .filter(Node.Scalar.class::isInstance)
            .map(value -> ((Node.Scalar) value).text())
            .findFirst()
        : Optional.empty();
  }

  /** A text, whatever it says. {@code ${NAME}} stands for an environment variable. */
  Optional<String> text(String key, String... others) {
    return value(key, others, "be a text", Optional::of);
  }

  /** A truth value. */
  Optional<Boolean> flag(String key) {
    return value(
        key,
        new String[0],
        "be true or false",
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> Optional.of(true);
              case "false" -> Optional.of(false);
              default -> Optional.empty();
            });
  }

  /** A whole number. */
  Optional<Integer> integer(String key, String... others) {
    return value(
        key,
        others,
        "be a whole number",
        text -> {
          try {
            return INTEGER.matcher(text).matches()
                ? Optional.of(Integer.parseInt(text))
                : Optional.empty();
          } catch (NumberFormatException e) {
            return Optional.empty(); // longer than any of our numbers may be
          }
        });
  }

  /** A number. */
  Optional<Double> number(String key) {
    return value(
        key,
        new String[0],
        "be a number",
        text ->
            NUMBER.matcher(text).matches()
                ? Optional.of(Double.parseDouble(text))
                : Optional.empty());
  }

  /** A span of time. */
  Optional<Duration> span(String key) {
    return value(key, new String[0], Spans.EXPECTED, Spans::parse);
  }

  /** The address of a service. */
  Optional<URI> address(String key, String... others) {
    return value(
        key,
        others,
        "be an address such as https://contoso.crm4.dynamics.com",
        text -> {
          try {
            return Optional.of(new URI(text));
          } catch (URISyntaxException e) {
            return Optional.empty();
          }
        });
  }

  /** A file, from the folder of the configuration. */
  Optional<Path> file(String key) {
    return value(key, new String[0], "be the name of a file", reading::resolved);
  }

  /** One of several words, in any case style. */
  <E extends Enum<E> & WireName> Optional<E> word(String key, Class<E> type) {
    E[] all = type.getEnumConstants();
    String known = Arrays.stream(all).map(WireName::wireName).collect(Collectors.joining(", "));
    return value(
        key,
        new String[0],
        "be one of " + known,
        text ->
            Arrays.stream(all).filter(one -> plain(one.name()).equals(plain(text))).findFirst());
  }

  private <T> Optional<T> value(
      String key, String[] others, String expected, Function<String, Optional<T>> read) {
    Optional<Node.Entry> entry = entry(key, others);
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    if (!(entry.get().value() instanceof Node.Scalar scalar)) {
      reading.mistake(
          entry.get().line(),
          "%s is %s, but must %s"
              .formatted(
                  path(key),
                  entry.get().value() instanceof Node.Sequence ? "a list" : "a section",
                  expected));
      return Optional.empty();
    }
    Optional<String> text = reading.expanded(scalar, path(key));
    Optional<T> value = text.flatMap(read);
    if (text.isPresent() && value.isEmpty()) {
      reading.mistake(
          scalar.line(), "%s is %s, but must %s".formatted(path(key), scalar.text(), expected));
    }
    return value;
  }

  /**
   * Builds options out of what was read. What they refuse becomes a mistake in the line of the key
   * that their message begins with, in the words of the file.
   *
   * @return empty if they were refused
   */
  <T> Optional<T> build(Supplier<T> options) {
    try {
      return Optional.of(options.get());
    } catch (IllegalArgumentException e) {
      reading.mistake(blame(String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  /** A message that begins with the name of an option, as a mistake in its line. */
  private Mistake blame(String message) {
    String words = Spans.inWords(message);
    String named = words.substring(0, Math.max(0, words.indexOf(' ')));
    String key = named.substring(named.lastIndexOf('.') + 1);
    if (asked.stream().noneMatch(key::equals)) {
      return new Mistake(line, called(path) + ": " + words);
    }
    String rest = words.substring(named.length());
    String must = ", but must ";
    Node.Entry entry = found.get(key);
    if (entry != null
        && entry.value() instanceof Node.Scalar written
        && rest.startsWith(" is ")
        && rest.contains(must)) {
      rest = " is " + written.text() + rest.substring(rest.indexOf(must));
    }
    return new Mistake(line(key), path(key) + rest);
  }

  /** Reports what nobody asked for, with what was probably meant. */
  void end() {
    for (Node.Entry entry : entries) {
      if (asked.stream().map(Section::plain).noneMatch(plain(entry.key())::equals)) {
        reading.mistake(
            entry.line(),
            "%s is not an option; %s"
                .formatted(
                    path(entry.key()),
                    closest(entry.key())
                        .map(word -> "did you mean " + word + "?")
                        .orElse("there are " + String.join(", ", asked))));
      }
    }
  }

  private Optional<String> closest(String typed) {
    return Spelling.closest(plain(typed), asked.stream().map(Section::plain).toList())
        .flatMap(word -> asked.stream().filter(one -> plain(one).equals(word)).findFirst());
  }

  private static String called(String path) {
    return path.isEmpty() ? "the configuration" : path;
  }

  /** A key without its case style. */
  private static String plain(String key) {
    return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }
}
