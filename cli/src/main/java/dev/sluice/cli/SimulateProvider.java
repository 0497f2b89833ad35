package dev.sluice.cli;

import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.Spelling;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Change;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.QuotaHeaders;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.Suspension;
import dev.sluice.simulator.provider.http.Credentials;
import dev.sluice.simulator.provider.http.Paging;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.ProviderServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code sluice simulate provider}: an API that pushes back, on loopback. */
@Command(
    name = "provider",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "An API that pushes back, and says little about it.",
      "",
      "Lists items with comments, on this machine only, to any client. Made from a",
      "seed, kept in memory. Runs until it is stopped (Ctrl-C).",
      ""
    },
    footer = {
      "",
      "Limits, one or several, separated by commas:",
      "  100/1m             a fixed window on the clock",
      "  first:100/1m       a fixed window that its first request opens",
      "  sliding:100/1m     a sliding window",
      "  bucket:20:100/1m   20 tokens at most, 100 flow in per minute",
      "  concurrent:8       requests at the same time",
      "  none               no limit",
      "",
      "Examples:",
      "  sluice simulate provider --limit sliding:60/1m --signal bare-429",
      "  sluice simulate provider --limit bucket:20:5/s,concurrent:4 --auth oauth2",
      "  sluice simulate provider --limit 30/1m --misbehave retry-after-zero,lock-out",
      "  sluice simulate provider --limit 600/1m --change 5m=0.5,10m=1 --churn 60",
      "",
      "While it runs, /control shows counters and takes changes."
    })
final class SimulateProvider implements Callable<Integer> {
  private static final Pattern CHANGE =
      Pattern.compile("([0-9]{1,6})(s|m|h)=([0-9]{1,4}(?:\\.[0-9]{1,6})?)");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8089",
      description = "Where to listen; 0 for any port that is free (default: 8089).")
  private int port;

  @Option(
      names = "--limit",
      paramLabel = "LIMIT",
      defaultValue = "60/1m",
      description = "What each account may do; see below (default: 60/1m).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String limit;

  @Option(
      names = "--signal",
      paramLabel = "HOW",
      defaultValue = "retry-after",
      description =
          "How it refuses: retry-after, bare-429, bare-503, retry-after-503, slow-down (default:"
              + " retry-after).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String signal;

  @Option(
      names = "--quota-headers",
      paramLabel = "WHICH",
      defaultValue = "none",
      description = "Tell what is left: none, triple, list (default: none).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String quotaHeaders;

  @Option(
      names = "--misbehave",
      paramLabel = "NAME",
      split = ",",
      description = "In what it deviates from good manners; 'help' lists all.")
  private List<String> misbehave = List.of();

  @Option(
      names = "--change",
      paramLabel = "WHEN=FACTOR",
      split = ",",
      description = "Limits change while it runs: 5m=0.5 halves them after 5 min.")
  private List<String> changes = List.of();

  @Option(
      names = "--neighbour",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "Somebody else asks for this share of the limit, 0 to below 1 (default: 0).")
  private double neighbour;

  @Option(
      names = "--suspend",
      description = "Suspend accounts of whose last minute more than 10 %% was throttled.")
  private boolean suspend;

  @Option(
      names = "--latency",
      paramLabel = "MS",
      defaultValue = "50",
      description = "How long a request takes, in milliseconds (default: 50).")
  private long latency;

  @Option(
      names = "--items",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many items there are at the start (default: 1000).")
  private int items;

  @Option(
      names = "--churn",
      paramLabel = "N",
      defaultValue = "0",
      description = "Items that appear, change or vanish per minute (default: 0).")
  private double churn;

  @Option(
      names = "--paging",
      paramLabel = "HOW",
      defaultValue = "cursor",
      description = "How lists are cut: offset, page, cursor, link, next-url (default: cursor).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String paging;

  @Option(
      names = "--auth",
      paramLabel = "HOW",
      defaultValue = "none",
      description =
          "How clients sign in: none, bearer, basic, header, query, oauth2 (default: none).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String auth;

  @Option(
      names = "--accounts",
      paramLabel = "N",
      defaultValue = "1",
      description = "Accounts, each with its own limit (default: 1).")
  private int accounts;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Decides the items and all that happens by chance (default: 1).")
  private long seed;

  @Override
  public Integer call() {
    if (misbehave.contains("help")) {
      listMisbehaviours();
      return ExitCode.DONE.number();
    }
    ProviderOptions options = options();
    Time time = Time.real();
    try (ProviderServer server = ProviderServer.start(new Provider(options, time), time, port)) {
      print(server.address().toString(), options);
      boolean unused = time.bell().await(Time.NEVER);
    } catch (IOException e) {
      return ExitCode.FAILED.because(spec, e.getMessage());
    } catch (InterruptedException e) {
      // Asked to stop, which is the only way to end.
    }
    return ExitCode.DONE.number();
  }

  private void listMisbehaviours() {
    PrintWriter out = spec.commandLine().getOut();
    for (Misbehaviour misbehaviour : Misbehaviour.values()) {
      out.printf("%-31s %s%n", misbehaviour.key(), misbehaviour.meaning());
    }
    out.flush();
  }

  private ProviderOptions options() {
    if (port < 0 || port > 65_535) {
      throw wrong("--port is " + port + ", but must be 0 to 65,535");
    }
    try {
      ServiceOptions service =
          ServiceOptions.DEFAULTS
              .withLimit(LimitOptions.parse(limit))
              .withSignal(named("--signal", signal, Signal.class))
              .withLatency(Duration.ofMillis(latency), 0.1)
              .withChanges(changes.stream().map(this::change).toArray(Change[]::new))
              .withNeighbour(neighbour)
              .withSuspension(suspend ? Suspension.USUAL : Suspension.NEVER)
              .withMisbehaviours(misbehaviours());
      Credentials.Kind kind = named("--auth", auth, Credentials.Kind.class);
      return ProviderOptions.DEFAULTS
          .withService(service)
          .withQuota(named("--quota-headers", quotaHeaders, QuotaHeaders.class))
          .withCatalogue(
              CatalogueOptions.DEFAULTS.withItems(items).withSeed(seed).withChangesPerMinute(churn))
          .withPaging(named("--paging", paging, Paging.class), 100)
          .withCredentials(Credentials.of(kind, accounts));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Set<Misbehaviour> misbehaviours() {
    Set<Misbehaviour> wanted = EnumSet.noneOf(Misbehaviour.class);
    for (String name : misbehave) {
      wanted.add(Misbehaviour.named(name).orElseThrow(() -> unknownMisbehaviour(name)));
    }
    return wanted;
  }

  private ParameterException unknownMisbehaviour(String name) {
    List<String> keys = Arrays.stream(Misbehaviour.values()).map(Misbehaviour::key).toList();
    String advice =
        Spelling.closest(name, keys)
            .map(key -> "did you mean '" + key + "'?")
            .orElse("'--misbehave help' lists all");
    return wrong("there is no misbehaviour '" + name + "'; " + advice);
  }

  private Change change(String text) {
    Matcher parts = CHANGE.matcher(text);
    if (!parts.matches()) {
      throw wrong("--change is '" + text + "', but must be a time and a factor, as in 5m=0.5");
    }
    long number = Long.parseLong(parts.group(1));
    Duration after =
        switch (parts.group(2)) {
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        };
    return new Change(after, Double.parseDouble(parts.group(3)));
  }

  private <E extends Enum<E>> E named(String option, String text, Class<E> type) {
    for (E value : EnumSet.allOf(type)) {
      if (key(value).equals(text.toLowerCase(Locale.ROOT).replace('_', '-'))) {
        return value;
      }
    }
    List<String> keys = EnumSet.allOf(type).stream().map(SimulateProvider::key).toList();
    throw wrong(
        "%s is '%s', but must be one of %s".formatted(option, text, String.join(", ", keys)));
  }

  private static String key(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void print(String address, ProviderOptions options) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("A simulated provider listens on %s%n%n", address);
    out.printf("  items     %s/items   (%s paging)%n", address, key(options.paging()));
    out.printf("  details   %s/items/1   %1$s/items/1/comments%n", address);
    out.printf("  control   %s/control   %1$s/control/log%n", address);
    out.printf("  limit     %s, told by %s%n", limit, key(options.service().signal()));
    if (!options.service().misbehaviours().isEmpty()) {
      out.printf("  manners   %s%n", String.join(", ", misbehave));
    }
    int accounts = options.credentials().count();
    if (accounts > 1) {
      out.printf(
          "  accounts  %s and %s to %s and %s%n",
          Credentials.name(0),
          Credentials.secret(0),
          Credentials.name(accounts - 1),
          Credentials.secret(accounts - 1));
    }
    out.printf("%nTo try it:%n");
    if (options.credentials().kind() == Credentials.Kind.OAUTH2) {
      out.printf(
          "  TOKEN=$(curl -s %s/oauth/token -d grant_type=client_credentials -d client_id=%s -d"
              + " client_secret=%s | sed 's/.*access_token\":\"//;s/\".*//')%n",
          address, Credentials.name(0), Credentials.secret(0));
    }
    out.printf("  curl -i %s%n", signedIn(address, options.credentials().kind()));
    out.printf("  curl -s -d '{\"factor\": 0.5}' %s/control%n%n", address);
    out.printf("Ctrl-C stops it.%n");
    out.flush();
  }

  private static String signedIn(String address, Credentials.Kind kind) {
    String page = "'" + address + "/items?limit=5'";
    String secret = Credentials.secret(0);
    return switch (kind) {
      case NONE -> page;
      case BEARER -> "-H 'Authorization: Bearer " + secret + "' " + page;
      case BASIC -> "-u " + Credentials.name(0) + ":" + secret + " " + page;
      case HEADER -> "-H 'X-Api-Key: " + secret + "' " + page;
      case QUERY -> "'" + address + "/items?limit=5&api_key=" + secret + "'";
      case OAUTH2 -> "-H \"Authorization: Bearer $TOKEN\" " + page;
    };
  }
}
