package dev.sluice.arena;

import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.World;
import java.util.List;

/**
 * One kind of service: its scenarios, who takes part, what there is to do, what the best possible
 * would be, and what is hoped for. Nothing else about a service is known to the arena or to its
 * reports.
 *
 * <p>Implementations are immutable and are used by several tasks at once. All that they return for
 * equal arguments is equal.
 *
 * @param <S> a scenario: a service and its parameters
 */
public interface League<S> {
  /** Its stable name on the wire: one word in lower case. */
  String name();

  /** Its name in headings. */
  String title();

  /** What the service is like, in a few sentences. */
  String about();

  /** What everybody is measured by, in a few sentences. */
  String oracle();

  /** The scenarios with names, for those who want to look closely. */
  List<S> named();

  /** A scenario by chance. */
  S random(long number);

  /** The scenario in words. */
  Venue venue(S scenario);

  /** Who takes part, in the order of the report. */
  List<Entrant<S>> entrants();

  /** The entrant that is shipped: reports look at its worst scenarios. */
  String champion();

  /** Names of a few entrants whose bouts are worth drawing. */
  List<String> drawn();

  /** Whether jobs of this size are played here. */
  default boolean plays(Size size) {
    return !size.isRequests();
  }

  /** A job of this size, in this scenario's measure. */
  Job job(S scenario, Size size);

  /** About how many requests a job of this size takes: to estimate how long it will play. */
  double expectedRequests(S scenario, Size size);

  /** The service at rest; equal seeds give equal chances. */
  World world(S scenario, long seed);

  /**
   * What the best possible client would reach in {@link #world} of the same seed; asked only where
   * the scenario is {@linkplain Venue#isRated rated}.
   */
  Score best(S scenario, Job job, long seed);

  /** About how many bouts {@link #best} plays, for estimates. */
  int boutsForBest();

  /** What is hoped for, measured on scenarios drawn by chance. */
  List<Goal> goals();
}
