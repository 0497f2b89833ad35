package dev.sluice.cli.config;

/**
 * Something in the configuration that cannot be.
 *
 * @param line where, from 1; 0 if it is nowhere, because something is missing altogether
 * @param text the key, what stands there and what was expected
 */
record Mistake(int line, String text) implements Comparable<Mistake> {
  private static final int WIDTH = 100;

  /** As people read it: {@code sluice.yaml:14: …}, what an option means on a line of its own. */
  String in(String file) {
    String place = line > 0 ? "%s:%d: ".formatted(file, line) : file + ": ";
    int meaning = text.lastIndexOf(" (");
    return meaning > 0 && text.endsWith(")") && place.length() + text.length() > WIDTH
        ? place
            + text.substring(0, meaning)
            + "\n"
            + " ".repeat(place.length())
            + text.substring(meaning + 1)
        : place + text;
  }

  @Override
  public int compareTo(Mistake other) {
    return Integer.compare(line, other.line);
  }
}
