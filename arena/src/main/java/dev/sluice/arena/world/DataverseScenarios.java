package dev.sluice.arena.world;

import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Operation;
import dev.sluice.simulator.farm.Balancer;
import dev.sluice.simulator.farm.Charging;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Environments: a few by name, any number by chance. */
public final class DataverseScenarios {
  private static final long MILLISECOND = 1_000_000;
  private static final long MINUTE = 60_000 * MILLISECOND;

  private DataverseScenarios() {}

  /** One of each family, for those who want to look closely. */
  public static List<DataverseScenario> named() {
    DataverseScenario plain =
        new DataverseScenario(
            "one server",
            FarmOptions.DEFAULTS.withKnee(100).withJitter(0.2),
            1,
            20 * MILLISECOND,
            Mix.of("create", 1_000 * MILLISECOND),
            Mix.of("create", 1_000 * MILLISECOND),
            Long.MAX_VALUE,
            false,
            4);
    FarmOptions four = plain.farm().withServers(4);
    return List.of(
        plain,
        with(plain, "four servers", four, 1),
        with(plain, "four servers, three users", four, 3),
        with(plain, "four servers, sticky", four.withBalancer(Balancer.STICKY), 2),
        with(plain, "four servers, cookies ignored", four.withCookieHonoured(0), 2),
        with(
            plain, "four servers, cookies followed half the time", four.withCookieHonoured(0.5), 2),
        with(
            plain,
            "four servers that count together",
            four.withProtection(four.protection().withShared(true)),
            2),
        with(
            plain,
            "time charged as it accrues",
            four.withProtection(four.protection().withCharging(Charging.AS_IT_ACCRUES)),
            2),
        work(plain, "fast singles", Mix.of("create", 100 * MILLISECOND), Long.MAX_VALUE),
        work(plain, "slow deletes", Mix.of("delete", 12_000 * MILLISECOND), Long.MAX_VALUE),
        work(
            plain, "slower after ten minutes", Mix.of("delete", 6_000 * MILLISECOND), 10 * MINUTE));
  }

  private static DataverseScenario with(
      DataverseScenario from, String name, FarmOptions farm, int users) {
    return new DataverseScenario(
        name,
        farm,
        users,
        from.oneWay(),
        from.before(),
        from.after(),
        from.changeAt(),
        from.headers(),
        Math.min(52, 4 * farm.servers()));
  }

  private static DataverseScenario work(
      DataverseScenario from, String name, Mix after, long changeAt) {
    return new DataverseScenario(
        name,
        from.farm(),
        from.users(),
        from.oneWay(),
        changeAt == Long.MAX_VALUE ? after : from.before(),
        after,
        changeAt,
        from.headers(),
        from.hint());
  }

  /** An environment by chance; equal seeds give equal environments. */
  public static DataverseScenario random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int servers = pick(random, 1, 1, 2, 3, 4, 6, 8);
    ProtectionOptions protection =
        ProtectionOptions.DOCUMENTED
            .withCharging(random.nextBoolean() ? Charging.AT_COMPLETION : Charging.AS_IT_ACCRUES)
            .withShared(random.nextInt(100) < 15)
            .withWaits(Duration.ofSeconds(pick(random, 1, 5, 15, 30)), Duration.ofMinutes(17))
            .withPress(Duration.ofSeconds(random.nextInt(6)));
    int chance = random.nextInt(100);
    double honoured = chance < 70 ? 1 : chance < 90 ? 0 : 0.5 + 0.4 * random.nextDouble();
    chance = random.nextInt(100);
    FarmOptions farm =
        new FarmOptions(
            servers,
            chance < 70 ? Balancer.RANDOM : chance < 90 ? Balancer.ROUND_ROBIN : Balancer.STICKY,
            honoured,
            protection,
            random.nextInt(10) == 0 ? Double.POSITIVE_INFINITY : between(random, 20, 400),
            0.1 + 0.3 * random.nextDouble());
    Mix before = mix(random);
    boolean changes = random.nextInt(4) == 0;
    return new DataverseScenario(
        "random " + seed,
        farm,
        pick(random, 1, 1, 2, 3, 4),
        (10 + random.nextInt(51)) * MILLISECOND,
        before,
        changes ? mix(random) : before,
        changes ? (5 + random.nextInt(30)) * MINUTE : Long.MAX_VALUE,
        random.nextInt(10) < 3,
        Math.clamp(Math.round(4 * servers * (0.7 + 0.6 * random.nextDouble())), 1, 52));
  }

  private static Mix mix(SplittableRandom random) {
    int kinds = random.nextInt(10) < 6 ? 1 : 2 + random.nextInt(2);
    List<Operation> operations = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    double left = 1;
    for (int kind = 0; kind < kinds; kind++) {
      double seconds = between(random, 0.1, 12);
      operations.add(new Operation("kind" + kind, ((long) (seconds * 1_000)) * MILLISECOND));
      double share = kind == kinds - 1 ? left : left * (0.2 + 0.6 * random.nextDouble());
      shares.add(share);
      left -= share;
    }
    return new Mix(operations, shares);
  }

  /** Evenly by order of magnitude. */
  private static double between(SplittableRandom random, double low, double high) {
    return low * StrictMath.pow(high / low, random.nextDouble());
  }

  private static int pick(SplittableRandom random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** A job of so many windows' worth of what the scenario's users may do. */
  public static Job job(DataverseScenario scenario, double windows) {
    ProtectionOptions limits = scenario.farm().protection();
    int accounts = scenario.accounts();
    double sustained = limits.executionTime().toNanos() / (double) limits.window().toNanos();
    double load = sustained * accounts / scenario.reachableServers();
    double latency = scenario.before().meanBase() * (1 + load / scenario.farm().knee());
    double perWindow =
        Math.min((double) limits.requests(), limits.executionTime().toNanos() / latency);
    String name = windows == Math.rint(windows) ? (long) windows + " w" : windows + " w";
    return Job.of(name, Math.max(1, Math.round(windows * accounts * perWindow)));
  }
}
