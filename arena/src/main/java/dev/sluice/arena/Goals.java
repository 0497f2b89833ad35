package dev.sluice.arena;

import dev.sluice.arena.Goal.Reached;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The kinds of goals that there are. Figures are means over scenarios and seeds. */
public final class Goals {
  /** Any share of throttles will do. */
  public static final double ANY = 1;

  private Goals() {}

  /**
   * An entrant reaches so much at such a price.
   *
   * @param ratio at least
   * @param throttled at most, 0 to 1
   * @param staying whether it must not be thrown out even once
   */
  public static Goal reach(
      String name, String entrant, Size size, double ratio, double throttled, boolean staying) {
    String wanted =
        "≥ %s%s%s"
            .formatted(
                figure(ratio),
                throttled < ANY ? " / ≤ " + share(throttled) : "",
                staying ? ", no suspension" : "");
    return new Goal(
        "%s: %s, %s".formatted(name, entrant, size.label()),
        wanted,
        results ->
            standing(results, entrant, size)
                .map(
                    reached ->
                        new Reached(
                            "%s / %s%s"
                                .formatted(
                                    figure(reached.ratio()),
                                    share(reached.throttled()),
                                    staying ? ", " + reached.suspensions() + " suspended" : ""),
                            reached.ratio() >= ratio
                                && reached.throttled() <= throttled
                                && !(staying && reached.suspensions() > 0))));
  }

  /**
   * At no size is a rival better in both ratio and throttles.
   *
   * @param ours entrants that are not rivals of the champion, itself included
   */
  public static Goal unbeaten(String champion, List<String> ours) {
    return new Goal(
        "%s against everybody, every size".formatted(champion),
        "nobody better in both ratio and throttles",
        results -> unless(results, champion, ours));
  }

  /** Where scenarios are not rated, an entrant is never thrown out and never silent. */
  public static Goal steady(String name, String entrant) {
    return new Goal(
        "%s: %s".formatted(name, entrant),
        "no suspension, no silence",
        results ->
            Standing.of(
                    results.stream()
                        .filter(result -> result.entrant().equals(entrant))
                        .filter(result -> !result.venue().isRated())
                        .toList())
                .map(
                    reached ->
                        new Reached(
                            "%d suspended, %d silent of %d"
                                .formatted(
                                    reached.suspensions(), reached.silences(), reached.bouts()),
                            reached.suspensions() + reached.silences() == 0)));
  }

  private static Optional<Reached> unless(
      List<Result> results, String champion, List<String> ours) {
    Set<String> rivals = new LinkedHashSet<>();
    results.forEach(result -> rivals.add(result.entrant()));
    ours.forEach(rivals::remove);
    List<String> better = new ArrayList<>();
    int compared = 0;
    for (Size size : results.stream().map(Result::size).distinct().toList()) {
      Optional<Standing> own = standing(results, champion, size);
      for (String rival : rivals) {
        Optional<Standing> other = standing(results, rival, size);
        if (own.isEmpty() || other.isEmpty()) {
          continue;
        }
        compared++;
        if (other.get().ratio() > own.get().ratio()
            && other.get().throttled() < own.get().throttled()) {
          better.add("%s at %s".formatted(rival, size.label()));
        }
      }
    }
    return compared == 0
        ? Optional.empty()
        : Optional.of(
            new Reached(better.isEmpty() ? "nobody" : String.join(", ", better), better.isEmpty()));
  }

  /**
   * In no scenario does one entrant fall behind the other.
   *
   * @param among the results that count
   * @param tolerance how much less of a ratio, over the sizes and seeds that count, is chance
   */
  public static Goal noWorse(
      String name, String entrant, String other, Predicate<Result> among, double tolerance) {
    return new Goal(
        name,
        "%s at most %s below %s in any of them".formatted(entrant, figure(tolerance), other),
        all -> {
          List<Result> results = all.stream().filter(among).toList();
          Set<Venue> venues = new LinkedHashSet<>();
          results.forEach(result -> venues.add(result.venue()));
          double worst = Double.NEGATIVE_INFINITY;
          String where = "";
          for (Venue venue : venues) {
            Optional<Standing> one = at(results, entrant, venue);
            Optional<Standing> two = at(results, other, venue);
            if (one.isPresent() && two.isPresent()) {
              double behind = two.get().ratio() - one.get().ratio();
              where = behind > worst ? venue.name() : where;
              worst = Math.max(worst, behind);
            }
          }
          return where.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  new Reached(
                      worst <= 0
                          ? "in none of " + venues.size()
                          : figure(worst) + " below in " + where + ", of " + venues.size(),
                      worst <= tolerance));
        });
  }

  private static Optional<Standing> standing(List<Result> results, String entrant, Size size) {
    return Standing.of(
        results.stream()
            .filter(result -> result.entrant().equals(entrant) && result.size().equals(size))
            .toList());
  }

  private static Optional<Standing> at(List<Result> results, String entrant, Venue venue) {
    return Standing.of(
        results.stream()
            .filter(result -> result.entrant().equals(entrant) && result.venue().equals(venue))
            .toList());
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private static String share(double value) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * value);
  }
}
