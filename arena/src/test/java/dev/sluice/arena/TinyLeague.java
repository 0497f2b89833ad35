package dev.sluice.arena;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Operation;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.World;
import dev.sluice.arena.contender.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Services that take a second for each request and run a few at once; the scenario is how many. */
public final class TinyLeague implements League<Integer> {
  private static final long SECOND = 1_000_000_000;

  private final List<Entrant<Integer>> entrants = new ArrayList<>();

  /** With two entrants: one at a time, and as many as the service runs. */
  public TinyLeague() {
    entrants.add(
        new Entrant<>("single", "one at a time", Optional.of(Origin.RULE), (s, seed) -> slots(1)));
    entrants.add(Entrant.ours("fitting", "as many as fit", (scenario, seed) -> slots(scenario)));
  }

  /** With one entrant more. */
  public TinyLeague with(Entrant<Integer> entrant) {
    entrants.add(entrant);
    return this;
  }

  /** A client with so many in flight. */
  public static Contender slots(int slots) {
    return new Contender() {
      private int inFlight;

      @Override
      public boolean send(Sending sending, long now) {
        if (inFlight >= slots) {
          return false;
        }
        inFlight++;
        sending.through(0, Sending.NONE, null, now);
        return true;
      }

      @Override
      public long wakeAt(long now) {
        return NEVER;
      }

      @Override
      public long answered(Sending sending, long now) {
        inFlight--;
        return now + SECOND / 10;
      }

      @Override
      public double level(long now) {
        return slots;
      }
    };
  }

  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public String title() {
    return "World 0: tiny";
  }

  @Override
  public String about() {
    return "A service.";
  }

  @Override
  public String oracle() {
    return "As many as fit.";
  }

  @Override
  public List<Integer> named() {
    return List.of(2, 4);
  }

  @Override
  public Integer random(long number) {
    return (int) (10 + number % 10);
  }

  @Override
  public Venue venue(Integer scenario) {
    boolean random = scenario >= 10;
    return new Venue(
        name(),
        (random ? "random " : "Slots: ") + scenario,
        scenario + " at once",
        random,
        scenario % 2 == 0 ? List.of("even") : List.of());
  }

  @Override
  public List<Entrant<Integer>> entrants() {
    return entrants;
  }

  @Override
  public String champion() {
    return "fitting";
  }

  @Override
  public List<String> drawn() {
    return List.of("fitting");
  }

  @Override
  public Job job(Integer scenario, Size size) {
    return size.isHour()
        ? Job.HOUR
        : Job.of(size.label(), Math.max(1, Math.round(scenario * size.amount())));
  }

  @Override
  public double expectedRequests(Integer scenario, Size size) {
    return scenario * (size.isHour() ? 3_600 : size.amount());
  }

  @Override
  public World world(Integer scenario, long seed) {
    return new World() {
      private int running;

      @Override
      public int users() {
        return 1;
      }

      @Override
      public long oneWay() {
        return 0;
      }

      @Override
      public Operation operation(long index, long now) {
        return new Operation("any", SECOND);
      }

      @Override
      public void arrive(Sending sending, long now) {
        if (running < scenario) {
          running++;
          sending.admit(SECOND, 0, null);
        } else {
          sending.refuse(429, SECOND, 0);
        }
      }

      @Override
      public void finish(Sending sending, long now) {
        running--;
      }

      @Override
      public long pressed() {
        return 0;
      }

      @Override
      public double used(long now) {
        return (double) running / scenario;
      }
    };
  }

  @Override
  public Score best(Integer scenario, Job job, long seed) {
    return Bout.play(slots(scenario), world(scenario, seed), job);
  }

  @Override
  public int boutsForBest() {
    return 1;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        Goals.reach("fits", "fitting", Size.HOUR, 1, 0, true),
        Goals.reach("alone", "single", Size.HOUR, 1, 0, false),
        Goals.unbeaten("fitting", List.of("fitting")),
        Goals.noWorse(
            "even", "single", "fitting", result -> result.venue().traits().contains("even"), 0.01));
  }
}
