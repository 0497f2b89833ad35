package dev.sluice.cli.config;

import dev.sluice.collect.yaml.document.MalformedYamlException;
import dev.sluice.collect.yaml.document.Node;
import dev.sluice.collect.yaml.document.YamlText;
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
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
    this.dataverse = top.section("dataverse");
    top.end();
    this.environment =
        dataverse.address("environment", "url").flatMap(address -> origin("environment", address));
    Optional<Cloud> cloud = dataverse.word("cloud", Cloud.class);
    Optional<URI> given =
        dataverse.address("authority").flatMap(address -> origin("authority", address));
    cloud.ifPresent(named -> checkCloud(named, given));
    this.apiVersion = dataverse.text("apiVersion").orElse(DataverseOptions.API_VERSION);
    this.adaptiveRate = adaptiveRate(dataverse.section("adaptiveRate"));
    this.resilience = resilience(dataverse.section("resilience"));
    this.pool = pool(dataverse.section("pool", "connectionPool"));
    this.timeouts = timeouts(dataverse.section("timeouts"));
    this.limits = limits(dataverse.section("limits"));
    this.pinned = dataverse.flag("pinned").orElse(false);
    this.caller =
        dataverse
            .text("caller")
            .flatMap(text -> dataverse.build(() -> Guid.of("caller", text, CALLER)));
    this.message = message(dataverse.section("bypass"));
    this.headers = HeaderEntries.read(dataverse.section("headers"));
    Optional<String> tenant = dataverse.text("tenant", "tenantId");
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
    dataverse.end();
  }

  /** A cloud names where to sign in, and its environments are where it is. */
  private void checkCloud(Cloud named, Optional<URI> authority) {
    if (authority.isPresent()) {
      dataverse
          .reading()
          .mistake(
              dataverse.line("cloud"),
              "%s and %s are both given, but must not be (a cloud has its own)"
                  .formatted(dataverse.path("cloud"), dataverse.path("authority")));
    }
    environment
        .flatMap(Cloud::of)
        .filter(real -> real != named)
        .ifPresent(
            real ->
                dataverse
                    .reading()
                    .mistake(
                        dataverse.line("cloud"),
                        "%s is %s, but %s is in the cloud %s"
                            .formatted(
                                dataverse.path("cloud"),
                                named.wireName(),
                                environment.get(),
                                real.wireName())));
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
          "there is no %s here; 'sluice init' writes one, --config FILE names another"
              .formatted(FILE));
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
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException("there is no file " + file);
    } catch (CharacterCodingException e) {
      throw new ConfigurationException(file + " is not UTF-8; save it as such");
    } catch (IOException e) {
      throw new ConfigurationException("%s cannot be read: %s".formatted(file, e.getMessage()));
    }
    return parse(file, text, variables);
  }

  /** What a text says that stands in a file, or could. */
  static Configuration parse(Path file, String text, Map<String, String> variables)
      throws ConfigurationException {
    Path parent = file.toAbsolutePath().getParent();
    Reading reading =
        new Reading(file.toString(), parent == null ? file.toAbsolutePath() : parent, variables);
    Section top = Section.of(reading, "", 1, document(file, text));
    Configuration configuration = new Configuration(file, reading, top);
    reading.check();
    return configuration;
  }

  private static Node document(Path file, String text) throws ConfigurationException {
    try {
      return YamlText.parse(text);
    } catch (MalformedYamlException e) {
      throw new ConfigurationException(
          file.toString(), List.of(new Mistake(e.line(), e.problem())));
    }
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
      later.mistake(
          here.line(),
          here.path("environment")
              + " is missing, but must be an address such as https://contoso.crm4.dynamics.com"
              + " (where the data goes)");
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

  private Optional<URI> origin(String key, URI address) {
    return dataverse.build(() -> Origin.of(key, address));
  }

  private static MessageOptions message(Section section) {
    Optional<MessageOptions.Bypass> plugins = section.word("plugins", MessageOptions.Bypass.class);
    List<String> steps = section.texts("steps");
    Optional<Boolean> flows = section.flag("flows");
    section.end();
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
    section.span("minIncreaseInterval").ifPresent(builder::minIncreaseInterval);
    section.number("recoveryMultiplier").ifPresent(builder::recoveryMultiplier);
    section.span("lastKnownGoodTtl").ifPresent(builder::lastKnownGoodTtl);
    section.span("idleResetPeriod").ifPresent(builder::idleResetPeriod);
    section
        .integer("executionTimeCeilingFactor", "factor")
        .ifPresent(builder::executionTimeCeilingFactor);
    section.integer("slowBatchThresholdMs", "threshold").ifPresent(builder::slowBatchThresholdMs);
    section.end();
    return section.build(builder::build).orElse(AdaptiveRateOptions.DEFAULTS);
  }

  private static ResilienceOptions resilience(Section section) {
    ResilienceOptions usual = ResilienceOptions.DEFAULTS;
    Optional<Integer> retries = section.integer("maxThrottleRetries");
    Optional<Boolean> tracking = section.flag("enableThrottleTracking");
    Optional<Duration> fallback = section.span("fallbackRetryAfter");
    section.end();
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
    Optional<Duration> tolerance = section.span("maxRetryAfterTolerance");
    Optional<Duration> timeout = section.span("acquireTimeout");
    Optional<Duration> buffer = section.span("throttleBuffer");
    section.end();
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
    Optional<Duration> connect = section.span("connect");
    Optional<Duration> read = section.span("read");
    Optional<Duration> write = section.span("write");
    section.end();
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
    Optional<Duration> executionTime = section.span("executionTime");
    Optional<Duration> window = section.span("window");
    Optional<Integer> maxInFlight = section.integer("maxInFlight", "concurrent");
    Optional<Integer> servers = section.integer("servers");
    section.end();
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
