package dev.sluice.load.input;

/** Finds out what stands between the cells of a CSV file. */
final class Delimiters {
  private static final char[] CANDIDATES = {',', ';', '\t', '|'};

  private Delimiters() {}

  /**
   * The candidate that the header has most often outside of quotes, where one that the second row
   * has as often goes before one that it has not; a comma if the header has none of them.
   */
  static char found(CharSequence head) {
    char best = ',';
    int most = 0;
    boolean bestAgrees = false;
    for (char candidate : CANDIDATES) {
      int[] counts = counts(head, candidate);
      boolean agrees = counts[0] == counts[1];
      if (counts[0] > 0 && (agrees == bestAgrees ? counts[0] > most : agrees)) {
        best = candidate;
        most = counts[0];
        bestAgrees = agrees;
      }
    }
    return best;
  }

  /** How often the first and the second row have it; lines without anything do not count. */
  private static int[] counts(CharSequence head, char candidate) {
    int[] counts = new int[2];
    boolean quoted = false;
    boolean blank = true;
    int row = 0;
    for (int i = 0; i < head.length() && row < 2; i++) {
      char c = head.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '\n' || c == '\r')) {
        row += blank ? 0 : 1;
        blank = true;
        continue;
      } else if (!quoted && c == candidate) {
        counts[row]++;
      }
      blank = false;
    }
    return counts;
  }
}
