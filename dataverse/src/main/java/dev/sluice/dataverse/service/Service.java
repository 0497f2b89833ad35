package dev.sluice.dataverse.service;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.fault.FaultReader;
import dev.sluice.dataverse.fault.FaultReader.Reading;
import dev.sluice.dataverse.signin.SignInException;
import dev.sluice.dataverse.signin.TokenCache;
import dev.sluice.dataverse.wire.Origin;
import dev.sluice.dataverse.wire.RandomIds;
import dev.sluice.dataverse.wire.RequestHeaders;
import dev.sluice.dataverse.wire.Timeouts;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One environment's Web API. Sends a request once, with what every request carries, and reads what
 * came back; waiting and repeating are for others. A token that is refused is forgotten, so that
 * whoever repeats gets a new one. Thread-safe.
 */
public final class Service {
  private static final byte[] NOTHING = new byte[0];

  private final Transport transport;
  private final URI environment;
  private final String path;
  private final Map<String, TokenCache> tokens;
  private final Timeouts timeouts;
  private final Time time;
  private final Routes routes;
  private final FaultReader faults;
  private final RequestHeaders headers;
  private final @Nullable UUID caller;

  /**
   * Over this transport.
   *
   * @param environment its address without a path
   * @param apiVersion as in {@code v9.2}
   * @param tokens of every identity, by its name
   * @param routes where lanes lead
   */
  public Service(
      Transport transport,
      URI environment,
      String apiVersion,
      Map<String, TokenCache> tokens,
      Timeouts timeouts,
      Time time,
      Routes routes) {
    this(
        transport,
        environment,
        apiVersion,
        tokens,
        timeouts,
        time,
        routes,
        RequestHeaders.NONE,
        Optional.empty());
  }

  /**
   * The same with what a connection tells the service beside its requests.
   *
   * @param headers of every request
   * @param caller the Microsoft Entra object id of the user on whose behalf rows are written and
   *     read; empty for the identities themselves
   */
  public Service(
      Transport transport,
      URI environment,
      String apiVersion,
      Map<String, TokenCache> tokens,
      Timeouts timeouts,
      Time time,
      Routes routes,
      RequestHeaders headers,
      Optional<UUID> caller) {
    this.transport = requireNonNull(transport, "transport");
    this.environment = Origin.of("dataverse.environment", environment);
    this.path = "/api/data/" + apiVersion + "/";
    this.tokens = Map.copyOf(tokens);
    this.timeouts = requireNonNull(timeouts, "timeouts");
    this.time = requireNonNull(time, "time");
    this.routes = requireNonNull(routes, "routes");
    this.faults = new FaultReader(time);
    this.headers = requireNonNull(headers, "headers");
    this.caller = caller.orElse(null);
  }

  /** The path below which everything is, with a slash at its end. */
  public String path() {
    return path;
  }

  /** The address of something below {@link #path()}, which is encoded already. */
  public URI address(String resource) {
    return URI.create(environment + path + resource);
  }

  /** How long to wait for answers. */
  public Timeouts timeouts() {
    return timeouts;
  }

  /** What reads answers, and parts of them. */
  public FaultReader faults() {
    return faults;
  }

  /** Never used before. */
  public UUID newId() {
    return RandomIds.next(time.random());
  }

  /**
   * A request for rows, on behalf of the caller if there is one, with these headers beside those
   * that all have.
   */
  public WebRequest get(URI address, String... headers) {
    List<String> all = new ArrayList<>(callerHeader());
    all.addAll(List.of(headers));
    return new WebRequest("GET", address, all, NOTHING, timeouts.read());
  }

  /** A request for something that is no row, and the same for every user. */
  public WebRequest getOwn(URI address) {
    return new WebRequest("GET", address, List.of(), NOTHING, timeouts.read());
  }

  /** What each part of a batch carries because of the connection, names and values in turn. */
  public List<String> partHeaders() {
    List<String> all = new ArrayList<>(callerHeader());
    all.addAll(headers.ofParts());
    return all;
  }

  private List<String> callerHeader() {
    return caller == null ? List.of() : List.of("CallerObjectId", caller.toString());
  }

  /**
   * Sends a request the way that a lane leads.
   *
   * @param lane where nothing is pinned, an identity's name
   * @param request without the headers that every request has
   * @return what came back; an empty 401 if the sign-in service refused the identity, so that
   *     nothing was sent
   * @throws IOException if no whole answer came; {@link java.net.ConnectException} and {@link
   *     java.net.http.HttpConnectTimeoutException} say that the environment has not seen the
   *     request
   * @throws IllegalArgumentException if there is no such identity, or the request goes elsewhere
   */
  public Reading send(String lane, WebRequest request) throws IOException, InterruptedException {
    Routes.Route route = routes.of(lane);
    TokenCache cache = tokens.get(route.identity());
    if (cache == null) {
      throw new IllegalArgumentException(
          "there is no identity '%s'; there are %s".formatted(route.identity(), tokens.keySet()));
    }
    if (!owns(request.uri())) {
      throw new IllegalArgumentException(
          "%s is not an address of %s".formatted(request.uri(), environment));
    }
    String token;
    try {
      token = cache.token();
    } catch (SignInException e) {
      Fault refused = new Fault.Authentication(e.code(), String.valueOf(e.getMessage()));
      return new Reading(
          new WebAnswer(401, HttpHeaders.of(Map.of(), (name, value) -> true), NOTHING),
          refused,
          refused.signal());
    }
    long sentAt = time.nanos();
    WebAnswer answer = transport.send(signed(request, token, route));
    long took = Math.max(0, time.nanos() - sentAt);
    Reading reading = faults.read(answer, Duration.ofNanos(took));
    routes.answered(route, answer, reading.signal(), took);
    if (reading.fault() instanceof Fault.Authentication) {
      cache.discard(token);
    }
    return reading;
  }

  /** Whether an address is one of this environment: a token goes to no other. */
  public boolean owns(URI address) {
    return environment.getScheme().equalsIgnoreCase(address.getScheme())
        && environment.getPort() == address.getPort()
        && address.getHost() != null
        && (environment.getHost().equalsIgnoreCase(address.getHost())
            || withoutApi(environment).equalsIgnoreCase(withoutApi(address)));
  }

  /** An environment has two names: {@code contoso.crm4…} and {@code contoso.api.crm4…}. */
  private static String withoutApi(URI address) {
    return address.getHost().replaceFirst("(?i)^([^.]+)\\.api\\.", "$1.");
  }

  private WebRequest signed(WebRequest request, String token, Routes.Route route) {
    List<String> all = new ArrayList<>(request.headers().size() + 16);
    all.addAll(
        List.of(
            "Authorization",
            "Bearer " + token,
            "OData-MaxVersion",
            "4.0",
            "OData-Version",
            "4.0",
            "x-ms-client-request-id",
            newId().toString()));
    if (route.cookie() != null) {
      all.add("Cookie");
      all.add(route.cookie());
    }
    addUnlessGiven(all, request, "Accept", "application/json");
    if (!request.method().equals("PATCH") && !request.method().equals("DELETE")) {
      addUnlessGiven(all, request, "If-None-Match", "null"); // against caches; no condition
    }
    if (request.body().length > 0) {
      addUnlessGiven(all, request, "Content-Type", "application/json; charset=utf-8");
    }
    if (!request.method().equals("GET")) {
      all.addAll(callerHeader()); // whatever writes; what only asks says for itself
    }
    all.addAll(headers.all());
    all.addAll(request.headers());
    return new WebRequest(request.method(), request.uri(), all, request.body(), request.timeout());
  }

  private static void addUnlessGiven(
      List<String> headers, WebRequest request, String name, String value) {
    for (int i = 0; i < request.headers().size(); i += 2) {
      if (request.headers().get(i).equalsIgnoreCase(name)) {
        return;
      }
    }
    headers.add(name);
    headers.add(value);
  }
}
