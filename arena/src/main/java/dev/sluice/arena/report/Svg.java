package dev.sluice.arena.report;

import java.util.Locale;

/** Small parts of pictures and pages, with whatever is words escaped. */
public final class Svg {
  private Svg() {}

  /** Words as the text or an attribute of an element. */
  public static String escape(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** A coordinate: a tenth of a pixel is enough, and no zeros are wasted. */
  public static String at(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** A line; its look is that of its kind, a class of the style sheet. */
  public static String line(String kind, double x1, double y1, double x2, double y2) {
    return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
        .formatted(kind, at(x1), at(y1), at(x2), at(y2));
  }

  /** Words in a picture. */
  public static String text(String kind, double x, double y, String words) {
    return "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>"
        .formatted(kind, at(x), at(y), escape(words));
  }

  /**
   * A rectangle.
   *
   * @param title what is shown when somebody points at it; empty for nothing
   */
  public static String rectangle(
      String kind, double x, double y, double width, double height, String title) {
    return "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\">%s</rect>"
        .formatted(kind, at(x), at(y), at(width), at(height), tooltip(title));
  }

  /** What is shown when somebody points at the element round it; nothing for no words. */
  public static String tooltip(String words) {
    return words.isEmpty() ? "" : "<title>" + escape(words) + "</title>";
  }

  /** The beginning of a picture; its label is for those who cannot see it. */
  public static String start(double width, double height, String label) {
    return "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">"
        .formatted(at(width), at(height), escape(label));
  }
}
