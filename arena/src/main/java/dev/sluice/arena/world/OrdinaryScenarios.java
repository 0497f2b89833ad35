package dev.sluice.arena.world;

import static dev.sluice.arena.world.OpaqueScenarios.between;
import static dev.sluice.arena.world.OpaqueScenarios.seconds;

import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Change;
import dev.sluice.simulator.provider.Disturbances;
import dev.sluice.simulator.provider.Disturbances.Maintenance;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.Suspension;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Providers at which things go wrong: a few by name, any number by chance. */
public final class OrdinaryScenarios {
  private static final long SALT = 0x0D1AA51CL;
  private static final Duration ROUND_TRIP = Duration.ofMillis(50);

  private OrdinaryScenarios() {}

  /** One of each trouble, at a provider of 10 requests per second. */
  public static List<OpaqueScenario> named() {
    ServiceOptions plain =
        ServiceOptions.DEFAULTS
            .withLimit(LimitOptions.parse("bucket:10:10/1s"))
            .withLatency(ROUND_TRIP.multipliedBy(8).dividedBy(10), 0)
            .withSuspension(Suspension.USUAL);
    return List.of(
        scenario("nothing goes wrong", plain),
        scenario(
            "nginx limit_req",
            plain.withLimit(LimitOptions.parse("bucket:11:20/1s")).withSignal(Signal.BARE_503)),
        scenario(
            "two per cent of answers fail",
            plain.withDisturbances(with(0.02, 0, 0, 0, List.of(), List.of()))),
        scenario(
            "one per cent of objects always fail",
            plain.withDisturbances(with(0, 0.01, 0, 0, List.of(), List.of()))),
        scenario(
            "maintenance of three minutes",
            plain.withDisturbances(
                with(
                    0,
                    0,
                    0,
                    0,
                    List.of(),
                    List.of(new Maintenance(Duration.ofMinutes(1), Duration.ofMinutes(3)))))),
        scenario(
            "a few answers come 20 s late",
            plain.withDisturbances(with(0, 0, 0.002, 0, List.of(), List.of()))),
        scenario(
            "latency is noisy and triples for good",
            plain.withDisturbances(
                with(0, 0, 0, 0.6, List.of(new Change(Duration.ofMinutes(1), 3)), List.of()))));
  }

  private static Disturbances with(
      double errors,
      double broken,
      double late,
      double noise,
      List<Change> steps,
      List<Maintenance> maintenance) {
    return new Disturbances(errors, broken, late, 0, noise, steps, maintenance);
  }

  private static OpaqueScenario scenario(String name, ServiceOptions service) {
    return new OpaqueScenario(name, service, ROUND_TRIP.toNanos() / 10);
  }

  /** A provider by chance; equal seeds give equal providers. */
  public static OpaqueScenario random(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ SALT);
    OpaqueScenario plain = OpaqueScenarios.random(random.nextLong());
    ServiceOptions service = plain.service();
    double errors = random.nextInt(4) == 0 ? 0 : 0.05 * random.nextDouble();
    double broken = random.nextInt(2) == 0 ? 0 : 0.05 * random.nextDouble();
    double late = random.nextInt(3) == 0 ? 0.003 * random.nextDouble() : 0;
    List<Maintenance> maintenance =
        random.nextInt(3) == 0
            ? List.of(
                new Maintenance(
                    seconds(between(random, 10, 3_000)), seconds(60 + random.nextInt(241))))
            : List.of();
    int kind = random.nextInt(24);
    double heavy = kind == 0 ? 0.3 * random.nextDouble() : 0;
    service =
        service.withDisturbances(
            new Disturbances(
                errors,
                broken,
                late,
                heavy,
                service.disturbances().noise(),
                service.disturbances().latencySteps(),
                maintenance));
    List<ServiceOptions> routes =
        switch (kind) {
          case 1 ->
              List.of(
                  service.withLimit(
                      new LimitOptions.All(
                          List.of(
                              service.limit(),
                              LimitOptions.parse(
                                  "sliding:%d/1d".formatted(300 + random.nextInt(2_700)))))));
          case 2 -> List.of(service, service.withLimit(OpaqueScenarios.limit(random)));
          default -> List.of(service);
        };
    return new OpaqueScenario("random " + seed, routes, plain.oneWay(), kind > 2);
  }
}
