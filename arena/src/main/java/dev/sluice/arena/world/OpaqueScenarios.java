package dev.sluice.arena.world;

import dev.sluice.arena.bout.Job;
import dev.sluice.simulator.limit.FixedWindow;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Change;
import dev.sluice.simulator.provider.Disturbances;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.Suspension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Providers: a few by name, any number by chance. */
public final class OpaqueScenarios {
  private static final long MILLISECOND = 1_000_000;

  /**
   * Two clients that cannot see each other collide by nature on a limit that admits fewer at once,
   * whatever either does: a neighbour who takes a third of 12 requests at once, at random, leaves 3
   * to a client that wants to be refused once in 250 times.
   */
  private static final int ROOM_FOR_TWO = 25;

  private OpaqueScenarios() {}

  /** One of each family, for those who want to look closely. */
  public static List<OpaqueScenario> named() {
    ServiceOptions plain =
        ServiceOptions.DEFAULTS
            .withLatency(Duration.ofMillis(200), 0.2)
            .withSuspension(Suspension.USUAL);
    LimitOptions bucket = new LimitOptions.Bucket(40, 20, Duration.ofSeconds(1));
    LimitOptions minute = LimitOptions.parse("fixed:300/60s");
    return List.of(
        scenario("bucket, 429 with Retry-After", plain.withLimit(bucket)),
        scenario("bucket, bare 429", plain.withLimit(bucket).withSignal(Signal.BARE_429)),
        scenario("minute window, 429 with Retry-After", plain.withLimit(minute)),
        scenario("minute window, 503", plain.withLimit(minute).withSignal(Signal.BARE_503)),
        scenario("silent slow-down", plain.withLimit(bucket).withSignal(Signal.SLOW_DOWN)));
  }

  private static OpaqueScenario scenario(String name, ServiceOptions service) {
    return new OpaqueScenario(name, service, 20 * MILLISECOND);
  }

  /** A provider by chance; equal seeds give equal providers. */
  public static OpaqueScenario random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int chance = random.nextInt(100);
    Signal signal =
        chance < 45
            ? Signal.RETRY_AFTER
            : chance < 70 ? Signal.BARE_429 : chance < 85 ? Signal.BARE_503 : Signal.SLOW_DOWN;
    LimitOptions limit = limit(random);
    double roundTrip = roundTrip(limit, random);
    double oneWay = roundTrip * (0.02 + 0.1 * random.nextDouble());
    Disturbances latency = latency(random);
    ServiceOptions service =
        ServiceOptions.DEFAULTS
            .withLimit(limit)
            .withSignal(signal)
            .withLatency(seconds(roundTrip - 2 * oneWay), 0)
            .withKnee(knee(limit, roundTrip, random))
            .withDisturbances(latency)
            .withSuspension(Suspension.USUAL);
    if (random.nextInt(4) == 0) {
      service =
          service.withChanges(
              new Change(
                  Duration.ofMinutes(10 + random.nextInt(30)), random.nextBoolean() ? 0.5 : 2));
    }
    if (random.nextInt(5) == 0) {
      double share = 0.1 + 0.3 * random.nextDouble();
      service = size(service.limit()) < ROOM_FOR_TWO ? service : service.withNeighbour(share);
    }
    return new OpaqueScenario("random " + seed, service, seconds(oneWay).toNanos());
  }

  /** From 1 ms to 2 s; longer for caps, so that none allows more than 200 requests a second. */
  private static double roundTrip(LimitOptions limit, SplittableRandom random) {
    double drawn = between(random, 0.001, 2);
    return limit instanceof LimitOptions.Concurrent cap
        ? Math.max(drawn, cap.limit() / 200.0)
        : drawn;
  }

  /** Noise everywhere; in one of five, latency triples for good, or falls to a third. */
  private static Disturbances latency(SplittableRandom random) {
    double noise = 0.6 * random.nextDouble();
    List<Change> steps =
        random.nextInt(5) == 0
            ? List.of(
                new Change(
                    seconds(between(random, 10, 2_400)), random.nextInt(3) == 0 ? 1 / 3.0 : 3))
            : List.of();
    return new Disturbances(0, 0, 0, 0, noise, steps, List.of());
  }

  /** A provider is not slow at its own limit, not even if its latency triples. */
  private static double knee(LimitOptions limit, double roundTrip, SplittableRandom random) {
    double drawn = between(random, 20, 400);
    return Double.isFinite(limit.rate()) ? Math.max(drawn, 10 * limit.rate() * roundTrip) : drawn;
  }

  static Duration seconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  static LimitOptions limit(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> bucket(random);
      case 1 -> {
        Duration period = period(random);
        yield new LimitOptions.Fixed(
            size(random, period), period, FixedWindow.Opening.ON_THE_CLOCK);
      }
      case 2 -> sliding(random, period(random));
      case 3 -> {
        List<LimitOptions> parts = new ArrayList<>();
        parts.add(bucket(random));
        parts.add(sliding(random, Duration.ofMinutes(15)));
        yield new LimitOptions.All(parts);
      }
      default -> new LimitOptions.Concurrent(2 + random.nextInt(19));
    };
  }

  private static LimitOptions bucket(SplittableRandom random) {
    long perMinute = Math.round(60 * between(random, 0.5, 30));
    return new LimitOptions.Bucket(
        Math.max(1, Math.round(perMinute / 60.0 * between(random, 1, 60))),
        perMinute,
        Duration.ofMinutes(1));
  }

  private static LimitOptions sliding(SplittableRandom random, Duration period) {
    return new LimitOptions.Sliding(size(random, period), period);
  }

  private static Duration period(SplittableRandom random) {
    return Duration.ofSeconds(new int[] {1, 10, 60, 60, 300, 900}[random.nextInt(6)]);
  }

  private static long size(SplittableRandom random, Duration period) {
    return Math.max(1, Math.round(period.toSeconds() * between(random, 0.5, 30)));
  }

  /** What the tightest part admits at once. */
  private static long size(LimitOptions limit) {
    return switch (limit) {
      case LimitOptions.Bucket bucket -> bucket.capacity();
      case LimitOptions.Fixed fixed -> fixed.limit();
      case LimitOptions.Sliding sliding -> sliding.limit();
      case LimitOptions.Concurrent concurrent -> concurrent.limit();
      case LimitOptions.All all ->
          all.parts().stream().mapToLong(OpaqueScenarios::size).min().orElse(Long.MAX_VALUE);
    };
  }

  /** Evenly by order of magnitude. */
  static double between(SplittableRandom random, double low, double high) {
    return low * StrictMath.pow(high / low, random.nextDouble());
  }

  /** A job of so many times what the provider grants in five minutes. */
  public static Job job(OpaqueScenario scenario, double windows) {
    double rate = scenario.service().limit().rate();
    double perSecond = Double.isFinite(rate) ? rate : 10;
    String name = windows == Math.rint(windows) ? (long) windows + " w" : windows + " w";
    return Job.of(name, Math.max(1, Math.round(windows * 300 * perSecond)));
  }

  /** About how many requests an hour allows. */
  public static double perHour(OpaqueScenario scenario) {
    LimitOptions limit = scenario.service().limit();
    double roundTrip = (scenario.service().latency().toNanos() + 2 * scenario.oneWay()) / 1e9;
    return 3_600
        * (limit instanceof LimitOptions.Concurrent cap ? cap.limit() / roundTrip : limit.rate());
  }
}
