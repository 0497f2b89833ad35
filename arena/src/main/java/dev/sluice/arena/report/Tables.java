package dev.sluice.arena.report;

import dev.sluice.arena.Entrant;
import dev.sluice.arena.Goal;
import dev.sluice.arena.League;
import dev.sluice.arena.Result;
import dev.sluice.arena.Results;
import dev.sluice.arena.Size;
import dev.sluice.arena.Standing;
import dev.sluice.arena.Venue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables that reports share. */
final class Tables {
  private Tables() {}

  /** Policies by sizes of jobs: ratio / throttled, mean over venues and seeds. */
  static Table overview(Results results, League<?> league, Predicate<Venue> where) {
    List<Size> sizes = results.sizes(league);
    List<String> header = new ArrayList<>(List.of("policy"));
    sizes.forEach(size -> header.add(size.label()));
    List<List<String>> rows = new ArrayList<>();
    for (Entrant<?> entrant : results.entrants(league)) {
      List<String> row = new ArrayList<>(List.of(name(entrant)));
      for (Size size : sizes) {
        row.add(Figures.both(results.standing(league, entrant.name(), size, where)));
      }
      rows.add(row);
    }
    return new Table(1, header, rows);
  }

  private static String name(Entrant<?> entrant) {
    return entrant.isOurs() ? entrant.name() + " *" : entrant.name();
  }

  /** What else happened, over all sizes of jobs. */
  static Table manners(Results results, League<?> league, Predicate<Venue> where) {
    List<List<String>> rows = new ArrayList<>();
    List<Result> bouts =
        results.of(league).stream().filter(result -> where.test(result.venue())).toList();
    for (Entrant<?> entrant : results.entrants(league)) {
      Optional<Standing> standing =
          Standing.of(
              bouts.stream().filter(bout -> bout.entrant().equals(entrant.name())).toList());
      standing.ifPresent(
          found ->
              rows.add(
                  List.of(
                      name(entrant),
                      Figures.seconds(found.longestWait()),
                      Figures.format("%.1f", found.pressed()),
                      Figures.format("%d of %d", found.suspensions(), found.bouts()),
                      Figures.format("%d of %d", found.silences(), found.bouts()))));
    }
    return new Table(
        1,
        List.of("policy", "longest Retry-After", "pressed per bout", "suspended", "silent"),
        rows);
  }

  /** Where the league's champion is furthest from the best possible, by chance's scenarios. */
  static Table worst(Results results, League<?> league) {
    Map<Venue, List<Result>> byVenue = new LinkedHashMap<>();
    results.of(league).stream()
        .filter(result -> result.entrant().equals(league.champion()))
        .filter(result -> result.venue().isRandom() && result.venue().isRated())
        .forEach(
            result ->
                byVenue.computeIfAbsent(result.venue(), venue -> new ArrayList<>()).add(result));
    List<List<String>> rows = new ArrayList<>();
    byVenue.entrySet().stream()
        .sorted(Comparator.comparingDouble(each -> ratio(each.getValue())))
        .limit(10)
        .forEach(
            each -> {
              List<String> row = new ArrayList<>(List.of(each.getKey().name()));
              for (Size size : results.sizes(league)) {
                row.add(Figures.both(of(each.getValue(), size)));
              }
              row.add(Reasons.of(each.getValue()));
              row.add(each.getKey().description());
              rows.add(row);
            });
    List<String> header = new ArrayList<>(List.of("scenario"));
    results.sizes(league).forEach(size -> header.add(size.label()));
    header.addAll(List.of("why", "service"));
    return new Table(1, header, rows);
  }

  private static double ratio(List<Result> bouts) {
    return bouts.stream().mapToDouble(Result::ratio).average().orElse(1);
  }

  private static Optional<Standing> of(List<Result> bouts, Size size) {
    return Standing.of(bouts.stream().filter(bout -> bout.size().equals(size)).toList());
  }

  /** Whether what was hoped for was reached. */
  static Table goals(Results results, League<?> league) {
    List<List<String>> rows = new ArrayList<>();
    for (Goal goal : league.goals()) {
      Optional<Goal.Reached> reached = goal.reached(results.of(league));
      rows.add(
          List.of(
              goal.name(),
              goal.wanted(),
              reached.map(Goal.Reached::figures).orElse("not measured"),
              reached.map(found -> found.isMet() ? "met" : "missed").orElse("–")));
    }
    return new Table(4, List.of("goal", "wanted", "reached", ""), rows);
  }

  /** Who took part. */
  static Table entrants(Results results, League<?> league) {
    List<List<String>> rows = new ArrayList<>();
    for (Entrant<?> entrant : results.entrants(league)) {
      rows.add(List.of(name(entrant), entrant.origin(), entrant.description()));
    }
    return new Table(3, List.of("policy", "origin", "what it does"), rows);
  }

  /** Scenarios in words. */
  static Table venues(List<Venue> venues) {
    return new Table(
        2,
        List.of("scenario", "service"),
        venues.stream().map(venue -> List.of(venue.name(), venue.description())).toList());
  }
}
