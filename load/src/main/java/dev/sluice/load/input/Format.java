package dev.sluice.load.input;

import java.util.Locale;
import java.util.Optional;

/** How records are written down. */
public enum Format {
  /** Rows of cells under a header. */
  CSV,
  /** One JSON object per line. */
  JSON_LINES;

  /** The format that a file's name tells, {@code .gz} left aside; empty if it tells none. */
  public static Optional<Format> named(String file) {
    String name = unpacked(file).toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv") || name.endsWith(".tsv")) {
      return Optional.of(CSV);
    }
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return Optional.of(JSON_LINES);
    }
    return Optional.empty();
  }

  /** The ending of files of this format, with its dot. */
  public String ending() {
    return this == CSV ? ".csv" : ".jsonl";
  }

  /** A file's name without {@code .gz}. */
  public static String unpacked(String file) {
    return file.toLowerCase(Locale.ROOT).endsWith(".gz")
        ? file.substring(0, file.length() - ".gz".length())
        : file;
  }
}
