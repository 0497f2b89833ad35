package dev.sluice.arena;

import static java.util.stream.Collectors.joining;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.World;
import dev.sluice.arena.contender.GateContender;
import dev.sluice.arena.contender.Peer;
import dev.sluice.arena.contender.Peers;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.arena.world.DataverseScenarios;
import dev.sluice.arena.world.DataverseWorld;
import dev.sluice.arena.world.Mix;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.parallelism.Preset;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.simulator.farm.Charging;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Dataverse environments: limits are documented, the number of servers is not known. */
public final class DataverseLeague implements League<DataverseScenario> {
  private static final int DOCUMENTED = 52;
  private static final String COOKIES_NOT_HONOURED = "cookies-not-honoured";
  private static final String PLAIN = "quota";
  private static final String PINNED = "quota-pinned";
  private static final double WINDOWS_IN_AN_HOUR = 12;

  /** A peer that guesses, though the limits are documented. */
  private static final String GUESSING = "resilience4j-guess";

  private final List<Entrant<DataverseScenario>> entrants = new ArrayList<>();

  /** The league as reports show it. */
  public DataverseLeague() {
    for (Peer peer : Peers.all()) {
      if (!peer.name().equals(GUESSING)) {
        entrants.add(entrant(peer));
      }
    }
    Peers.held().forEach(peer -> entrants.add(entrant(peer)));
    AdaptiveRateOptions fixed = AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build();
    AdaptiveRateOptions noCeiling =
        AdaptiveRateOptions.builder().slowBatchThresholdMs(Integer.MAX_VALUE).build();
    entrants.add(
        ours(
            "fixed-hint-held",
            "as many as the service recommends; a throttle holds the whole user as long as it says",
            scenario -> lane(fixed, scenario.hint())));
    entrants.add(
        ours(
            "fixed-52-held",
            "52 in flight per user; a throttle holds the whole user as long as it says",
            scenario -> lane(fixed, DOCUMENTED)));
    entrants.add(
        ours(
            "aimd-hint",
            "AIMD that slides and decreases once per episode, up to what the service recommends",
            scenario -> lane(noCeiling, scenario.hint())));
    entrants.add(
        ours(
            "aimd-episode",
            "the same up to 52, without a ceiling",
            scenario -> lane(noCeiling, DOCUMENTED)));
    for (Preset preset : Preset.values()) {
      AdaptiveRateOptions options = AdaptiveRateOptions.builder().preset(preset).build();
      entrants.add(
          ours(
              "aimd-" + preset.wireName(),
              format(
                  "the same with the ceiling of the preset %s: %d / %d s",
                  preset.wireName(),
                  preset.executionTimeCeilingFactor(),
                  preset.slowBatchThresholdMs() / 1_000),
              scenario -> lane(options, DOCUMENTED)));
    }
    PacerOptions pacer = PacerOptions.builder().maxInFlight(DOCUMENTED).build();
    entrants.add(
        ours(
            "gcra-aimd",
            "a pace by GCRA whose rate is found by AIMD; 52 in flight at most",
            scenario -> LaneOptions.paced(pacer)));
    entrants.add(
        Entrant.ours(
            PLAIN,
            "as shipped: a ledger of the documented budgets, one lane per user",
            (scenario, seed) -> product(scenario, false, seed)));
    entrants.add(
        Entrant.ours(
            PINNED,
            "as shipped with `pinned: true`: one lane per user and server as far as affinity"
                + " cookies are followed",
            (scenario, seed) -> product(scenario, true, seed)));
  }

  private DataverseLeague(List<Entrant<DataverseScenario>> entrants) {
    this.entrants.addAll(entrants);
  }

  /** The same league with one entrant more. */
  public DataverseLeague with(Entrant<DataverseScenario> entrant) {
    List<Entrant<DataverseScenario>> more = new ArrayList<>(entrants);
    more.add(entrant);
    return new DataverseLeague(more);
  }

  private static Entrant<DataverseScenario> entrant(Peer peer) {
    return new Entrant<>(
        peer.name(),
        peer.description(),
        Optional.of(peer.origin()),
        (scenario, seed) -> peer.contender(scenario.users(), scenario.hint(), seed));
  }

  private static Entrant<DataverseScenario> ours(
      String name, String description, Function<DataverseScenario, LaneOptions> lane) {
    return Entrant.ours(
        name,
        description,
        (scenario, seed) -> new GateContender(scenario.users(), lane.apply(scenario), seed));
  }

  private static Contender product(DataverseScenario scenario, boolean pinned, long seed) {
    return new GateContender(
        scenario.users(), pinned, scenario.hint(), 2 * scenario.oneWay(), seed);
  }

  private static LaneOptions lane(AdaptiveRateOptions rate, int recommended) {
    return LaneOptions.dataverse(
        rate, ResilienceOptions.DEFAULTS, ConnectionPoolOptions.DEFAULTS, recommended);
  }

  @Override
  public String name() {
    return "dataverse";
  }

  @Override
  public String title() {
    return "World 1: Dataverse";
  }

  @Override
  public String about() {
    return "A simulated environment: one to eight web servers behind a balancer, one to four"
        + " application users. Each user may send 6,000 requests and use 1,200 s of execution time"
        + " per server in any 300 s, 52 at once. Servers slow down under load; answers may or may"
        + " not tell what is left; affinity cookies are followed always, sometimes or never. A"
        + " client knows the limits, but neither how many servers there are nor how busy they are.";
  }

  @Override
  public String oracle() {
    return "The oracle reads the servers' own counters, chooses the server of every request"
        + " (cookies are always followed for it, even where they are not for others), and sends"
        + " whenever an account has room, with what is running counted as spent, so that it stays"
        + " within the documented limits and is never told to wait. Where a balancer binds users to"
        + " servers, it uses only servers that some user was sent to, and each user only its own if"
        + " cookies are never followed. It is played"
        + " with 2, 3, 4, 5, 6, 8, 11, 16, 24, 36 and 52 requests in flight per account, and the"
        + " best of these counts. It is a very good client, not a proof. Some services charge a"
        + " request only when it ends and let more through than they document: a client that has"
        + " the luck counts as 1.";
  }

  @Override
  public List<DataverseScenario> named() {
    return DataverseScenarios.named();
  }

  @Override
  public DataverseScenario random(long number) {
    return DataverseScenarios.random(number);
  }

  @Override
  public Venue venue(DataverseScenario scenario) {
    return new Venue(
        name(),
        scenario.name(),
        description(scenario),
        scenario.name().startsWith("random "),
        scenario.farm().cookieHonoured() < 1 ? List.of(COOKIES_NOT_HONOURED) : List.of());
  }

  private static String description(DataverseScenario scenario) {
    FarmOptions farm = scenario.farm();
    ProtectionOptions limits = farm.protection();
    List<String> words = new ArrayList<>();
    words.add(count(scenario.users(), "user"));
    words.add(count(farm.servers(), "server") + (limits.shared() ? " that count together" : ""));
    words.add(wordy(farm.balancer()) + " balancer");
    words.add(format("%.0f %% of cookies followed", 100 * farm.cookieHonoured()));
    words.add(
        limits.charging() == Charging.AT_COMPLETION
            ? "charged at completion"
            : "charged as it runs");
    words.add(
        Double.isInfinite(farm.knee())
            ? "no slow-down under load"
            : format("twice as slow at %.0f in flight", farm.knee()));
    words.add(work(scenario));
    words.add("recommends " + scenario.hint());
    if (scenario.headers()) {
      words.add("tells what is left");
    }
    return String.join(", ", words);
  }

  private static String work(DataverseScenario scenario) {
    String before = mix(scenario.before());
    return scenario.changeAt() == Long.MAX_VALUE
        ? before
        : format(
            "%s, after %d min %s",
            before, scenario.changeAt() / Duration.ofMinutes(1).toNanos(), mix(scenario.after()));
  }

  private static String mix(Mix mix) {
    return IntStream.range(0, mix.operations().size())
        .mapToObj(
            kind ->
                mix.operations().size() == 1
                    ? format("%.1f s each", mix.operations().get(kind).base() / 1e9)
                    : format(
                        "%.0f %% of %.1f s",
                        100 * mix.shares().get(kind), mix.operations().get(kind).base() / 1e9))
        .collect(joining(" + "));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static String wordy(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  @Override
  public List<Entrant<DataverseScenario>> entrants() {
    return List.copyOf(entrants);
  }

  @Override
  public String champion() {
    return PINNED;
  }

  @Override
  public List<String> drawn() {
    return List.of("fixed-52-held", "aimd-chunked", PLAIN, PINNED);
  }

  @Override
  public Job job(DataverseScenario scenario, Size size) {
    return size.isHour() ? Job.HOUR : DataverseScenarios.job(scenario, size.amount());
  }

  @Override
  public double expectedRequests(DataverseScenario scenario, Size size) {
    return DataverseScenarios.job(scenario, size.isHour() ? WINDOWS_IN_AN_HOUR : size.amount())
        .requests();
  }

  @Override
  public World world(DataverseScenario scenario, long seed) {
    return new DataverseWorld(scenario, seed);
  }

  @Override
  public Score best(DataverseScenario scenario, Job job, long seed) {
    return new DataverseBest(scenario, job, seed).search();
  }

  @Override
  public int boutsForBest() {
    return 8;
  }

  @Override
  public List<Goal> goals() {
    double price = 0.003;
    List<String> family = List.of(PLAIN, PINNED);
    return List.of(
        Goals.reach("an hour, pinned", PINNED, Size.HOUR, 0.985, price, true),
        Goals.reach("ten windows", PINNED, new Size(10), 0.95, price, true),
        Goals.reach("three windows", PINNED, new Size(3), 0.88, price, true),
        Goals.reach("one window", PINNED, new Size(1), 0.55, price, true),
        Goals.reach("a third of a window", PINNED, new Size(0.3), 0.75, price, true),
        Goals.reach("an hour, not pinned", PLAIN, Size.HOUR, 0.945, price, true),
        Goals.unbeaten(PINNED, family),
        Goals.noWorse(
            "where cookies are not always followed",
            PINNED,
            PLAIN,
            result -> result.venue().traits().contains(COOKIES_NOT_HONOURED),
            0.01));
  }
}
