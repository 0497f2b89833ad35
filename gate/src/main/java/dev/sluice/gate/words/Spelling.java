package dev.sluice.gate.words;

import static java.util.Comparator.comparingInt;

import java.util.Collection;
import java.util.Optional;

/** Finds the word that somebody probably meant to type. Stateless. */
public final class Spelling {

  private Spelling() {}

  /**
   * The known word with the fewest slips between it and what was typed; none if even that one takes
   * more than a third of its letters, because then the resemblance is chance.
   */
  public static Optional<String> closest(String typed, Collection<String> known) {
    return known.stream()
        .filter(word -> slips(typed, word) <= (word.length() + 1) / 3)
        .min(comparingInt(word -> slips(typed, word)));
  }

  /**
   * How many slips turn one word into the other: a letter too many, one too few, a wrong one, or
   * two neighbours exchanged (the optimal string alignment distance, row by row).
   */
  static int slips(String one, String other) {
    int[] beforeLast = new int[other.length() + 1];
    int[] last = new int[other.length() + 1];
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] spare = beforeLast;
      beforeLast = last;
      last = row;
      row = spare;
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int wrong = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(last[j - 1] + wrong, Math.min(last[j], row[j - 1]) + 1);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
    }
    return row[other.length()];
  }
}
