package dev.sluice.arena.report;

import dev.sluice.arena.League;
import dev.sluice.arena.Results;
import dev.sluice.arena.Venue;
import java.util.List;

/** The report for a terminal: the tables alone. */
public final class TextReport {
  private TextReport() {}

  /** The tables; lines end with a line feed everywhere. */
  public static String of(Results results) {
    StringBuilder text = new StringBuilder();
    for (League<?> league : results.leagues()) {
      List<Venue> venues = results.venues(league);
      if (venues.isEmpty()) {
        continue;
      }
      text.append(league.title()).append("; ratio / throttled, * is ours\n");
      text.append(Measures.played(results, league)).append('\n');
      if (venues.stream().anyMatch(venue -> !venue.isRandom())) {
        text.append("\nscenarios with names\n")
            .append(Tables.overview(results, league, venue -> !venue.isRandom()).text());
      }
      if (venues.stream().anyMatch(Venue::isRandom)) {
        text.append("\nscenarios drawn by chance\n")
            .append(Tables.overview(results, league, Venue::isRandom).text());
        text.append('\n').append(Tables.goals(results, league).text());
      }
      text.append('\n').append(Tables.manners(results, league, venue -> true).text()).append('\n');
    }
    return text.append("Again: ").append(results.selection().command()).append('\n').toString();
  }
}
