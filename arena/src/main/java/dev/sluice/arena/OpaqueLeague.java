package dev.sluice.arena;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.World;
import dev.sluice.arena.contender.GateContender;
import dev.sluice.arena.contender.OpaqueOracle;
import dev.sluice.arena.contender.Peers;
import dev.sluice.arena.world.OpaqueScenario;
import dev.sluice.arena.world.OpaqueScenarios;
import dev.sluice.arena.world.OpaqueWorld;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.learning.LearnedPolicy;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.pacing.HintedPolicy;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.simulator.provider.Change;
import dev.sluice.simulator.provider.Disturbances;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.Suspension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Providers of which nothing is known, neither limits nor how they are signalled. */
public class OpaqueLeague implements League<OpaqueScenario> {
  private static final int GUESS = 4;
  static final String LEARNED = "learned";
  static final String PROFILED = "learned-profile";

  /** A day on which the provider was different, so that what was learned then is wrong. */
  private enum OtherDay {
    HALF("the limit was half as high"),
    TWICE("the limit was twice as high"),
    BAD("a fifth of all answers failed, and it ended with ten minutes of maintenance");

    private final String description;

    OtherDay(String description) {
      this.description = description;
    }

    String entrant() {
      return PROFILED + "-" + name().toLowerCase(Locale.ROOT);
    }

    ServiceOptions of(ServiceOptions service) {
      Disturbances usual = service.disturbances();
      return switch (this) {
        case HALF -> service.withChanges(new Change(Duration.ZERO, 0.5));
        case TWICE -> service.withChanges(new Change(Duration.ZERO, 2));
        case BAD ->
            service.withDisturbances(
                new Disturbances(
                    0.2,
                    usual.broken(),
                    usual.late(),
                    usual.heavy(),
                    usual.noise(),
                    usual.latencySteps(),
                    List.of(
                        new Disturbances.Maintenance(
                            Duration.ofMinutes(50), Duration.ofMinutes(10)))));
      };
    }
  }

  static final List<String> OURS =
      Stream.concat(
              Stream.of(LEARNED, PROFILED), Stream.of(OtherDay.values()).map(OtherDay::entrant))
          .toList();

  /** A peer that goes by documented limits, of which there are none here. */
  private static final String DOCUMENTED = "resilience4j-quota";

  private final List<Entrant<OpaqueScenario>> entrants;

  /** The league as reports show it. */
  public OpaqueLeague() {
    List<Entrant<OpaqueScenario>> all = new ArrayList<>();
    Stream.concat(Peers.loops().stream(), Peers.all().stream())
        .filter(peer -> !peer.name().equals(DOCUMENTED))
        .forEach(
            peer ->
                all.add(
                    new Entrant<>(
                        peer.name(),
                        peer.description(),
                        Optional.of(peer.origin()),
                        (scenario, seed) -> peer.contender(1, GUESS, seed))));
    all.add(
        Entrant.ours(
            "gcra-aimd",
            "a pace by GCRA whose rate is found by AIMD",
            (scenario, seed) -> lane(LaneOptions.paced(PacerOptions.DEFAULTS), seed)));
    all.add(
        Entrant.ours(
            LEARNED,
            "a pace learned from what is granted between refusals",
            (scenario, seed) -> learned(null, seed)));
    all.add(
        Entrant.ours(
            PROFILED,
            "the same, starting with what an hour's run of its own had learned the day before",
            (scenario, seed) -> learned(profile(scenario, seed), seed)));
    for (OtherDay day : OtherDay.values()) {
      all.add(
          Entrant.ours(
              day.entrant(),
              "the same, but that day " + day.description,
              (scenario, seed) -> learned(profile(otherDay(scenario, day), seed), seed)));
    }
    this.entrants = List.copyOf(all);
  }

  private static Contender lane(LaneOptions options, long seed) {
    return new GateContender(1, options, seed);
  }

  private static Contender learned(@Nullable Profile profile, long seed) {
    return lane(LaneOptions.learning(profile), seed);
  }

  /** What a run with other chances has learned; null if nothing. */
  private static @Nullable Profile profile(OpaqueScenario scenario, long seed) {
    List<LearnedPolicy> made = new ArrayList<>();
    LaneOptions options =
        LaneOptions.learning()
            .withPolicy(
                now -> {
                  LearnedPolicy policy = new LearnedPolicy(null, now);
                  made.add(policy);
                  return new HintedPolicy(policy);
                });
    long yesterday = seed ^ 0x5DEECE66DL;
    Score unused =
        Bout.play(lane(options, yesterday), new OpaqueWorld(scenario, yesterday), Job.HOUR);
    Profile learned = made.get(0).profile();
    return learned == null ? null : learned.aged(Duration.ofDays(1));
  }

  private static OpaqueScenario otherDay(OpaqueScenario scenario, OtherDay day) {
    return new OpaqueScenario(
        scenario.name(),
        List.of(day.of(scenario.service())),
        scenario.oneWay(),
        scenario.isRated());
  }

  @Override
  public String name() {
    return "opaque";
  }

  @Override
  public String title() {
    return "World 2: opaque providers";
  }

  @Override
  public String about() {
    return "A simulated provider that says nothing about its limits: a token bucket, a fixed or"
        + " sliding window, several at once, or a cap on concurrent requests, signalled by 429 with"
        + " or without Retry-After, by 503, or by nothing but slowness. Limits may halve or double"
        + " meanwhile, a neighbour may use the same credential, and a client of whose requests in"
        + " the last minute more than 10 % were refused is thrown out. A window's worth is what the"
        + " provider grants in five minutes.";
  }

  @Override
  public String oracle() {
    return "The oracle reads what is left of the provider's limit two hundred times a second, sends"
        + " exactly that, and is never thrown out. A neighbour's share is taken off the limit"
        + " beforehand: who takes that, too, is refused a great deal. Where a provider only slows down, fixed numbers"
        + " of 2, 4, 8 and so on up to 256 in flight are played as well. The best counts.";
  }

  @Override
  public List<OpaqueScenario> named() {
    return OpaqueScenarios.named();
  }

  @Override
  public OpaqueScenario random(long number) {
    return OpaqueScenarios.random(number);
  }

  @Override
  public Venue venue(OpaqueScenario scenario) {
    List<String> words = new ArrayList<>();
    for (ServiceOptions route : scenario.routes()) {
      words.add(route.limit().toString());
    }
    ServiceOptions service = scenario.service();
    words.add("signalled by " + service.signal().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    words.add(format("%.1f ms", (service.latency().toNanos() + 2 * scenario.oneWay()) / 1e6));
    service.changes().forEach(change -> words.add(change.toString()));
    if (service.neighbour() > 0) {
      words.add(format("a neighbour asks for %.0f %%", 100 * service.neighbour()));
    }
    Disturbances troubles = service.disturbances();
    share(words, troubles.noise(), "noise");
    share(words, troubles.errors(), "of answers fail");
    share(words, troubles.broken(), "of objects always fail");
    share(words, troubles.late(), "of objects answer 20 s late");
    share(words, troubles.heavy(), "of objects cost ten");
    troubles
        .latencySteps()
        .forEach(
            step ->
                words.add(
                    format("latency × %.1f after %d s", step.factor(), step.after().toSeconds())));
    troubles
        .maintenance()
        .forEach(
            window ->
                words.add(
                    format(
                        "maintenance of %d s after %d s",
                        window.length().toSeconds(), window.after().toSeconds())));
    return new Venue(
        name(),
        scenario.name(),
        String.join(", ", words),
        scenario.name().startsWith("random "),
        scenario.isRated() ? List.of() : List.of(Venue.UNRATED));
  }

  private static void share(List<String> words, double share, String what) {
    if (share > 0) {
      words.add(format("%.1f %% %s", 100 * share, what));
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  @Override
  public List<Entrant<OpaqueScenario>> entrants() {
    return entrants;
  }

  @Override
  public String champion() {
    return LEARNED;
  }

  @Override
  public List<String> drawn() {
    return List.of("fixed-hint", "aws-adaptive", "gcra-aimd", LEARNED);
  }

  @Override
  public Job job(OpaqueScenario scenario, Size size) {
    return size.isHour() ? Job.HOUR : OpaqueScenarios.job(scenario, size.amount());
  }

  @Override
  public double expectedRequests(OpaqueScenario scenario, Size size) {
    return size.isHour() ? OpaqueScenarios.perHour(scenario) : job(scenario, size).requests();
  }

  @Override
  public World world(OpaqueScenario scenario, long seed) {
    return new OpaqueWorld(scenario, seed);
  }

  @Override
  public Score best(OpaqueScenario scenario, Job job, long seed) {
    OpaqueScenario patient =
        new OpaqueScenario(
            scenario.name(),
            List.of(alone(scenario.service()).withSuspension(Suspension.NEVER)),
            scenario.oneWay(),
            true);
    OpaqueWorld world = new OpaqueWorld(patient, seed);
    Score best = Bout.play(new OpaqueOracle(world), world, job);
    if (scenario.service().signal() == Signal.SLOW_DOWN) {
      for (int slots : new int[] {2, 4, 8, 16, 32, 64, 128, 256}) {
        Score score =
            Bout.play(
                Peers.named("fixed-hint").contender(1, slots, seed),
                new OpaqueWorld(patient, seed),
                job);
        best = isBetter(score, best, job) ? score : best;
      }
    }
    return best;
  }

  /** A neighbour gets all that it asks for; what it leaves is the most that anybody can have. */
  private static ServiceOptions alone(ServiceOptions service) {
    if (service.neighbour() == 0) {
      return service;
    }
    List<Change> changes = new ArrayList<>();
    changes.add(new Change(Duration.ZERO, 1 - service.neighbour()));
    for (Change change : service.changes()) {
      changes.add(new Change(change.after(), change.factor() - service.neighbour()));
    }
    return service.withNeighbour(0).withChanges(changes.toArray(Change[]::new));
  }

  private static boolean isBetter(Score score, Score best, Job job) {
    return job.isEndless()
        ? score.done() > best.done()
        : score.finished() && (!best.finished() || score.nanos() < best.nanos());
  }

  @Override
  public int boutsForBest() {
    return 2;
  }

  @Override
  public List<Goal> goals() {
    double price = 0.004;
    List<Goal> goals = new ArrayList<>();
    goals.add(Goals.reach("an hour, cold", LEARNED, Size.HOUR, 0.93, price, true));
    goals.add(Goals.reach("ten windows", LEARNED, new Size(10), 0.88, Goals.ANY, true));
    goals.add(Goals.reach("three windows", LEARNED, new Size(3), 0.75, Goals.ANY, true));
    goals.add(Goals.reach("one window", LEARNED, new Size(1), 0.57, Goals.ANY, true));
    goals.add(
        Goals.reach("an hour, with a stored profile", PROFILED, Size.HOUR, 0.95, price, true));
    for (String profiled : OURS.subList(1, OURS.size())) {
      goals.add(
          Goals.noWorse(
              "with a stored profile", profiled, LEARNED, OpaqueLeague::isHourByChance, 0.02));
    }
    goals.add(Goals.unbeaten(LEARNED, OURS));
    return List.copyOf(goals);
  }

  private static boolean isHourByChance(Result result) {
    return result.size().isHour() && result.venue().isRandom() && result.venue().isRated();
  }
}
