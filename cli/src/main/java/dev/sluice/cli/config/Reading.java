package dev.sluice.cli.config;

import dev.sluice.collect.yaml.document.Node;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One reading of a configuration: where it stands, and what was found to be wrong. */
final class Reading {
  /** What an environment variable may be called. */
  static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");

  private final String file;
  private final Path folder;
  private final Map<String, String> variables;
  private final List<Mistake> mistakes = new ArrayList<>();

  /**
   * Has found nothing wrong yet.
   *
   * @param file what messages call it
   * @param folder what its relative paths start from
   * @param variables the environment's
   */
  Reading(String file, Path folder, Map<String, String> variables) {
    this.file = file;
    this.folder = folder;
    this.variables = Map.copyOf(variables);
  }

  /** The same file and surroundings with nothing wrong yet. */
  Reading again() {
    return new Reading(file, folder, variables);
  }

  /** What relative paths start from. */
  Path folder() {
    return folder;
  }

  /** The environment's variables. */
  Map<String, String> variables() {
    return variables;
  }

  void mistake(int line, String text) {
    mistakes.add(new Mistake(line, text));
  }

  void mistake(Mistake mistake) {
    mistakes.add(mistake);
  }

  /** Ends the reading if anything was wrong. */
  void check() throws ConfigurationException {
    if (!mistakes.isEmpty()) {
      throw new ConfigurationException(file, mistakes);
    }
  }

  /** The variable that a text refers to by {@code ${NAME}}, if it does nothing else. */
  static Optional<String> reference(String text) {
    Matcher matcher = REFERENCE.matcher(text.strip());
    return matcher.matches() ? Optional.of(matcher.group(1).strip()) : Optional.empty();
  }

  /** A text, or the variable that it refers to; empty, and a mistake, if that is not set. */
  Optional<String> expanded(Node.Scalar scalar, String path) {
    Optional<String> name = reference(scalar.text());
    return name.isEmpty() ? Optional.of(scalar.text()) : variable(scalar.line(), path, name.get());
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

  /** A path as written, from the folder of the configuration; empty if it cannot be one. */
  Optional<Path> resolved(String path) {
    try {
      return path.isBlank() ? Optional.empty() : Optional.of(folder.resolve(path).normalize());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
