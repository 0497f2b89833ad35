package dev.sluice.cli.config;

import dev.sluice.collect.yaml.document.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a secret is, which is never the configuration itself. Fetched when it is needed, so that
 * whoever only looks at runs needs no secrets.
 */
sealed interface SecretSource {

  /** Where the configuration speaks of it. */
  int line();

  /** The keys that lead there. */
  String path();

  /** The secret; empty, and a mistake, if it is not there. */
  Optional<String> fetch(Reading reading);

  /** In the configuration itself, where that is allowed. Prints nothing of it. */
  record Written(int line, String path, String text) implements SecretSource {
    @Override
    public Optional<String> fetch(Reading reading) {
      return Optional.of(text);
    }

    @Override
    public String toString() {
      return path;
    }
  }

  /** In an environment variable. */
  record Variable(int line, String path, String name) implements SecretSource {
    @Override
    public Optional<String> fetch(Reading reading) {
      return reading.variable(line, path, name);
    }
  }

  /** In a file by itself; a line's end behind it does not belong to it. */
  record OwnFile(int line, String path, Path file) implements SecretSource {
    @Override
    public Optional<String> fetch(Reading reading) {
      try {
        String secret = Files.readString(file, StandardCharsets.UTF_8).stripTrailing();
        if (secret.isEmpty()) {
          reading.mistake(line, "%s names %s, but that file is empty".formatted(path, file));
        }
        return Optional.of(secret).filter(text -> !text.isEmpty());
      } catch (NoSuchFileException e) {
        reading.mistake(line, "%s names %s, but there is no such file".formatted(path, file));
      } catch (IOException e) {
        reading.mistake(line, "%s names %s, but that file cannot be read".formatted(path, file));
      }
      return Optional.empty();
    }
  }

  /**
   * What a section says about a secret: {@code secret: {env: NAME}}, {@code secret: ${NAME}},
   * {@code secret: {file: PATH}} or {@code secretFile: PATH}; empty if it says nothing, or nothing
   * that can be.
   */
  static Optional<SecretSource> read(Section section, String key, String... others) {
    String fileKey = key + "File";
    Optional<SecretSource> file =
        section
            .file(fileKey)
            .map(path -> new OwnFile(section.line(fileKey), section.path(fileKey), path));
    Optional<Node.Entry> entry = section.entry(key, others);
    if (entry.isEmpty()) {
      return file;
    }
    if (file.isPresent()) {
      section
          .reading()
          .mistake(
              entry.get().line(),
              "%s and %s are both given, but must not be"
                  .formatted(section.path(key), section.path(fileKey)));
      return file;
    }
    return switch (entry.get().value()) {
      case Node.Mapping mapping -> nested(section, key, entry.get());
      case Node.Scalar scalar when Reading.reference(scalar.text()).isPresent() ->
          Reading.reference(scalar.text())
              .map(name -> new Variable(scalar.line(), section.path(key), name));
      case Node value -> {
        section
            .reading()
            .mistake(
                value.line(),
                ("%1$s is written into this file, but must come from elsewhere: %2$s: {env: NAME}"
                        + " takes it from an environment variable, %2$sFile: PATH from a file")
                    .formatted(section.path(key), key));
        yield Optional.empty();
      }
    };
  }

  /**
   * What an entry says that may be a secret and may stand in the file: {@code {env: NAME}}, {@code
   * ${NAME}}, {@code {file: PATH}} or a text; empty, and a mistake, if it says nothing that can be.
   */
  static Optional<SecretSource> orWritten(Section section, Node.Entry entry) {
    String path = section.path(entry.key());
    return switch (entry.value()) {
      case Node.Mapping mapping -> nested(section, entry.key(), entry);
      case Node.Scalar scalar ->
          Optional.of(
              Reading.reference(scalar.text())
                  .<SecretSource>map(name -> new Variable(entry.line(), path, name))
                  .orElseGet(() -> new Written(entry.line(), path, scalar.text())));
      case Node.Nothing nothing -> Optional.of(new Written(entry.line(), path, ""));
      case Node.Sequence list -> {
        section.reading().mistake(entry.line(), path + " is a list, but must be a text");
        yield Optional.empty();
      }
    };
  }

  private static Optional<SecretSource> nested(Section section, String key, Node.Entry entry) {
    Section inner = Section.of(section.reading(), section.path(key), entry.line(), entry.value());
    Optional<String> variable = inner.text("env");
    Optional<Path> file = inner.file("file");
    inner.end();
    if (variable.isPresent() == file.isPresent()) {
      section
          .reading()
          .mistake(
              entry.line(),
              "%s must have one of env (an environment variable's name) and file (a file's name)"
                  .formatted(section.path(key)));
      return Optional.empty();
    }
    return variable
        .<SecretSource>map(name -> new Variable(entry.line(), section.path(key), name))
        .or(() -> file.map(path -> new OwnFile(entry.line(), section.path(key), path)));
  }
}
