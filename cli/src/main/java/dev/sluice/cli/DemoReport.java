package dev.sluice.cli;

import dev.sluice.simulator.dataverse.RequestRecord;
import java.util.List;
import java.util.Locale;

/**
 * What the demonstration leaves to look at: one page without anything from elsewhere, in which each
 * request is a dot in its user's row. It is drawn from the environment's own log, not from what the
 * client believes.
 */
final class DemoReport {
  private static final int WIDTH = 900;
  private static final int LEFT = 60;
  private static final int ROW = 46;
  private static final double NANOS = 1e9;

  /**
   * One load.
   *
   * @param title what it was
   * @param facts what came of it, as the command prints it
   * @param requests all that the environment has seen of it, in any order
   */
  record Chapter(String title, List<String> facts, List<RequestRecord> requests) {
    private long start() {
      return requests.stream().mapToLong(RequestRecord::arrived).min().orElse(0);
    }

    private double seconds() {
      long end = requests.stream().mapToLong(RequestRecord::arrived).max().orElse(0);
      return (end - start()) / NANOS;
    }
  }

  private DemoReport() {}

  /** The whole page. */
  static String page(List<Chapter> chapters) {
    double longest = Math.max(1, chapters.stream().mapToDouble(Chapter::seconds).max().orElse(1));
    StringBuilder page =
        new StringBuilder(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Sluice: a demonstration</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
            svg { width: 100%; height: auto } text { font: 12px system-ui, sans-serif; fill: #555 }
            .in { fill: #2a7f62; fill-opacity: .45 } .throttled { fill: #c0392b } .failed { fill: #d8a013 }
            b.in { color: #2a7f62 } b.throttled { color: #c0392b } b.failed { color: #d8a013 }
            </style></head><body>
            <h1>Sluice: a demonstration</h1>
            <p>Each dot is a request, in its user's row, when it arrived; the larger, the more records it
            carried. <b class="in">Let in</b>, <b class="throttled">refused by service protection</b>,
            <b class="failed">let in and failed</b> (deadlocks and lost connections, made on purpose).
            After half a second somebody else uses up the second user's budget.</p>
            """);
    for (Chapter chapter : chapters) {
      page.append("<h2>").append(escaped(chapter.title())).append("</h2>\n<ul>\n");
      chapter.facts().forEach(fact -> page.append("<li>").append(escaped(fact)).append("</li>\n"));
      page.append("</ul>\n").append(chart(chapter, longest));
    }
    return page.append("</body></html>\n").toString();
  }

  private static String chart(Chapter chapter, double longest) {
    List<String> users =
        chapter.requests().stream().map(RequestRecord::user).distinct().sorted().toList();
    int height = users.size() * ROW + 24;
    StringBuilder svg =
        new StringBuilder(
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"requests over time\">%n"
                .formatted(WIDTH, height));
    for (int i = 0; i < users.size(); i++) {
      svg.append(
          "<text x=\"0\" y=\"%d\">%s</text>%n"
              .formatted(i * ROW + ROW / 2 + 4, escaped(users.get(i))));
    }
    int step = Math.max(1, (int) Math.ceil(longest / 12));
    for (int second = 0; second <= longest; second += step) {
      double x = x(second, longest);
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\" stroke=\"#eee\"/><text x=\"%.1f\""
                  + " y=\"%d\">%d s</text>%n",
              x,
              x,
              height - 20,
              x,
              height - 6,
              second));
    }
    long start = chapter.start();
    for (RequestRecord request : chapter.requests()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle class=\"%s\" cx=\"%.1f\" cy=\"%d\" r=\"%.1f\"/>%n",
              kind(request),
              x((request.arrived() - start) / NANOS, longest),
              users.indexOf(request.user()) * ROW + ROW / 2,
              2 + Math.sqrt(request.rows()) / 4));
    }
    return svg.append("</svg>\n").toString();
  }

  private static String kind(RequestRecord request) {
    if (request.facet() != null) {
      return "throttled";
    }
    return request.status() >= 200 && request.status() < 300 ? "in" : "failed";
  }

  private static double x(double second, double longest) {
    return LEFT + (WIDTH - LEFT - 10) * second / longest;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
