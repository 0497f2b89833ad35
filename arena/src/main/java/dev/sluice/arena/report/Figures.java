package dev.sluice.arena.report;

import dev.sluice.arena.Standing;
import java.util.Locale;
import java.util.Optional;

/** Numbers as all reports write them, in every locale alike. */
final class Figures {
  private static final String NONE = "–";

  private Figures() {}

  static String ratio(double value) {
    return format("%.3f", value);
  }

  static String share(double value) {
    return format("%.2f %%", 100 * value);
  }

  static String both(Optional<Standing> standing) {
    return standing
        .map(found -> ratio(found.ratio()) + " / " + share(found.throttled()))
        .orElse(NONE);
  }

  static String seconds(long nanos) {
    return format("%.0f s", nanos / 1e9);
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
