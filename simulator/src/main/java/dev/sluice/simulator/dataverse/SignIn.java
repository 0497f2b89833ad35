package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.odata.Json;
import dev.sluice.simulator.dataverse.odata.PercentText;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The token endpoint: client credentials by secret. Immutable. */
final class SignIn {
  private static final String PATH = "/oauth2/v2.0/token";
  private static final String SCOPE_END = "/.default";
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final List<ApplicationUser> users;
  private final Duration life;
  private final IntFunction<String> issuer;
  private final Supplier<UUID> ids;
  private final Supplier<Instant> clock;

  /** For these users; {@code issuer} gives out a token for the user with that number. */
  SignIn(
      List<ApplicationUser> users,
      Duration life,
      IntFunction<String> issuer,
      Supplier<UUID> ids,
      Supplier<Instant> clock) {
    this.users = users;
    this.life = life;
    this.issuer = issuer;
    this.ids = ids;
    this.clock = clock;
  }

  static boolean covers(String path) {
    return path.endsWith(PATH) && path.length() > PATH.length() + 1; // a slash and a tenant
  }

  Response answer(Request request) {
    if (!request.method().equals("POST")) {
      return error(405, "invalid_request", 900_561, "The endpoint only accepts POST requests.");
    }
    String tenant = request.path().substring(1, request.path().length() - PATH.length());
    Map<String, String> form =
        PercentText.fields(new String(request.body(), StandardCharsets.UTF_8));
    if (!tenant.equals(EnvironmentOptions.TENANT.toString())) {
      return error(400, "invalid_request", 90_002, "Tenant '%s' not found.".formatted(tenant));
    }
    String grant = form.getOrDefault("grant_type", "");
    if (!grant.equals("client_credentials")) {
      return grant.isEmpty()
          ? error(
              400,
              "invalid_request",
              900_144,
              "The request body must contain the following parameter: 'grant_type'.")
          : error(
              400,
              "unsupported_grant_type",
              70_003,
              "The app requested an unsupported grant type '%s'.".formatted(grant));
    }
    return credentials(form, request.headers().first("Host"));
  }

  private Response credentials(Map<String, String> form, @Nullable String host) {
    String clientId = form.getOrDefault("client_id", "");
    int user = user(clientId);
    if (user < 0) {
      return error(
          400,
          "unauthorized_client",
          700_016,
          "Application with identifier '%s' was not found in the directory.".formatted(clientId));
    }
    String secret = form.get("client_secret");
    if (secret == null) {
      return error(
          401,
          "invalid_client",
          7_000_218,
          "The request body must contain the following parameter: 'client_assertion' or"
              + " 'client_secret'.");
    }
    if (!secret.equals(users.get(user).secret())) {
      return error(
          401,
          "invalid_client",
          7_000_215,
          "Invalid client secret provided. Ensure the secret being sent in the request is the"
              + " client secret value, not the client secret ID.");
    }
    String scope = form.getOrDefault("scope", "");
    if (!scope.endsWith(SCOPE_END)) {
      return error(
          400,
          "invalid_scope",
          70_011,
          "The provided request must include a 'scope' input parameter. The scope '%s' is not valid."
              .formatted(scope));
    }
    if (host != null && !sameHost(scope, host)) {
      return error(
          400,
          "invalid_resource",
          500_011,
          "The resource principal named %s was not found in the tenant."
              .formatted(scope.substring(0, scope.length() - SCOPE_END.length())));
    }
    String token = issuer.apply(user);
    return Response.of(
        200,
        headers(),
        Json.bytes(
            out -> {
              out.writeStartObject();
              out.writeStringProperty("token_type", "Bearer");
              out.writeNumberProperty("expires_in", life.toSeconds());
              out.writeNumberProperty("ext_expires_in", life.toSeconds());
              out.writeStringProperty("access_token", token);
              out.writeEndObject();
            }));
  }

  private int user(String clientId) {
    for (int i = 0; i < users.size(); i++) {
      if (users.get(i).clientId().toString().equalsIgnoreCase(clientId)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a scope is about this host; the names of the loopback address are all one. */
  private static boolean sameHost(String scope, String host) {
    int start = scope.indexOf("://") + 3;
    int end = scope.indexOf('/', start);
    return start > 3
        && end > start
        && scope
            .substring(start, end)
            .replace("localhost", "127.0.0.1")
            .equalsIgnoreCase(host.replace("localhost", "127.0.0.1"));
  }

  private static Headers headers() {
    return Headers.of(
        "Content-Type", "application/json; charset=utf-8",
        "Cache-Control", "no-store, no-cache",
        "Pragma", "no-cache");
  }

  private Response error(int status, String error, int code, String text) {
    UUID trace = ids.get();
    UUID correlation = ids.get();
    String now = STAMP.format(clock.get());
    return Response.of(
        status,
        headers(),
        Json.bytes(
            out -> {
              out.writeStartObject();
              out.writeStringProperty("error", error);
              out.writeStringProperty(
                  "error_description",
                  "AADSTS%d: %s Trace ID: %s Correlation ID: %s Timestamp: %s"
                      .formatted(code, text, trace, correlation, now));
              out.writeName("error_codes");
              out.writeStartArray();
              out.writeNumber(code);
              out.writeEndArray();
              out.writeStringProperty("timestamp", now);
              out.writeStringProperty("trace_id", trace.toString());
              out.writeStringProperty("correlation_id", correlation.toString());
              out.writeStringProperty(
                  "error_uri", "https://login.microsoftonline.com/error?code=" + code);
              out.writeEndObject();
            }));
  }
}
