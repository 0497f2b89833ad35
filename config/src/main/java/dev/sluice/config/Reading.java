package dev.sluice.config;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One reading of a file: its surroundings, and what was found to be wrong. Not thread-safe. */
public final class Reading {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");

  private final String file;
  private final Path folder;
  private final Map<String, String> variables;
  private final boolean settings;
  private final Suggestions suggestions;
  private final Set<Mistake> found = new LinkedHashSet<>();

  private Reading(
      String file,
      Path folder,
      Map<String, String> variables,
      boolean settings,
      Suggestions suggestions) {
    this.file = requireNonNull(file, "file");
    this.folder = folder;
    this.variables = variables;
    this.settings = settings;
    this.suggestions = suggestions;
  }

  /** Finds the known word that somebody probably meant to type. */
  @FunctionalInterface
  public interface Suggestions {
    /** The nearest of the known words; empty if none is near. */
    Optional<String> closest(String typed, Collection<String> known);
  }

  /**
   * Of a file whose keys are written exactly as they are documented.
   *
   * @param file what messages call it
   */
  public static Reading of(String file, Suggestions suggestions) {
    return new Reading(file, Path.of(""), Map.of(), false, suggestions);
  }

  /**
   * Of settings: keys and words in any case style, {@code null} for what is left out, and {@code
   * ${NAME}} for an environment variable. Relative paths start from the folder of the file.
   *
   * @param variables the environment's
   */
  public static Reading ofSettings(
      Path file, Map<String, String> variables, Suggestions suggestions) {
    Path parent = file.toAbsolutePath().getParent();
    return new Reading(
        file.toString(),
        parent == null ? file.toAbsolutePath() : parent,
        Map.copyOf(variables),
        true,
        suggestions);
  }

  /** The same file and surroundings with nothing wrong yet. */
  public Reading again() {
    return new Reading(file, folder, variables, settings, suggestions);
  }

  /** What messages call the file. */
  public String file() {
    return file;
  }

  /** What relative paths start from. */
  public Path folder() {
    return folder;
  }

  /** The environment's variables. */
  public Map<String, String> variables() {
    return variables;
  }

  /** Whether this is of settings. */
  boolean isSettings() {
    return settings;
  }

  /** A key or a word without its case style, if that does not matter here. */
  String plain(String word) {
    return settings ? word.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT) : word;
  }

  /**
   * Notes a mistake.
   *
   * @param line where, from 1; 0 if it is nowhere in the file
   * @param text the key, what is wrong with it, and what to write instead
   */
  public void mistake(int line, String text) {
    found.add(new Mistake(line, text));
  }

  /** Notes a word that is none of the known ones, with the one that was probably meant. */
  public void unknown(int line, String path, String word, Collection<String> known) {
    mistake(line, "%s %s".formatted(path, instead("is not known", word, known)));
  }

  /** What is wrong with a word, and what was probably meant. */
  public String instead(String wrong, String word, Collection<String> known) {
    Map<String, String> byPlain = new LinkedHashMap<>();
    known.forEach(each -> byPlain.putIfAbsent(plain(each), each));
    return "%s; %s"
        .formatted(
            wrong,
            suggestions
                .closest(plain(word), byPlain.keySet())
                .map(close -> "did you mean %s?".formatted(byPlain.get(close)))
                .orElse("one of %s is expected".formatted(String.join(", ", known))));
  }

  /** Adds what another reading of the same file found, if anything is wrong here already. */
  public void join(Reading other) {
    if (!found.isEmpty()) {
      found.addAll(other.found);
    }
  }

  /** Ends the reading if anything was wrong. */
  public void check() throws ConfigurationException {
    if (!found.isEmpty()) {
      throw new ConfigurationException(mistakes());
    }
  }

  /** All mistakes as people read them, in the order of their lines. */
  public List<String> mistakes() {
    return found.stream()
        .sorted(comparingInt(Mistake::line))
        .map(mistake -> mistake.in(file))
        .toList();
  }

  /** The variable that a text refers to by {@code ${NAME}}, if it does nothing else. */
  static Optional<String> reference(String text) {
    Matcher matcher = REFERENCE.matcher(text.strip());
    return matcher.matches() ? Optional.of(matcher.group(1).strip()) : Optional.empty();
  }

  /** A text, or the variable that it refers to; empty, and a mistake, if that is not set. */
  Optional<String> expanded(Node.Scalar scalar, String path) {
    return settings && reference(scalar.text()).isPresent()
        ? variable(scalar.line(), path, reference(scalar.text()).get())
        : Optional.of(scalar.text());
  }

  /** The value of a variable; empty, and a mistake, if it is not set. */
  Optional<String> variable(int line, String path, String name) {
    if (!VARIABLE.matcher(name).matches()) {
      // Not quoted: a secret may have been put where the name of its variable belongs.
      mistake(line, path + " names no environment variable (letters, digits and _ only)");
      return Optional.empty();
    }
    Optional<String> value =
        Optional.ofNullable(variables.get(name)).filter(text -> !text.isBlank());
    if (value.isEmpty()) {
      mistake(
          line,
          "%s comes from the environment variable %s, but that is not set; export %2$s=… sets it"
              .formatted(path, name));
    }
    return value;
  }

  /**
   * A path, from the folder of the file.
   *
   * @throws IllegalArgumentException if it cannot be one
   */
  Path resolved(String path) {
    if (path.isBlank()) {
      throw new InvalidPathException(path, "empty");
    }
    return folder.resolve(path).normalize();
  }

  private record Mistake(int line, String text) {
    String in(String file) {
      return line > 0 ? "%s:%d: %s".formatted(file, line, text) : "%s: %s".formatted(file, text);
    }
  }
}
