package dev.sluice.simulator.dataverse;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.util.List;

/** Environments in simulated time, to be talked to. */
final class Worlds {
  static final List<ApplicationUser> USERS = ApplicationUser.several(3, 1);

  /** No limits, no service time. */
  static final EnvironmentOptions FREE =
      EnvironmentOptions.of(USERS)
          .withFarm(FarmOptions.DEFAULTS.withProtection(ProtectionOptions.UNLIMITED))
          .withTimes(ServiceTimes.NONE);

  private Worlds() {}

  /** What happens in an environment. */
  interface Story {
    void happen(Environment environment, SimulatedTime time) throws Exception;
  }

  /** What one client does. */
  interface Visit {
    void happen(Client client) throws Exception;
  }

  static void in(EnvironmentOptions options, long seed, Story story) {
    SimulatedTime.run(seed, time -> story.happen(new Environment(options, time, seed), time));
  }

  static void in(EnvironmentOptions options, Story story) {
    in(options, 1, story);
  }

  /** A client of an environment without limits. */
  static void free(Visit visit) {
    in(FREE, (environment, time) -> visit.happen(new Client(environment, 0)));
  }
}
