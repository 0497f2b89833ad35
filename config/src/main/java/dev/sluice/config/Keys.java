package dev.sluice.config;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import dev.sluice.config.Node.Entry;
import dev.sluice.config.Node.Nothing;
import dev.sluice.config.Node.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The keys of a {@link Section}: what stands under each, and which of them are known. */
abstract sealed class Keys implements AutoCloseable permits Section {
  final Reading reading;
  final String path;
  final int line;
  private final List<Entry> entries;
  private final Map<String, List<Entry>> byKey;
  final Set<String> asked;

  Keys(Reading reading, String path, int line, List<Entry> entries) {
    this.reading = reading;
    this.path = path;
    this.line = line;
    this.entries = entries;
    this.byKey = entries.stream().collect(groupingBy(entry -> reading.plain(entry.key())));
    this.asked = new LinkedHashSet<>();
  }

  Keys(Reading reading, Keys same) {
    this.reading = reading;
    this.path = same.path;
    this.line = same.line;
    this.entries = same.entries;
    this.byKey = same.byKey;
    this.asked = same.asked;
  }

  /** Where mistakes are noted. */
  public Reading reading() {
    return reading;
  }

  /** Where it begins, from 1. */
  public int line() {
    return line;
  }

  /** What messages call it. */
  public String path() {
    return path;
  }

  /** What messages call one of its keys. */
  public String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** All that stands here, for groups whose keys are names. */
  public List<Entry> entries() {
    return entries;
  }

  /** The keys as they are written. For groups whose keys are names; they all count as known. */
  public List<String> names() {
    List<String> names = entries.stream().map(Entry::key).distinct().toList();
    asked.addAll(names);
    return names;
  }

  /** Lets a key be written in another way, too. */
  public void alias(String key, String other) {
    asked.addAll(List.of(key, other));
    List<Entry> both = new ArrayList<>(byKey.getOrDefault(reading.plain(key), List.of()));
    both.addAll(byKey.getOrDefault(reading.plain(other), List.of()));
    both.sort(comparingInt(Entry::line));
    byKey.put(reading.plain(key), both);
  }

  private Optional<Entry> find(String key) {
    asked.add(key);
    List<Entry> found = byKey.getOrDefault(reading.plain(key), List.of());
    if (found.size() > 1) {
      reading.mistake(
          found.getLast().line(),
          "%s is a duplicate key, already in line %d; remove one"
              .formatted(at(key), found.getFirst().line()));
    }
    return found.stream().findFirst();
  }

  /** Whether a key is there. */
  public boolean has(String key) {
    return find(key).isPresent();
  }

  /** The line of a key, or of the section if it is not there. */
  public int line(String key) {
    return find(key).map(Entry::line).orElse(line);
  }

  /** What stands under a key. */
  public Optional<Node> node(String key) {
    return find(key)
        .map(Entry::value)
        .filter(node -> !(reading.isSettings() && node instanceof Nothing));
  }

  /** What is listed under a key, or the one thing there. */
  public List<Node> nodes(String key) {
    return node(key)
        .map(node -> node instanceof Sequence sequence ? sequence.items() : List.of(node))
        .orElse(List.of());
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
    reading.mistake(
        line,
        "%s has %s, but one of %s is expected"
            .formatted(
                path,
                there.isEmpty() ? none : String.join(" and ", there),
                String.join(", ", keys)));
    return Optional.empty();
  }

  /** Notes that something is wrong with a key. */
  public void mistake(String key, String wrong) {
    reading.mistake(line(key), at(key) + " " + wrong);
  }

  /** Notes that a key is missing. */
  public void missing(String key, String meaning) {
    reading.mistake(line, "%s is missing (%s)".formatted(at(key), meaning));
  }

  /** Notes the keys that nobody asked for. */
  @Override
  public void close() {
    Set<String> known = asked.stream().map(reading::plain).collect(toSet());
    for (Entry entry : entries) {
      if (!known.contains(reading.plain(entry.key()))) {
        reading.unknown(entry.line(), at(entry.key()), entry.key(), asked);
      }
    }
  }
}
