package dev.sluice.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a secret is, which is never the file itself. Fetched when it is needed, so that whoever
 * needs no secrets can do without.
 */
public sealed interface SecretSource {

  /** Where the file speaks of it. */
  int line();

  /** The keys that lead there. */
  String path();

  /** The secret; empty, and a mistake, if it is not there. */
  Optional<String> fetch(Reading reading);

  /** In the file itself, where that is allowed. Prints nothing of it. */
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
  static Optional<SecretSource> read(Section section, String key) {
    String fileKey = key + "File";
    Optional<SecretSource> file =
        section
            .file(fileKey)
            .map(path -> new OwnFile(section.line(fileKey), section.at(fileKey), path));
    Optional<Node> node = section.node(key);
    if (node.isEmpty()) {
      return file;
    }
    if (file.isPresent()) {
      section.mistake(key, "and %s are both given; remove one".formatted(section.at(fileKey)));
      return file;
    }
    Optional<SecretSource> source = elsewhere(section, section.at(key), node.get());
    if (source.isEmpty() && !(node.get() instanceof Node.Mapping)) {
      section.mistake(
          key,
          ("is written into this file, but must come from elsewhere: %1$s: {env: NAME} takes it"
                  + " from an environment variable, %1$sFile: PATH from a file")
              .formatted(key));
    }
    return source;
  }

  /**
   * What an entry says that may be a secret and may stand in the file: {@code {env: NAME}}, {@code
   * ${NAME}}, {@code {file: PATH}} or a text; empty, and a mistake, if it says nothing that can be.
   */
  static Optional<SecretSource> orWritten(Section section, Node.Entry entry) {
    String path = section.at(entry.key());
    Node node = entry.value();
    Optional<SecretSource> source = elsewhere(section, path, node);
    if (node instanceof Node.Sequence) {
      section.reading().mistake(node.line(), path + " is a list, but a text is expected");
    }
    return source.isPresent() || node instanceof Node.Sequence || node instanceof Node.Mapping
        ? source
        : Optional.of(
            new Written(
                node.line(), path, node instanceof Node.Scalar scalar ? scalar.text() : ""));
  }

  private static Optional<SecretSource> elsewhere(Section section, String path, Node node) {
    if (node instanceof Node.Scalar scalar) {
      return Reading.reference(scalar.text()).map(name -> new Variable(node.line(), path, name));
    }
    if (!(node instanceof Node.Mapping)) {
      return Optional.empty();
    }
    try (Section inner = Section.of(node, path, section.reading())) {
      Optional<SecretSource> variable =
          inner.text("env").map(name -> new Variable(node.line(), path, name));
      Optional<SecretSource> file =
          inner.file("file").map(name -> new OwnFile(node.line(), path, name));
      if (variable.isPresent() == file.isPresent()) {
        section
            .reading()
            .mistake(
                node.line(),
                path
                    + " must have one of env (an environment variable's name) and file (a file's"
                    + " name)");
        return Optional.empty();
      }
      return variable.or(() -> file);
    }
  }
}
