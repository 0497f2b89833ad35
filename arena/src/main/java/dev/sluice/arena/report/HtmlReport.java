package dev.sluice.arena.report;

import dev.sluice.arena.Entrant;
import dev.sluice.arena.League;
import dev.sluice.arena.Results;
import dev.sluice.arena.Size;
import dev.sluice.arena.Standing;
import dev.sluice.arena.Trace;
import dev.sluice.arena.Venue;
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
  private final HtmlPage page = new HtmlPage("Sluice: the arena", "", "");

  private HtmlReport(Results results, List<Trace> traces) {
    this.results = results;
    this.traces = traces;
  }

  /** The page; lines end with a line feed everywhere. */
  public static String of(Results results, List<Trace> traces) {
    return new HtmlReport(results, traces).write();
  }

  private String write() {
    page.heading(1, "The arena").paragraph(Measures.INTRODUCTION);
    page.html(
        "<p>Played by <code>%s</code>.</p>\n".formatted(Svg.escape(results.selection().command())));
    results.leagues().forEach(this::league);
    page.html("<h2>What the figures mean</h2>\n<dl>\n");
    for (Map.Entry<String, String> definition : Measures.DEFINITIONS) {
      page.html(
          "<dt>%s</dt><dd>%s</dd>\n"
              .formatted(Svg.escape(definition.getKey()), Svg.escape(definition.getValue())));
    }
    return page.html("</dl>\n").end();
  }

  private void league(League<?> league) {
    List<Venue> venues = results.venues(league);
    if (venues.isEmpty()) {
      return;
    }
    boolean chance = venues.stream().anyMatch(Venue::isRandom);
    page.heading(2, league.title());
    page.paragraph(league.about());
    page.paragraph(Measures.played(results, league));
    page.paragraph("What everybody is measured by. " + league.oracle());
    if (chance) {
      page.heading(3, "Goals, on scenarios drawn by chance");
      page.html(Tables.goals(results, league).html());
      page.heading(3, "Ratio against throttled, scenarios drawn by chance");
      pictures(league, Venue::isRandom);
    }
    if (venues.stream().anyMatch(venue -> !venue.isRandom())) {
      page.heading(3, "Ratio against throttled, scenarios with names");
      pictures(league, venue -> !venue.isRandom());
    }
    venues.stream().filter(venue -> !venue.isRandom()).forEach(venue -> venue(league, venue));
    page.heading(3, "Who took part");
    page.html(Tables.entrants(results, league).html());
  }

  private void pictures(League<?> league, Predicate<Venue> where) {
    page.html("<p class=\"key\"><span class=\"dot ours\"></span>policies of this project")
        .html(" <span class=\"dot peer\"></span>peers. Best is the upper left corner.</p>\n")
        .html("<div class=\"cards\">\n");
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
      page.html("<figure>").html(Scatter.draw("job of " + size.label(), marks));
      page.html("</figure>\n");
    }
    page.html("</div>\n");
    page.html(Tables.overview(results, league, where).html());
    page.html(Tables.manners(results, league, where).html());
  }

  private void venue(League<?> league, Venue venue) {
    List<Trace> here = traces.stream().filter(trace -> trace.venue().equals(venue)).toList();
    page.heading(3, venue.name());
    page.paragraph(venue.description() + ".");
    if (!here.isEmpty()) {
      TimeChart.Scale scale = TimeChart.Scale.of(here);
      page.html("<p class=\"key\">An hour. <span class=\"dash flow\"></span>what was sent")
          .html(" <span class=\"dash limit\"></span>what the policy would have allowed")
          .html(" <span class=\"dash used\"></span>quota used")
          .html(" <span class=\"dash refused\"></span>refusals</p>\n<div class=\"cards\">\n");
      here.forEach(
          trace -> page.html("<figure>").html(TimeChart.draw(trace, scale)).html("</figure>\n"));
      page.html("</div>\n");
    }
    page.html("<details><summary>All policies here</summary>\n");
    page.html(Tables.overview(results, league, venue::equals).html());
    page.html(Tables.manners(results, league, venue::equals).html());
    page.html("</details>\n");
  }
}
