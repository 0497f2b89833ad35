package dev.sluice.collect.yaml.document;

import dev.sluice.collect.yaml.document.Node.Entry;
import dev.sluice.collect.yaml.document.Node.Mapping;
import dev.sluice.collect.yaml.document.Node.Nothing;
import dev.sluice.collect.yaml.document.Node.Scalar;
import dev.sluice.collect.yaml.document.Node.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A group of keys, read one by one. What is asked for is what is known: {@link #close} notes every
 * key that nobody asked for. A mistake is noted and reads as if the key were not there, so that one
 * reading finds them all. Not thread-safe.
 */
public final class Section implements AutoCloseable {
  private static final Pattern REFERENCE =
      Pattern.compile("(config|env|parent|split)(\\.[A-Za-z0-9_-]+)?");

  private final String path;
  private final int line;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final Mistakes mistakes;

  private Section(String path, int line, Mistakes mistakes) {
    this.path = path;
    this.line = line;
    this.mistakes = mistakes;
  }

  /**
   * The keys of a whole file.
   *
   * @throws ConnectorFileException if it is no YAML, in which case nothing else can be found
   */
  public static Section of(String text, Mistakes mistakes) throws ConnectorFileException {
    try {
      return of(YamlText.parse(text), "", mistakes);
    } catch (MalformedYamlException e) {
      throw mistakes.with(e.line(), e.problem());
    }
  }

  /**
   * A node as a group of keys; empty, and a mistake, if it is something else.
   *
   * @param path what messages call it; empty for the whole file
   */
  public static Section of(Node node, String path, Mistakes mistakes) {
    Section section = new Section(path, node.line(), mistakes);
    switch (node) {
      case Mapping mapping -> {
        for (Entry entry : mapping.entries()) {
          if (section.entries.putIfAbsent(entry.key(), entry) != null) {
            mistakes.add(
                entry.line(),
                "%s stands there twice; leave one".formatted(section.at(entry.key())));
          }
        }
      }
      case Nothing nothing -> {
        // As if it had no keys: what must be there is missed by whoever asks for it.
      }
      case Scalar scalar -> section.refuse(node);
      case Sequence sequence -> section.refuse(node);
    }
    return section;
  }

  private void refuse(Node node) {
    mistakes.add(
        node.line(),
        "%s is %s, but a group of keys is expected"
            .formatted(path.isEmpty() ? "the file" : path, node.kind()));
  }

  /** Where it begins, from 1. */
  public int line() {
    return line;
  }

  /** What messages call it. */
  public String path() {
    return path;
  }

  /** Where mistakes are noted. */
  public Mistakes mistakes() {
    return mistakes;
  }

  /** What messages call one of its keys. */
  public String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** The keys as they are written. For groups whose keys are names; they all count as known. */
  public List<String> names() {
    known.addAll(entries.keySet());
    return List.copyOf(entries.keySet());
  }

  /** Whether a key is there. */
  public boolean has(String key) {
    known.add(key);
    return entries.containsKey(key);
  }

  /**
   * The one of some keys that is there; empty, and a mistake, if none or several are.
   *
   * @param none what is missing if none is
   */
  public Optional<String> onlyOne(List<String> keys, String none) {
    List<String> there = keys.stream().filter(this::has).toList();
    if (there.size() == 1) {
      return Optional.of(there.getFirst());
    }
    mistakes.add(
        line,
        "%s has %s, but one of %s is expected"
            .formatted(
                path,
                there.isEmpty() ? none : String.join(" and ", there),
                String.join(", ", keys)));
    return Optional.empty();
  }

  /** The line of a key, or of the section if it is not there. */
  public int line(String key) {
    Entry entry = entries.get(key);
    return entry == null ? line : entry.line();
  }

  /** What stands under a key. */
  public Optional<Node> node(String key) {
    known.add(key);
    return Optional.ofNullable(entries.get(key)).map(Entry::value);
  }

  /** Notes that something is wrong with a key. */
  public void mistake(String key, String wrong) {
    mistakes.add(line(key), at(key) + " " + wrong);
  }

  /** A single value under a key. */
  public Optional<String> text(String key) {
    return node(key)
        .flatMap(
            node -> {
              if (node instanceof Scalar scalar) {
                return Optional.of(scalar.text());
              }
              mistake(
                  key,
                  "is %s, but a single value is expected%s"
                      .formatted(node.kind(), meantReference(node)));
              return Optional.empty();
            });
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

  /** A single value that must be there. */
  public Optional<String> required(String key, String meaning) {
    if (!has(key)) {
      mistakes.add(line, "%s is missing (%s)".formatted(at(key), meaning));
    }
    return text(key);
  }

  /**
   * A single value, read.
   *
   * @param reader throws {@link IllegalArgumentException} if it can make nothing of the text, with
   *     what is expected: "but … is expected"
   */
  public <T> Optional<T> read(String key, Function<String, T> reader) {
    return text(key).flatMap(text -> read(key, text, reader));
  }

  /** A text that stands under a key, read likewise. */
  public <T> Optional<T> read(String key, String text, Function<String, T> reader) {
    try {
      return Optional.of(reader.apply(text));
    } catch (IllegalArgumentException wrong) {
      mistake(key, "is '%s', %s".formatted(text, wrong.getMessage()));
      return Optional.empty();
    }
  }

  /** One of several words. */
  public Optional<String> word(String key, List<String> words) {
    return read(
        key,
        text -> {
          if (words.contains(text)) {
            return text;
          }
          throw new IllegalArgumentException(Mistakes.instead("which is not known", text, words));
        });
  }

  /** A group of keys under a key. */
  public Optional<Section> section(String key) {
    return node(key).map(node -> of(node, at(key), mistakes));
  }

  /** One or several values under a key, read. */
  public <T> List<T> list(String key, Function<String, T> reader) {
    List<T> values = new ArrayList<>();
    for (Node node : nodes(key)) {
      if (node instanceof Scalar scalar) {
        read(key, scalar.text(), reader).ifPresent(values::add);
      } else {
        mistake(key, "is %s, but single values are expected".formatted(node.kind()));
      }
    }
    return List.copyOf(values);
  }

  /** The groups of keys that are listed under a key. */
  public List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    List<Node> nodes = nodes(key);
    for (int i = 0; i < nodes.size(); i++) {
      sections.add(of(nodes.get(i), "%s[%d]".formatted(at(key), i), mistakes));
    }
    return List.copyOf(sections);
  }

  /** What is listed under a key, or the one thing there. */
  public List<Node> nodes(String key) {
    return node(key)
        .map(node -> node instanceof Sequence sequence ? sequence.items() : List.of(node))
        .orElse(List.of());
  }

  /** Notes the keys that nobody asked for. */
  @Override
  public void close() {
    for (Entry entry : entries.values()) {
      if (!known.contains(entry.key())) {
        mistakes.unknown(entry.line(), at(entry.key()), entry.key(), known);
      }
    }
  }
}
