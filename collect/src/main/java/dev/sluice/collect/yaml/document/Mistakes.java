package dev.sluice.collect.yaml.document;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import dev.sluice.gate.words.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What was found to be wrong in one reading of a file. Not thread-safe. */
public final class Mistakes {
  private final String file;
  private final List<Mistake> found = new ArrayList<>();

  /**
   * Nothing yet.
   *
   * @param file what messages call it
   */
  public Mistakes(String file) {
    this.file = requireNonNull(file, "file");
  }

  /**
   * Notes one.
   *
   * @param line where, from 1; 0 if it is nowhere in the file
   * @param text the key, what is wrong with it, and what to write instead
   */
  public void add(int line, String text) {
    Mistake mistake = new Mistake(line, text);
    if (!found.contains(mistake)) {
      found.add(mistake);
    }
  }

  /** Notes a word that is none of the known ones, with the one that was probably meant. */
  public void unknown(int line, String path, String word, Collection<String> known) {
    add(line, "%s %s".formatted(path, instead("is not known", word, known)));
  }

  /** What is wrong with a word, and what was probably meant. */
  public static String instead(String wrong, String word, Collection<String> known) {
    return "%s; %s"
        .formatted(
            wrong,
            Spelling.closest(word, known)
                .map("did you mean %s?"::formatted)
                .orElse("expected is one of " + String.join(", ", known)));
  }

  /** Adds those of another reading of the same file, if there are any here already. */
  public void joined(Mistakes others) {
    if (!found.isEmpty()) {
      others.found.forEach(mistake -> add(mistake.line(), mistake.text()));
    }
  }

  /** What ends the reading at once, because of one more. */
  ConnectorFileException with(int line, String text) {
    add(line, text);
    return new ConnectorFileException(told());
  }

  /** Ends the reading if anything was wrong. */
  public void check() throws ConnectorFileException {
    if (!found.isEmpty()) {
      throw new ConnectorFileException(told());
    }
  }

  /** All of them as people read them, in the order of their lines. */
  public List<String> told() {
    return found.stream()
        .sorted(comparingInt(Mistake::line))
        .map(mistake -> mistake.in(file))
        .toList();
  }

  private record Mistake(int line, String text) {
    String in(String file) {
      return line > 0 ? "%s:%d: %s".formatted(file, line, text) : "%s: %s".formatted(file, text);
    }
  }
}
