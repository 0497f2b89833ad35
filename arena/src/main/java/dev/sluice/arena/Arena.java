package dev.sluice.arena;

import static java.util.Objects.requireNonNull;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.gate.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plays selections: every league, scenario, size and seed against every entrant, on several tasks.
 * The results depend on the selection alone, neither on the number of tasks nor on their order.
 *
 * <p>Immutable and thread-safe. Real time is used for nothing but {@link Progress}.
 */
public final class Arena {
  private static final int LEAST_TASKS = 1;
  private static final int MOST_TASKS = 1_000;

  private final List<League<?>> leagues;
  private final Time time;
  private final int tasks;

  /**
   * An arena for these leagues.
   *
   * @param tasks how many bouts are played at once, 1 to 1,000; as many as there are cores is best
   */
  public Arena(List<? extends League<?>> leagues, Time time, int tasks) {
    if (tasks < LEAST_TASKS || tasks > MOST_TASKS) {
      throw new IllegalArgumentException(
          "tasks is %d, but must lie between %d and %d (how many bouts are played at once)"
              .formatted(tasks, LEAST_TASKS, MOST_TASKS));
    }
    this.leagues = List.copyOf(leagues);
    this.time = time;
    this.tasks = tasks;
  }

  /**
   * Plays everything.
   *
   * @throws UnknownNameException if the selection names what there is not
   * @throws BoutFailedException if somebody throws
   */
  public Results play(Selection selection, Progress progress) throws InterruptedException {
    List<League<?>> chosen = Names.check(selection, leagues);
    List<Crew.Chore> chores = new ArrayList<>();
    List<Supplier<List<Result>>> fixtures = new ArrayList<>();
    for (League<?> league : chosen) {
      enter(league, selection, chores, fixtures);
    }
    Crew.work(time, tasks, chores, progress);
    List<Result> bouts = new ArrayList<>();
    fixtures.forEach(fixture -> bouts.addAll(fixture.get()));
    return new Results(selection, chosen, bouts);
  }

  private static <S> void enter(
      League<S> league,
      Selection selection,
      List<Crew.Chore> chores,
      List<Supplier<List<Result>>> fixtures) {
    List<Entrant<S>> entrants = league.entrants().stream().filter(selection::isChosen).toList();
    for (S scenario : Names.scenarios(selection, league)) {
      for (Size size : selection.sizes().stream().filter(league::plays).toList()) {
        for (int i = 0; i < selection.seeds(); i++) {
          Fixture<S> fixture =
              new Fixture<>(league, scenario, size, selection.seed() + i, entrants);
          chores.addAll(fixture.chores());
          fixtures.add(fixture::results);
        }
      }
    }
  }

  /**
   * Plays an hour of the entrants worth drawing in every chosen scenario with a name, and watches
   * them.
   */
  public List<Trace> trace(Selection selection, Progress progress) throws InterruptedException {
    List<Crew.Chore> chores = new ArrayList<>();
    List<Supplier<Trace>> traces = new ArrayList<>();
    for (League<?> league : Names.check(selection, leagues)) {
      trace(league, selection, chores, traces);
    }
    Crew.work(time, tasks, chores, progress);
    return traces.stream().map(Supplier::get).toList();
  }

  private static <S> void trace(
      League<S> league,
      Selection selection,
      List<Crew.Chore> chores,
      List<Supplier<Trace>> traces) {
    List<Entrant<S>> chosen = league.entrants().stream().filter(selection::isChosen).toList();
    List<Entrant<S>> drawn =
        chosen.stream().filter(entrant -> league.drawn().contains(entrant.name())).toList();
    if (drawn.isEmpty()) {
      drawn = chosen.subList(0, Math.min(chosen.size(), league.drawn().size()));
    }
    for (S scenario : Names.scenarios(selection, league)) {
      if (league.venue(scenario).isRandom()) {
        continue;
      }
      Fixture<S> fixture = new Fixture<>(league, scenario, Size.HOUR, selection.seed(), drawn);
      for (Entrant<S> entrant : drawn) {
        @Nullable Trace[] slot = new Trace[1];
        chores.add(
            new Crew.Chore(
                fixture.named(entrant.name()),
                fixture.weight(),
                () -> slot[0] = fixture.trace(entrant)));
        traces.add(() -> requireNonNull(slot[0]));
      }
    }
  }

  /** One scenario, size and seed: everybody's bout there, and the best possible. */
  private static final class Fixture<S> {
    private final League<S> league;
    private final S scenario;
    private final Size size;
    private final long seed;
    private final List<Entrant<S>> entrants;
    private final Venue venue;
    private final Job job;
    private final @Nullable Score[] scores;

    Fixture(League<S> league, S scenario, Size size, long seed, List<Entrant<S>> entrants) {
      this.league = league;
      this.scenario = scenario;
      this.size = size;
      this.seed = seed;
      this.entrants = entrants;
      this.venue = league.venue(scenario);
      this.job = league.job(scenario, size);
      this.scores = new Score[entrants.size() + 1];
    }

    List<Crew.Chore> chores() {
      List<Crew.Chore> chores = new ArrayList<>();
      int oracle = entrants.size();
      if (venue.isRated()) {
        chores.add(
            new Crew.Chore(
                named("the oracle"),
                weight() * league.boutsForBest(),
                () -> scores[oracle] = league.best(scenario, job, chance("world"))));
      } else {
        scores[oracle] = Score.NONE;
      }
      for (int i = 0; i < entrants.size(); i++) {
        int slot = i;
        Entrant<S> entrant = entrants.get(i);
        chores.add(
            new Crew.Chore(named(entrant.name()), weight(), () -> scores[slot] = play(entrant)));
      }
      return chores;
    }

    private Score play(Entrant<S> entrant) {
      return Bout.play(
          entrant.factory().contender(scenario, chance("client")),
          league.world(scenario, chance("world")),
          job);
    }

    Trace trace(Entrant<S> entrant) {
      Sampler sampler = new Sampler(job.deadline());
      Score score =
          Bout.play(
              entrant.factory().contender(scenario, chance("client")),
              league.world(scenario, chance("world")),
              job,
              sampler);
      return sampler.trace(venue, entrant.name(), score);
    }

    double weight() {
      return league.expectedRequests(scenario, size);
    }

    String named(String entrant) {
      return "%s in '%s' (%s), job %s, seed %d"
          .formatted(entrant, venue.name(), venue.league(), size.label(), seed);
    }

    /** Every scenario has its own chances, and the client's are not the world's. */
    private long chance(String whose) {
      long number = seed * 31 + (venue.name() + "/" + whose).hashCode();
      number = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L; // SplitMix64's finish
      number = (number ^ (number >>> 27)) * 0x94D049BB133111EBL;
      return number ^ (number >>> 31);
    }

    List<Result> results() {
      Score best = requireNonNull(scores[entrants.size()]);
      List<Result> results = new ArrayList<>();
      for (int i = 0; i < entrants.size(); i++) {
        results.add(
            new Result(venue, size, seed, entrants.get(i).name(), requireNonNull(scores[i]), best));
      }
      return results;
    }
  }
}
