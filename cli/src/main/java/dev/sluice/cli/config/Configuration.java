package dev.sluice.cli.config;

import dev.sluice.config.ConfigurationException;
import dev.sluice.config.Reading;
import dev.sluice.config.Section;
import dev.sluice.config.YamlText;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.parallelism.Preset;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.control.routing.Selection;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.wire.Cloud;
import dev.sluice.dataverse.wire.Guid;
import dev.sluice.dataverse.wire.Origin;
import dev.sluice.dataverse.wire.RequestHeaders;
import dev.sluice.dataverse.wire.Timeouts;
import dev.sluice.gate.words.Spelling;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What stands in {@code sluice.yaml}. YAML or JSON; keys in any case style; what is left out has
 * its default; what is wrong is refused, all of it at once. Secrets are fetched by {@link
 * #dataverse()} and not before. Immutable.
 */
public final class Configuration {
  /** What the file is called where nobody says otherwise. */
  public static final String FILE = "sluice.yaml";

  /** What the id of a caller is, for messages. */
  public static final String CALLER =
      "the Microsoft Entra object id of the user on whose behalf rows are written";

  /** What the ids of steps are, for messages. */
  public static final String STEPS = "a registered step that does not run";

  private static final String ADDRESS = "an address such as https://contoso.crm4.dynamics.com";

  private final Path file;
  private final Path state;
  private final AdaptiveRateOptions adaptiveRate;
  private final ResilienceOptions resilience;
  private final ConnectionPoolOptions pool;
  private final Timeouts timeouts;
  private final QuotaOptions limits;
  private final boolean pinned;
  private final Section dataverse;
  private final Optional<URI> environment;
  private final URI authority;
  private final String apiVersion;
  private final Optional<UUID> caller;
  private final MessageOptions message;
  private final HeaderEntries headers;
  private final List<IdentityEntry> identities;

  private Configuration(Path file, Reading reading, Section top) {
    this.file = file;
    this.state =
        top.file("state").orElseGet(() -> reading.folder().resolve(".sluice").resolve("state.db"));
    this.dataverse = top.sectionOrEmpty("dataverse");
    top.close();
    dataverse.alias("environment", "url");
    dataverse.alias("pool", "connectionPool");
    dataverse.alias("tenant", "tenantId");
    this.environment = origin("environment");
    Optional<Cloud> cloud = dataverse.word("cloud", Cloud.class);
    Optional<URI> given = origin("authority");
    cloud.ifPresent(named -> checkCloud(named, given));
    this.apiVersion = dataverse.text("apiVersion").orElse(DataverseOptions.API_VERSION);
    this.adaptiveRate = adaptiveRate(dataverse.sectionOrEmpty("adaptiveRate"));
    this.resilience = resilience(dataverse.sectionOrEmpty("resilience"));
    this.pool = pool(dataverse.sectionOrEmpty("pool"));
    this.timeouts = timeouts(dataverse.sectionOrEmpty("timeouts"));
    this.limits = limits(dataverse.sectionOrEmpty("limits"));
    this.pinned = dataverse.flag("pinned").orElse(false);
    this.caller =
        dataverse
            .text("caller")
            .flatMap(text -> dataverse.build(() -> Guid.of("caller", text, CALLER)));
    this.message = message(dataverse.sectionOrEmpty("bypass"));
    this.headers = HeaderEntries.read(dataverse.sectionOrEmpty("headers"));
    Optional<String> tenant = dataverse.text("tenant");
    List<IdentityEntry> entries = new ArrayList<>();
    List<Section> described = dataverse.sections("identities");
    for (int i = 0; i < described.size(); i++) {
      IdentityEntry.read(described.get(i), tenant, i + 1).ifPresent(entries::add);
    }
    this.identities = List.copyOf(entries);
    this.authority =
        given
            .or(() -> cloud.map(Cloud::authority))
            .or(this::authorityOfWorkloads)
            .or(() -> environment.flatMap(Cloud::of).map(Cloud::authority))
            .orElse(DataverseOptions.PUBLIC_CLOUD);
    dataverse.close();
  }

  /** A cloud names where to sign in, and its environments are where it is. */
  private void checkCloud(Cloud named, Optional<URI> authority) {
    if (authority.isPresent()) {
      dataverse.mistake(
          "cloud",
          "and %s are both given, but must not be (a cloud has its own)"
              .formatted(dataverse.at("authority")));
    }
    environment
        .flatMap(Cloud::of)
        .filter(real -> real != named)
        .ifPresent(
            real ->
                dataverse.mistake(
                    "cloud",
                    "is %s, but %s is in the cloud %s"
                        .formatted(named.wireName(), environment.get(), real.wireName())));
  }

  /** Where the platform of a workload says to sign in, if it does. */
  private Optional<URI> authorityOfWorkloads() {
    return identities.stream()
        .filter(entry -> entry.proof() instanceof IdentityEntry.Proof.Workload)
        .findFirst()
        .flatMap(
            entry ->
                Optional.ofNullable(
                        dataverse.reading().variables().get(IdentityEntry.AUTHORITY_HOST))
                    .flatMap(
                        host ->
                            entry
                                .section()
                                .build(
                                    () ->
                                        Origin.of(
                                            IdentityEntry.AUTHORITY_HOST, URI.create(host)))));
  }

  /**
   * Reads the file that is given, or else {@value #FILE} in a folder.
   *
   * @param given as with {@code --config}; null for none
   * @param variables the environment's, where secrets may be
   * @throws ConfigurationException if there is none, or it cannot be used
   */
  public static Configuration find(@Nullable Path given, Path folder, Map<String, String> variables)
      throws ConfigurationException {
    Path file = given != null ? given : folder.resolve(FILE);
    if (given == null && !Files.exists(file)) {
      throw new ConfigurationException(
          List.of(
              "there is no %s here; 'sluice init' writes one, --config FILE names another"
                  .formatted(FILE)));
    }
    return read(file, variables);
  }

  /**
   * Reads a file.
   *
   * @throws ConfigurationException if it cannot be read or used
   */
  public static Configuration read(Path file, Map<String, String> variables)
      throws ConfigurationException {
    return parse(file, YamlText.read(file, "file"), variables);
  }

  /** What a text says that stands in a file, or could. */
  static Configuration parse(Path file, String text, Map<String, String> variables)
      throws ConfigurationException {
    Reading reading = Reading.ofSettings(file, variables, Spelling::closest);
    Configuration configuration = new Configuration(file, reading, Section.of(text, reading));
    reading.check();
    return configuration;
  }

  /** Where it stands. */
  public Path file() {
    return file;
  }

  /** The file in which runs and loads are kept: {@code .sluice/state.db} beside this one. */
  public Path state() {
    return state;
  }

  /** How parallelism is found. */
  public AdaptiveRateOptions adaptiveRate() {
    return adaptiveRate;
  }

  /** What happens after a throttle. */
  public ResilienceOptions resilience() {
    return resilience;
  }

  /** How requests are spread over identities. */
  public ConnectionPoolOptions pool() {
    return pool;
  }

  /** How long to wait for answers. */
  public Timeouts timeouts() {
    return timeouts;
  }

  /** What the service is told beside the records, unless a load says otherwise. */
  public MessageOptions message() {
    return message;
  }

  /** What the environment allows one user on one server. */
  public QuotaOptions limits() {
    return limits;
  }

  /**
   * Where to work, as whom and how. Fetches the secrets, anew each time.
   *
   * @throws ConfigurationException if the environment or all identities are missing, or a secret or
   *     certificate cannot be had
   */
  public DataverseOptions dataverse() throws ConfigurationException {
    Reading later = dataverse.reading().again();
    Section here = dataverse.in(later);
    if (environment.isEmpty()) {
      here.missing("environment", "where the data goes: " + ADDRESS);
    }
    List<Identity> resolved = new ArrayList<>();
    for (IdentityEntry entry : identities) {
      entry.resolve(later).ifPresent(resolved::add);
    }
    RequestHeaders fetched = headers.fetch(later);
    later.check();
    Optional<DataverseOptions> options =
        here.build(
            () ->
                new DataverseOptions(
                    environment.orElseThrow(),
                    resolved,
                    authority,
                    adaptiveRate,
                    resilience,
                    pool,
                    timeouts,
                    apiVersion,
                    limits,
                    pinned,
                    caller,
                    fetched,
                    Map.of()));
    later.check();
    return options.orElseThrow();
  }

  private Optional<URI> origin(String key) {
    return dataverse
        .read(key, ADDRESS, Configuration::address)
        .flatMap(address -> dataverse.build(() -> Origin.of(key, address)));
  }

  private static URI address(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e); // what it quotes may come from a variable
    }
  }

  private static MessageOptions message(Section section) {
    Optional<MessageOptions.Bypass> plugins = section.word("plugins", MessageOptions.Bypass.class);
    List<String> steps = section.list("steps", step -> step);
    Optional<Boolean> flows = section.flag("flows");
    section.close();
    return section
        .build(
            () ->
                new MessageOptions(
                    plugins.orElse(MessageOptions.Bypass.NONE),
                    steps.stream().map(step -> Guid.of("steps", step, STEPS)).toList(),
                    flows.orElse(false),
                    false,
                    Optional.empty()))
        .orElse(MessageOptions.DEFAULTS);
  }

  private static AdaptiveRateOptions adaptiveRate(Section section) {
    AdaptiveRateOptions.Builder builder = AdaptiveRateOptions.builder();
    section.flag("enabled").ifPresent(builder::enabled);
    section.word("policy", PolicyName.class).ifPresent(builder::policy);
    section.word("preset", Preset.class).ifPresent(builder::preset);
    section.number("initialParallelismFactor").ifPresent(builder::initialParallelismFactor);
    section.integer("minParallelism").ifPresent(builder::minParallelism);
    section.integer("increaseRate").ifPresent(builder::increaseRate);
    section.number("decreaseFactor").ifPresent(builder::decreaseFactor);
    section.integer("stabilizationBatches").ifPresent(builder::stabilizationBatches);
    section.duration("minIncreaseInterval").ifPresent(builder::minIncreaseInterval);
    section.number("recoveryMultiplier").ifPresent(builder::recoveryMultiplier);
    section.duration("lastKnownGoodTtl").ifPresent(builder::lastKnownGoodTtl);
    section.duration("idleResetPeriod").ifPresent(builder::idleResetPeriod);
    section.alias("executionTimeCeilingFactor", "factor");
    section.integer("executionTimeCeilingFactor").ifPresent(builder::executionTimeCeilingFactor);
    section.alias("slowBatchThresholdMs", "threshold");
    section.integer("slowBatchThresholdMs").ifPresent(builder::slowBatchThresholdMs);
    section.close();
    return section.build(builder::build).orElse(AdaptiveRateOptions.DEFAULTS);
  }

  private static ResilienceOptions resilience(Section section) {
    ResilienceOptions usual = ResilienceOptions.DEFAULTS;
    Optional<Integer> retries = section.integer("maxThrottleRetries");
    Optional<Boolean> tracking = section.flag("enableThrottleTracking");
    Optional<Duration> fallback = section.duration("fallbackRetryAfter");
    section.close();
    return section
        .build(
            () ->
                new ResilienceOptions(
                    retries.orElse(usual.maxThrottleRetries()),
                    tracking.orElse(usual.enableThrottleTracking()),
                    fallback.orElse(usual.fallbackRetryAfter())))
        .orElse(usual);
  }

  private static ConnectionPoolOptions pool(Section section) {
    ConnectionPoolOptions usual = ConnectionPoolOptions.DEFAULTS;
    Optional<Selection> strategy = section.word("strategy", Selection.class);
    Optional<Duration> tolerance = section.duration("maxRetryAfterTolerance");
    Optional<Duration> timeout = section.duration("acquireTimeout");
    Optional<Duration> buffer = section.duration("throttleBuffer");
    section.close();
    return section
        .build(
            () ->
                new ConnectionPoolOptions(
                    strategy.orElse(usual.strategy()),
                    tolerance,
                    timeout.orElse(usual.acquireTimeout()),
                    buffer.orElse(usual.throttleBuffer())))
        .orElse(usual);
  }

  private static Timeouts timeouts(Section section) {
    Timeouts usual = Timeouts.DEFAULTS;
    Optional<Duration> connect = section.duration("connect");
    Optional<Duration> read = section.duration("read");
    Optional<Duration> write = section.duration("write");
    section.close();
    return section
        .build(
            () ->
                new Timeouts(
                    connect.orElse(usual.connect()),
                    read.orElse(usual.read()),
                    write.orElse(usual.write())))
        .orElse(usual);
  }

  private static QuotaOptions limits(Section section) {
    QuotaOptions usual = QuotaOptions.DATAVERSE;
    Optional<Integer> requests = section.integer("requests");
    Optional<Duration> executionTime = section.duration("executionTime");
    Optional<Duration> window = section.duration("window");
    section.alias("maxInFlight", "concurrent");
    Optional<Integer> maxInFlight = section.integer("maxInFlight");
    Optional<Integer> servers = section.integer("servers");
    section.close();
    return section
        .build(
            () ->
                new QuotaOptions(
                    requests.map(Integer::longValue).orElse(usual.requests()),
                    executionTime.orElse(usual.executionTime()),
                    window.orElse(usual.window()),
                    maxInFlight.orElse(usual.maxInFlight()),
                    servers.map(OptionalInt::of).orElse(usual.servers())))
        .orElse(usual);
  }
}
