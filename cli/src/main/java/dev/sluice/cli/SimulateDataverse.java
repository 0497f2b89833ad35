package dev.sluice.cli;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.dataverse.FaultRule;
import dev.sluice.simulator.dataverse.ServiceTimes;
import dev.sluice.simulator.dataverse.Settings;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.farm.Balancer;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.LoopbackCertificate;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code sluice simulate dataverse}: a Dataverse environment on loopback. */
@Command(
    name = "dataverse",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "A Dataverse environment that is not one.",
      "",
      "Speaks the Web API on this machine only, to any client: sign-in, tables, bulk",
      "messages, batches, queries, service protection. Keeps everything in memory.",
      "Runs until it is stopped (Ctrl-C).",
      ""
    },
    footer = {
      "",
      "Limits, each for one user on one server: requests, execution-time, window,",
      "concurrent, charging (at-completion, as-it-accrues), shortest-wait,",
      "longest-wait, press, concurrency-locks. Times are written 500ms, 30s, 5m, 1h.",
      "",
      "Faults, each with the share of requests that it strikes: deadlock,",
      "table-preparation, sql-timeout, busy, dropped-before, bad-gateway, unavailable,",
      "gateway-timeout, dropped, slow-body, expired-token.",
      "",
      "Examples:",
      "  sluice simulate dataverse --users 3 --servers 2",
      "  sluice simulate dataverse --limits requests=600,window=30s",
      "  sluice simulate dataverse --faults deadlock=0.01,dropped=0.002",
      "  sluice simulate dataverse --https=simulator.pem",
      "",
      "While it runs, /simulator/ shows counters and takes changes."
    })
final class SimulateDataverse implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8090",
      description = "Where to listen; 0 for any port that is free (default: 8090).")
  private int port;

  @Option(
      names = "--https",
      arity = "0..1",
      paramLabel = "FILE",
      fallbackValue = "sluice-simulator.pem",
      description =
          "Serves HTTPS with a certificate made at start, and writes it to FILE for clients to"
              + " trust (without FILE: sluice-simulator.pem).")
  private @Nullable Path https;

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "3",
      description = "Application users that may sign in (default: 3).")
  private int users;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Web servers behind the balancer (default: 1).")
  private int servers;

  @Option(
      names = "--balancer",
      paramLabel = "HOW",
      defaultValue = "RANDOM",
      description = "How requests find a server: random, round_robin, sticky (default: random).")
  @SuppressWarnings("NullAway.Init") // has a default
  private Balancer balancer;

  @Option(
      names = "--cookie-honoured",
      paramLabel = "SHARE",
      defaultValue = "1",
      description = "The share of affinity cookies that are followed, 0 to 1 (default: 1).")
  private double cookieHonoured;

  @Option(
      names = "--limits",
      paramLabel = "LIMIT=VALUE",
      split = ",",
      description = "What service protection allows (default: as documented).")
  private Map<String, String> limits = Map.of();

  @Option(names = "--no-limits", description = "Nothing is ever refused for too much.")
  private boolean noLimits;

  @Option(
      names = "--shared-limits",
      description = "All servers count together, instead of each by itself.")
  private boolean sharedLimits;

  @Option(
      names = "--service-time",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "Requests take so many times as long as is typical; 0 for none (default: 1).")
  private double serviceTime;

  @Option(
      names = "--knee",
      paramLabel = "N",
      defaultValue = "Infinity",
      description = "So many requests at once on a server double their time (default: never).")
  private double knee;

  @Option(
      names = "--faults",
      paramLabel = "FAULT=SHARE",
      split = ",",
      description = "What goes wrong, and how often (default: nothing).")
  private Map<String, String> faults = Map.of();

  @Option(
      names = "--preparation",
      description = "The first bulk message on a table makes others fail meanwhile.")
  private boolean preparation;

  @Option(
      names = "--token-life",
      paramLabel = "TIME",
      defaultValue = "3599s",
      description = "How long a token is accepted (default: 3599s).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String tokenLife;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description =
          "A JSON file with tables, beside account, contact and others; its form is in"
              + " docs/simulator.md.")
  private @Nullable Path schema;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Decides ids, secrets and all that happens by chance (default: 1).")
  private long seed;

  @Override
  public Integer call() throws IOException {
    EnvironmentOptions options = options();
    Time time = Time.real();
    Environment environment = new Environment(options, time, seed);
    try (LoopbackServer server = start(environment, time)) {
      print(server.address().toString(), options);
      boolean unused = time.bell().await(Time.NEVER);
    } catch (BindException e) {
      return ExitCode.FAILED.because(spec, e.getMessage());
    } catch (InterruptedException e) {
      // Asked to stop, which is the only way to end.
    }
    return ExitCode.DONE.number();
  }

  private LoopbackServer start(Environment environment, Time time) throws IOException {
    if (https == null) {
      return LoopbackServer.start(port, environment, time);
    }
    LoopbackCertificate certificate = LoopbackCertificate.create(time.instant());
    LoopbackServer server = LoopbackServer.startSecure(port, environment, time, certificate);
    // Not before it listens: another one, on the same port, may have written that file.
    try {
      Files.writeString(https, certificate.pem(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      server.close();
      throw wrong("--https: %s cannot be written (%s)".formatted(https, e.getMessage()));
    }
    return server;
  }

  private EnvironmentOptions options() {
    if (port < 0 || port > 65_535) {
      throw wrong("--port is " + port + ", but must be 0 to 65,535");
    }
    try {
      ProtectionOptions protection =
          Settings.limits(
                  noLimits ? ProtectionOptions.UNLIMITED : ProtectionOptions.DOCUMENTED, limits)
              .withShared(sharedLimits);
      List<FaultRule> rules = new ArrayList<>();
      faults.forEach((kind, rate) -> rules.add(Settings.fault(kind, Map.of("rate", rate))));
      return EnvironmentOptions.of(ApplicationUser.several(users, seed))
          .withSchema(schema())
          .withFarm(new FarmOptions(servers, balancer, cookieHonoured, protection, knee, 0))
          .withTimes(ServiceTimes.TYPICAL.times(serviceTime))
          .withFaults(rules)
          .withPreparation(preparation)
          .withTokenLife(Settings.time("--token-life", tokenLife));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Schema schema() {
    if (schema == null) {
      return Schema.builtIn();
    }
    try {
      return Schema.withTables(schema.toString(), Files.readString(schema, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw wrong("there is no file " + schema);
    } catch (CharacterCodingException e) {
      throw wrong(schema + " cannot be read: it is not UTF-8");
    } catch (IOException e) {
      throw wrong(schema + " cannot be read: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(String address, EnvironmentOptions options) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("A simulated Dataverse environment listens on %s%n%n", address);
    out.printf("  Web API   %s/api/data/v9.2%n", address);
    out.printf(
        "  tables    %s%n",
        options.schema().tables().stream()
            .map(TableSchema::name)
            .collect(Collectors.joining(", ")));
    out.printf("  control   %s/simulator/%n", address);
    if (https != null) {
      out.printf("  trust     %s%n", https.toAbsolutePath());
    }
    out.printf("  tenant    %s%n%n", EnvironmentOptions.TENANT);
    out.printf("  user   client id                              secret (made up)%n");
    for (ApplicationUser user : options.users()) {
      out.printf("  %-6s %s   %s%n", user.name(), user.clientId(), user.secret());
    }
    ApplicationUser first = options.users().getFirst();
    String curl = https == null ? "curl -s" : "curl -s --cacert " + https;
    out.printf("%nTo try it:%n");
    out.printf(
        "  TOKEN=$(%5$s %1$s/%2$s/oauth2/v2.0/token -d grant_type=client_credentials"
            + " -d client_id=%3$s -d client_secret=%4$s -d scope=%1$s/.default"
            + " | sed 's/.*access_token\":\"//;s/\".*//')%n",
        address, EnvironmentOptions.TENANT, first.clientId(), first.secret(), curl);
    out.printf(
        "  %s -H \"Authorization: Bearer $TOKEN\" %s/api/data/v9.2/WhoAmI%n%n", curl, address);
    out.printf("Ctrl-C stops it, and all rows are gone.%n");
    out.flush();
  }
}
