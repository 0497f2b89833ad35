package dev.sluice.arena.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An HTML file that needs nothing else: no script, no font, no network; light and dark as the
 * reader's screen is. Whatever is given as words is escaped. Lines end with a line feed everywhere.
 * Not thread-safe.
 */
public final class HtmlPage {
  private final StringBuilder page = new StringBuilder();

  /**
   * Begins a page.
   *
   * @param title for the browser's window
   * @param head further elements of its head, as HTML
   * @param style further rules, as CSS
   */
  public HtmlPage(String title, String head, String style) {
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.append(head);
    page.append("<title>%s</title>\n<style>\n".formatted(Svg.escape(title)));
    page.append(style()).append(style);
    page.append("</style>\n</head>\n<body>\n<main>\n");
  }

  private static String style() {
    try (InputStream resource = HtmlPage.class.getResourceAsStream("report.css")) {
      if (resource == null) {
        throw new IllegalStateException("report.css is missing beside " + HtmlPage.class);
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** A heading; the first is of depth 1. */
  public HtmlPage heading(int depth, String words) {
    return html("<h%s>%s</h%s>\n".formatted(depth, Svg.escape(words), depth));
  }

  /** A paragraph. */
  public HtmlPage paragraph(String words) {
    return html("<p>" + Svg.escape(words) + "</p>\n");
  }

  /**
   * A table whose first columns are words and whose others are figures.
   *
   * @param words how many columns are words, from the left
   * @param header one heading for each column
   * @param rows each as long as the header
   */
  public HtmlPage table(int words, List<String> header, List<List<String>> rows) {
    return html(new Table(words, header, rows).html());
  }

  /** Anything else, which is escaped already. */
  public HtmlPage html(String html) {
    page.append(html);
    return this;
  }

  /** The whole page. */
  public String end() {
    return page.append("</main>\n</body>\n</html>\n").toString();
  }
}
