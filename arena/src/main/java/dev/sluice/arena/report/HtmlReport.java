package dev.sluice.arena.report;

import dev.sluice.arena.Entrant;
import dev.sluice.arena.League;
import dev.sluice.arena.Results;
import dev.sluice.arena.Size;
import dev.sluice.arena.Standing;
import dev.sluice.arena.Trace;
import dev.sluice.arena.Venue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The report with pictures, in one file that needs nothing else: no script, no font, no network.
 */
public final class HtmlReport {
  private final Results results;
  private final List<Trace> traces;
  private final StringBuilder page = new StringBuilder();

  private HtmlReport(Results results, List<Trace> traces) {
    this.results = results;
    this.traces = traces;
  }

  /** The page; lines end with a line feed everywhere. */
  public static String of(Results results, List<Trace> traces) {
    return new HtmlReport(results, traces).write();
  }

  private String write() {
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.append("<title>Sluice: the arena</title>\n<style>\n").append(style());
    page.append("</style>\n</head>\n<body>\n<main>\n<h1>The arena</h1>\n");
    paragraph(Measures.INTRODUCTION);
    page.append("<p>Played by <code>")
        .append(Svg.escape(results.selection().command()))
        .append("</code>.</p>\n");
    results.leagues().forEach(this::league);
    page.append("<h2>What the figures mean</h2>\n<dl>\n");
    for (Map.Entry<String, String> definition : Measures.DEFINITIONS) {
      page.append(
          "<dt>%s</dt><dd>%s</dd>\n"
              .formatted(Svg.escape(definition.getKey()), Svg.escape(definition.getValue())));
    }
    return page.append("</dl>\n</main>\n</body>\n</html>\n").toString();
  }

  private static String style() {
    try (InputStream resource = HtmlReport.class.getResourceAsStream("report.css")) {
      if (resource == null) {
        throw new IllegalStateException("report.css is missing beside " + HtmlReport.class);
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void league(League<?> league) {
    List<Venue> venues = results.venues(league);
    if (venues.isEmpty()) {
      return;
    }
    boolean chance = venues.stream().anyMatch(Venue::isRandom);
    heading(2, league.title());
    paragraph(league.about());
    paragraph(Measures.played(results, league));
    paragraph("What everybody is measured by. " + league.oracle());
    if (chance) {
      heading(3, "Goals, on scenarios drawn by chance");
      page.append(Tables.goals(results, league).html());
      heading(3, "Ratio against throttled, scenarios drawn by chance");
      pictures(league, Venue::isRandom);
    }
    if (venues.stream().anyMatch(venue -> !venue.isRandom())) {
      heading(3, "Ratio against throttled, scenarios with names");
      pictures(league, venue -> !venue.isRandom());
    }
    venues.stream().filter(venue -> !venue.isRandom()).forEach(venue -> venue(league, venue));
    heading(3, "Who took part");
    page.append(Tables.entrants(results, league).html());
  }

  private void pictures(League<?> league, Predicate<Venue> where) {
    page.append("<p class=\"key\"><span class=\"dot ours\"></span>policies of this project")
        .append(" <span class=\"dot peer\"></span>peers. Best is the upper left corner.</p>\n")
        .append("<div class=\"cards\">\n");
    for (Size size : results.sizes(league)) {
      List<Scatter.Mark> marks = new ArrayList<>();
      for (Entrant<?> entrant : results.entrants(league)) {
        Optional<Standing> standing = results.standing(league, entrant.name(), size, where);
        standing.ifPresent(
            found ->
                marks.add(
                    new Scatter.Mark(
                        entrant.name(), entrant.isOurs(), found.ratio(), found.throttled())));
      }
      page.append("<figure>").append(Scatter.draw("job of " + size.label(), marks));
      page.append("</figure>\n");
    }
    page.append("</div>\n");
    page.append(Tables.overview(results, league, where).html());
    page.append(Tables.manners(results, league, where).html());
  }

  private void venue(League<?> league, Venue venue) {
    List<Trace> here = traces.stream().filter(trace -> trace.venue().equals(venue)).toList();
    heading(3, venue.name());
    paragraph(venue.description() + ".");
    if (!here.isEmpty()) {
      TimeChart.Scale scale = TimeChart.Scale.of(here);
      page.append("<p class=\"key\">An hour. <span class=\"dash flow\"></span>what was sent")
          .append(" <span class=\"dash limit\"></span>what the policy would have allowed")
          .append(" <span class=\"dash used\"></span>quota used")
          .append(" <span class=\"dash refused\"></span>refusals</p>\n<div class=\"cards\">\n");
      here.forEach(
          trace ->
              page.append("<figure>").append(TimeChart.draw(trace, scale)).append("</figure>\n"));
      page.append("</div>\n");
    }
    page.append("<details><summary>All policies here</summary>\n");
    page.append(Tables.overview(results, league, venue::equals).html());
    page.append(Tables.manners(results, league, venue::equals).html());
    page.append("</details>\n");
  }

  private void heading(int depth, String words) {
    page.append("<h%s>%s</h%s>\n".formatted(depth, Svg.escape(words), depth));
  }

  private void paragraph(String words) {
    page.append("<p>").append(Svg.escape(words)).append("</p>\n");
  }
}
