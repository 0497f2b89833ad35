package dev.sluice.arena.report;

import dev.sluice.arena.League;
import dev.sluice.arena.Results;
import dev.sluice.arena.Venue;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The report as Markdown, to be committed: a change of behaviour shows in its lines. */
public final class MarkdownReport {
  private final Results results;
  private final StringBuilder text = new StringBuilder();

  private MarkdownReport(Results results) {
    this.results = results;
  }

  /** The report; lines end with a line feed everywhere. */
  public static String of(Results results) {
    return new MarkdownReport(results).write();
  }

  private String write() {
    paragraph("# The arena");
    paragraph(Measures.INTRODUCTION);
    paragraph("Played by `" + results.selection().command() + "`.");
    results.leagues().forEach(this::league);
    paragraph("## What the figures mean");
    for (Map.Entry<String, String> definition : Measures.DEFINITIONS) {
      text.append("- **%s**: %s\n".formatted(definition.getKey(), definition.getValue()));
    }
    return text.toString();
  }

  private void league(League<?> league) {
    List<Venue> venues = results.venues(league);
    List<Venue> random = venues.stream().filter(Venue::isRandom).toList();
    List<Venue> named = venues.stream().filter(venue -> !venue.isRandom()).toList();
    paragraph("## " + league.title());
    paragraph(league.about());
    paragraph(Measures.played(results, league));
    paragraph("**What everybody is measured by.** " + league.oracle());
    if (!random.isEmpty()) {
      paragraph("### Goals, on scenarios drawn by chance");
      paragraph(Tables.goals(results, league).markdown());
      if (results.entrants(league).stream()
          .anyMatch(entrant -> entrant.name().equals(league.champion()))) {
        paragraph("### The ten worst scenarios for " + league.champion());
        paragraph(Tables.worst(results, league).markdown());
      }
      paragraph("### Scenarios drawn by chance: ratio / throttled");
      both(league, Venue::isRandom);
    }
    if (!named.isEmpty()) {
      paragraph("### Scenarios with names, all together: ratio / throttled");
      both(league, venue -> !venue.isRandom());
      for (Venue venue : named) {
        paragraph("#### " + venue.name());
        paragraph(venue.description() + ".");
        both(league, venue::equals);
      }
    }
    paragraph("### Who took part");
    paragraph(Tables.entrants(results, league).markdown());
    if (!random.isEmpty()) {
      paragraph("### What was drawn");
      paragraph(Tables.venues(random).markdown());
    }
  }

  private void both(League<?> league, Predicate<Venue> where) {
    paragraph(Tables.overview(results, league, where).markdown());
    paragraph(Tables.manners(results, league, where).markdown());
  }

  private void paragraph(String words) {
    text.append(words.stripTrailing()).append("\n\n");
  }
}
