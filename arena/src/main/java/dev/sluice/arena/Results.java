package dev.sluice.arena;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What came of a selection, in the order of the selection whatever the order of playing was.
 *
 * @param selection what was played
 * @param leagues those that took part
 * @param bouts one for each scenario, size, seed and entrant
 */
public record Results(Selection selection, List<League<?>> leagues, List<Result> bouts) {
  public Results {
    leagues = List.copyOf(leagues);
    bouts = List.copyOf(bouts);
  }

  /** The bouts of one league. */
  public List<Result> of(League<?> league) {
    return bouts.stream().filter(result -> result.venue().league().equals(league.name())).toList();
  }

  /** Where a league's bouts were played, in order. */
  public List<Venue> venues(League<?> league) {
    return of(league).stream().map(Result::venue).distinct().toList();
  }

  /** A league's entrants that took part, in order. */
  public List<? extends Entrant<?>> entrants(League<?> league) {
    return league.entrants().stream().filter(selection::isChosen).toList();
  }

  /** The sizes of jobs that a league played, in order. */
  public List<Size> sizes(League<?> league) {
    return selection.sizes().stream().filter(league::plays).toList();
  }

  /** One entrant's bouts of one size at some venues of a league, together. */
  public Optional<Standing> standing(
      League<?> league, String entrant, Size size, Predicate<Venue> where) {
    return Standing.of(
        of(league).stream()
            .filter(result -> result.entrant().equals(entrant) && result.size().equals(size))
            .filter(result -> where.test(result.venue()))
            .toList());
  }
}
