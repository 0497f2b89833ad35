package dev.sluice.dataverse;

import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.dataverse.signin.TokenCache;
import dev.sluice.dataverse.signin.TokenSource;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.Table.BulkMessage;
import dev.sluice.dataverse.wire.Timeouts;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
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
import java.util.Set;

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

  /** Standard tables, with and without bulk messages, and an elastic one; columns are left out. */
  public static final Table ACCOUNT =
      table(
          "account",
          "accounts",
          false,
          List.of(List.of("accountnumber")),
          Set.of(
              BulkMessage.CREATE_MULTIPLE,
              BulkMessage.UPDATE_MULTIPLE,
              BulkMessage.UPSERT_MULTIPLE));

  public static final Table CONTACT =
      table(
          "contact", "contacts", false, List.of(List.of("externaluseridentifier")), ACCOUNT.bulk());

  public static final Table QUEUE = table("queue", "queues", false, List.of(), Set.of());

  public static final Table READING =
      table(
          "sim_sensorreading", "sim_sensorreadings", true, List.of(), Set.of(BulkMessage.values()));

  private static Table table(
      String name, String set, boolean elastic, List<List<String>> keys, Set<BulkMessage> bulk) {
    return new Table(name, set, name + "id", elastic, List.of(), keys, bulk);
  }

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

    /** The environment as all its users reach it. */
    public Service service() {
      return new Service(
          transport,
          ADDRESS,
          DataverseOptions.API_VERSION,
          tokens(),
          Timeouts.DEFAULTS,
          time,
          Routes.PLAIN);
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
