package dev.sluice.cli;

import dev.sluice.arena.report.HtmlPage;
import dev.sluice.arena.report.Svg;
import dev.sluice.cli.DemoLoad.Played;
import dev.sluice.cli.LoadHistory.Slot;
import dev.sluice.simulator.dataverse.RequestRecord;
import java.util.List;

/**
 * What the demonstration leaves to look at: one page without anything from elsewhere, in which each
 * request is a dot in its user's row, and each wait for a throttle a band. Requests are drawn from
 * the environment's own log, waits from what the client did.
 */
final class DemoReport {
  private static final int WIDTH = 900;
  private static final int LEFT = 44;
  private static final int ROW = 44;
  private static final double NANOS = 1e9;

  private static final String STYLE =
      """
      figure { overflow-x: auto; } figure svg { min-width: 40rem; }
      svg .hold { fill: var(--bad); fill-opacity: 0.16; }
      svg circle.in { fill: var(--used); fill-opacity: 0.5; }
      svg circle.throttled { fill: var(--bad); }
      svg circle.failed { fill: var(--peer); }
      .dot.in { background: var(--used); } .dot.throttled { background: var(--bad); }
      .dot.failed { background: var(--peer); }
      .dot.hold { background: var(--bad); opacity: 0.3; border-radius: 2px; width: 18px; }
      """;

  /**
   * One load.
   *
   * @param title what it was
   * @param facts what came of it, as the command prints it
   * @param requests all that the environment has seen of it, in any order
   * @param begun when it began, on the environment's clock
   * @param slots how its users were held
   * @param sampled when the first of them begins, on the same clock
   */
  record Chapter(
      String title,
      String facts,
      List<RequestRecord> requests,
      long begun,
      List<Slot> slots,
      long sampled) {
    Chapter(String title, String facts, Played played) {
      this(
          title,
          facts,
          played.requests(),
          played.begun(),
          played.history().slots(),
          played.history().begunAt());
    }

    private double seconds() {
      long end = requests.stream().mapToLong(RequestRecord::arrived).max().orElse(begun);
      return (end - begun) / NANOS;
    }

    private List<String> users() {
      return requests.stream().map(RequestRecord::user).distinct().sorted().toList();
    }
  }

  private DemoReport() {}

  /** The whole page. */
  static String page(List<Chapter> chapters) {
    double longest = Math.max(1, chapters.stream().mapToDouble(Chapter::seconds).max().orElse(1));
    HtmlPage page = new HtmlPage("Sluice: a demonstration", ReportFile.HEAD, STYLE);
    page.heading(1, "Sluice: a demonstration");
    page.paragraph(
        "Each dot is a request, in its user's row, when it arrived; the larger, the more records it"
            + " carried. A band is a time in which the user was left alone, because the service had"
            + " throttled it. After half a second somebody else uses up the second user's budget."
            + " Deadlocks and lost answers are made on purpose.");
    page.html(
        """
        <p class="key"><span class="dot in"></span>let in
        <span class="dot throttled"></span>throttled
        <span class="dot failed"></span>let in and failed
        <span class="dot hold"></span>left alone after a throttle</p>
        """);
    for (Chapter chapter : chapters) {
      page.heading(2, chapter.title()).paragraph(chapter.facts());
      page.html("<figure>" + chart(chapter, longest) + "</figure>\n");
    }
    return page.end();
  }

  private static String chart(Chapter chapter, double longest) {
    List<String> users = chapter.users();
    int height = users.size() * ROW + 20;
    StringBuilder svg =
        new StringBuilder(Svg.start(WIDTH, height, "requests and waits over time, user by user"));
    svg.append('\n');
    int step = Math.max(1, (int) Math.ceil(longest / 12));
    for (int second = 0; second <= longest; second += step) {
      double x = x(second, longest);
      svg.append(Svg.line("grid", x, 0, x, height - 18));
      svg.append(Svg.text("tick middle", x, height - 5, second + " s")).append('\n');
    }
    for (int row = 0; row < users.size(); row++) {
      svg.append(Svg.text("title", 0, row * ROW + ROW / 2.0 + 4, users.get(row)));
      holds(svg, chapter, users.get(row), row, longest);
    }
    for (RequestRecord request : chapter.requests()) {
      svg.append(
          "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>%n"
              .formatted(
                  kind(request),
                  Svg.at(x((request.arrived() - chapter.begun()) / NANOS, longest)),
                  Svg.at(users.indexOf(request.user()) * ROW + ROW / 2.0),
                  Svg.at(2 + Math.sqrt(request.rows()) / 4)));
    }
    return svg.append("</svg>\n").toString();
  }

  private static void holds(
      StringBuilder svg, Chapter chapter, String user, int row, double longest) {
    double from = 0;
    double held = 0;
    double now = (chapter.sampled() - chapter.begun()) / NANOS;
    for (Slot slot : chapter.slots()) {
      double here = slot.held().getOrDefault(user, 0.0);
      if (here > 0) {
        from = held > 0 ? from : now;
        held += here;
      } else if (held > 0) {
        hold(svg, from, held, row, longest);
        held = 0;
      }
      now += slot.seconds();
    }
    if (held > 0) {
      hold(svg, from, held, row, longest);
    }
  }

  private static void hold(StringBuilder svg, double from, double held, int row, double longest) {
    double x = x(from, longest);
    String words = "left alone for " + Times.span(Math.round(held * 1_000));
    svg.append(
        Svg.rectangle("hold", x, row * ROW + 2, x(from + held, longest) - x, ROW - 4, words));
    svg.append('\n');
  }

  private static String kind(RequestRecord request) {
    if (request.facet() != null) {
      return "throttled";
    }
    return request.status() >= 200 && request.status() < 300 ? "in" : "failed";
  }

  private static double x(double second, double longest) {
    return LEFT + (WIDTH - LEFT - 20) * Math.max(0, second) / longest;
  }
}
