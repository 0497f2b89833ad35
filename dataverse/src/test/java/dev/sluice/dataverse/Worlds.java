package dev.sluice.dataverse;

import dev.sluice.dataverse.fault.FaultReader;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.dataverse.signin.TokenCache;
import dev.sluice.dataverse.signin.TokenSource;
import dev.sluice.dataverse.wire.Transport;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Simulated environments in simulated time, and who signs in there. */
public final class Worlds {
  /** Where simulated environments are; they sign in their users themselves. */
  public static final URI ADDRESS = URI.create("http://localhost:5000");

  public static final List<ApplicationUser> USERS = ApplicationUser.several(3, 1);

  /** No limits, no service time. */
  public static final EnvironmentOptions FREE =
      EnvironmentOptions.of(USERS)
          .withFarm(FarmOptions.DEFAULTS.withProtection(ProtectionOptions.UNLIMITED))
          .withTimes(ServiceTimes.NONE);

  private Worlds() {}

  /** What happens in an environment. */
  public interface Story {
    void happen(World world) throws Exception;
  }

  /** An environment, its time and a way to it. */
  public record World(Environment environment, SimulatedTime time, Transport transport) {

    /** A token cache for every user, by name. */
    public Map<String, TokenCache> tokens() {
      return Worlds.tokens(transport, ADDRESS, time);
    }

    public FaultReader faults() {
      return new FaultReader(time);
    }
  }

  public static void in(EnvironmentOptions options, long seed, Story story) {
    SimulatedTime.run(
        seed,
        time -> {
          Environment environment = new Environment(options, time, seed);
          story.happen(new World(environment, time, new SimulatedTransport(environment, time)));
        });
  }

  public static void in(EnvironmentOptions options, Story story) {
    in(options, 1, story);
  }

  public static void free(Story story) {
    in(FREE, story);
  }

  public static Credential credential(ApplicationUser user) {
    return new Credential.ClientSecret(
        EnvironmentOptions.TENANT.toString(), user.clientId().toString(), user.secret());
  }

  /** A token cache for every user of an environment at this address, by name. */
  public static Map<String, TokenCache> tokens(Transport transport, URI address, Time time) {
    TokenSource source = new TokenSource(transport, address, address, time, message -> {});
    Map<String, TokenCache> tokens = new LinkedHashMap<>();
    for (ApplicationUser user : USERS) {
      tokens.put(user.name(), new TokenCache(source, credential(user), time));
    }
    return tokens;
  }
}
