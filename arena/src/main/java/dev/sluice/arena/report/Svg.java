package dev.sluice.arena.report;

import java.util.Locale;

/** Small parts of pictures and pages. */
final class Svg {
  private Svg() {}

  static String escape(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A coordinate: a tenth of a pixel is enough, and no zeros are wasted. */
  static String at(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  static String line(String kind, double x1, double y1, double x2, double y2) {
    return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
        .formatted(kind, at(x1), at(y1), at(x2), at(y2));
  }

  static String text(String kind, double x, double y, String words) {
    return "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>"
        .formatted(kind, at(x), at(y), escape(words));
  }

  static String start(double width, double height, String label) {
    return "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">"
        .formatted(at(width), at(height), escape(label));
  }
}
