package dev.sluice.dataverse;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.control.routing.ConnectionPoolOptions;
import dev.sluice.control.routing.ResilienceOptions;
import dev.sluice.dataverse.wire.Cloud;
import dev.sluice.dataverse.wire.Origin;
import dev.sluice.dataverse.wire.RequestHeaders;
import dev.sluice.dataverse.wire.Timeouts;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Where a client works, as whom and how. Immutable; an invalid one cannot be built, and none prints
 * a secret.
 *
 * @param environment the environment's address without a path, as in {@code
 *     https://contoso.crm4.dynamics.com}; plain http only on this machine
 * @param identities who sends requests, at least one; their names differ
 * @param authority where they sign in; another one for other clouds
 * @param adaptiveRate how parallelism is found
 * @param resilience what happens after a throttle
 * @param pool how requests are spread over identities
 * @param timeouts how long to wait for answers
 * @param apiVersion the Web API's version, as in {@code v9.2}
 * @param limits what the environment allows one user on one server, if it is not as documented
 * @param pinned whether each identity gets a lane to each web server, as far as its affinity
 *     cookies are followed; which is measured, and given up where they are not
 * @param caller the Microsoft Entra object id of the user on whose behalf rows are written and
 *     read; empty for the identities themselves
 * @param headers of every request to the environment, beside those that requests have
 * @param learned what an earlier client has {@linkplain DataverseClient#learned learned}, by the
 *     names of identities: where this one begins
 */
public record DataverseOptions(
    URI environment,
    List<Identity> identities,
    URI authority,
    AdaptiveRateOptions adaptiveRate,
    ResilienceOptions resilience,
    ConnectionPoolOptions pool,
    Timeouts timeouts,
    String apiVersion,
    QuotaOptions limits,
    boolean pinned,
    Optional<UUID> caller,
    RequestHeaders headers,
    Map<String, QuotaProfile> learned) {

  /** Where identities of the public cloud sign in. */
  public static final URI PUBLIC_CLOUD = Cloud.PUBLIC.authority();

  /** The version that all environments answer. */
  public static final String API_VERSION = "v9.2";

  private static final Pattern VERSION = Pattern.compile("v\\d{1,2}\\.\\d{1,2}");

  public DataverseOptions {
    environment = Origin.of("dataverse.environment", environment);
    authority = Origin.of("dataverse.authority", authority);
    identities = List.copyOf(identities);
    learned = Map.copyOf(learned);
    requireNonNull(adaptiveRate, "adaptiveRate");
    requireNonNull(resilience, "resilience");
    requireNonNull(pool, "pool");
    requireNonNull(timeouts, "timeouts");
    requireNonNull(limits, "limits");
    requireNonNull(caller, "caller");
    requireNonNull(headers, "headers");
    if (identities.isEmpty()) {
      throw new IllegalArgumentException(
          "dataverse.identities is empty, but must name at least one (who sends the requests)");
    }
    Set<String> names = new HashSet<>();
    for (Identity identity : identities) {
      if (!names.add(identity.name())) {
        throw new IllegalArgumentException(
            "dataverse.identities has two named '%s', but their names must differ"
                .formatted(identity.name()));
      }
    }
    if (!VERSION.matcher(apiVersion).matches()) {
      throw new IllegalArgumentException(
          "dataverse.apiVersion is '%s', but must be like v9.2 (the Web API's version)"
              .formatted(apiVersion));
    }
  }

  /**
   * These identities in this environment, signed in at its own cloud as its domain tells it, or at
   * the public one; and defaults for all else.
   */
  public static DataverseOptions of(URI environment, List<Identity> identities) {
    return new DataverseOptions(
        environment,
        identities,
        Cloud.of(environment).orElse(Cloud.PUBLIC).authority(),
        AdaptiveRateOptions.DEFAULTS,
        ResilienceOptions.DEFAULTS,
        ConnectionPoolOptions.DEFAULTS,
        Timeouts.DEFAULTS,
        API_VERSION,
        QuotaOptions.DATAVERSE,
        false,
        Optional.empty(),
        RequestHeaders.NONE,
        Map.of());
  }

  /** The same with another place to sign in. */
  public DataverseOptions withAuthority(URI other) {
    return with(changed -> changed.authority = other);
  }

  /** The same with another way to find parallelism. */
  public DataverseOptions withAdaptiveRate(AdaptiveRateOptions other) {
    return with(changed -> changed.adaptiveRate = other);
  }

  /** The same with other consequences of a throttle. */
  public DataverseOptions withResilience(ResilienceOptions other) {
    return with(changed -> changed.resilience = other);
  }

  /** The same with another spread over identities. */
  public DataverseOptions withPool(ConnectionPoolOptions other) {
    return with(changed -> changed.pool = other);
  }

  /** The same with other time-outs. */
  public DataverseOptions withTimeouts(Timeouts other) {
    return with(changed -> changed.timeouts = other);
  }

  /** The same with another version of the Web API. */
  public DataverseOptions withApiVersion(String other) {
    return with(changed -> changed.apiVersion = other);
  }

  /** The same for an environment with other limits. */
  public DataverseOptions withLimits(QuotaOptions other) {
    return with(changed -> changed.limits = other);
  }

  /** The same with lanes to single web servers, or without. */
  public DataverseOptions withPinned(boolean other) {
    return with(changed -> changed.pinned = other);
  }

  /** The same on behalf of another user, by its Microsoft Entra object id. */
  public DataverseOptions withCaller(UUID other) {
    return with(changed -> changed.caller = Optional.of(other));
  }

  /** The same with other headers of its own. */
  public DataverseOptions withHeaders(RequestHeaders other) {
    return with(changed -> changed.headers = other);
  }

  /** The same, beginning with what an earlier client has learned of these identities. */
  public DataverseOptions withLearned(Map<String, QuotaProfile> other) {
    return with(changed -> changed.learned = other);
  }

  private DataverseOptions with(Consumer<Changed> change) {
    Changed changed = new Changed(this);
    change.accept(changed);
    return new DataverseOptions(
        environment,
        identities,
        changed.authority,
        changed.adaptiveRate,
        changed.resilience,
        changed.pool,
        changed.timeouts,
        changed.apiVersion,
        changed.limits,
        changed.pinned,
        changed.caller,
        changed.headers,
        changed.learned);
  }

  /** What can be changed of a copy. */
  private static final class Changed {
    URI authority;
    AdaptiveRateOptions adaptiveRate;
    ResilienceOptions resilience;
    ConnectionPoolOptions pool;
    Timeouts timeouts;
    String apiVersion;
    QuotaOptions limits;
    boolean pinned;
    Optional<UUID> caller;
    RequestHeaders headers;
    Map<String, QuotaProfile> learned;

    Changed(DataverseOptions options) {
      authority = options.authority;
      adaptiveRate = options.adaptiveRate;
      resilience = options.resilience;
      pool = options.pool;
      timeouts = options.timeouts;
      apiVersion = options.apiVersion;
      limits = options.limits;
      pinned = options.pinned;
      caller = options.caller;
      headers = options.headers;
      learned = options.learned;
    }
  }
}
