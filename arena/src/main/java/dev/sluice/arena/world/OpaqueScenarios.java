package dev.sluice.arena.world;

import dev.sluice.arena.bout.Job;
import dev.sluice.simulator.limit.FixedWindow;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Change;
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
    ServiceOptions service =
        ServiceOptions.DEFAULTS
            .withLimit(limit(random))
            .withSignal(signal)
            .withLatency(Duration.ofMillis((long) between(random, 50, 800)), 0.3)
            .withKnee(between(random, 20, 400))
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
    return new OpaqueScenario("random " + seed, service, (10 + random.nextInt(51)) * MILLISECOND);
  }

  private static LimitOptions limit(SplittableRandom random) {
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
  private static double between(SplittableRandom random, double low, double high) {
    return low * StrictMath.pow(high / low, random.nextDouble());
  }

  /** A job of so many times what the provider grants in five minutes. */
  public static Job job(OpaqueScenario scenario, double windows) {
    double rate = scenario.service().limit().rate();
    double perSecond = Double.isFinite(rate) ? rate : 10;
    String name = windows == Math.rint(windows) ? (long) windows + " w" : windows + " w";
    return Job.of(name, Math.max(1, Math.round(windows * 300 * perSecond)));
  }
}
