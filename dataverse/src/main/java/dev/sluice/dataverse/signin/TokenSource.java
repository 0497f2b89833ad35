package dev.sluice.dataverse.signin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.signin.Credential.Certificate;
import dev.sluice.dataverse.signin.Credential.ClientSecret;
import dev.sluice.dataverse.signin.Credential.DeviceCode;
import dev.sluice.dataverse.signin.Credential.ManagedIdentity;
import dev.sluice.dataverse.signin.Credential.WorkloadIdentity;
import dev.sluice.dataverse.wire.Cloud;
import dev.sluice.dataverse.wire.Origin;
import dev.sluice.dataverse.wire.RandomIds;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Gets tokens: by the grants of OAuth 2.0 that applications need, or from the endpoint of a managed
 * identity. Keeps nothing; {@link TokenCache} does. Thread-safe.
 */
public final class TokenSource {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LONGEST_LEAD = Duration.ofMinutes(5);
  private static final Duration SLOW_DOWN = Duration.ofSeconds(5);
  private static final long SHORTEST_LIFE = 1;
  private static final String ASSERTION_TYPE =
      "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

  private final Transport transport;
  private final URI authority;
  private final URI environment;
  private final Time time;
  private final Consumer<String> prompt;

  /**
   * Tokens for one environment.
   *
   * @param authority where to sign in
   * @param environment what the tokens are for
   * @param prompt shows a person where to sign in with which code; called for device codes only
   */
  public TokenSource(
      Transport transport, URI authority, URI environment, Time time, Consumer<String> prompt) {
    this.transport = requireNonNull(transport, "transport");
    this.authority = Origin.of("dataverse.authority", authority);
    this.environment = Origin.of("dataverse.environment", environment);
    this.time = requireNonNull(time, "time");
    this.prompt = requireNonNull(prompt, "prompt");
  }

  /**
   * A new token.
   *
   * @param refresh from the token before; null for none
   * @throws SignInException if the credential is refused
   * @throws ConnectException if the sign-in service cannot be reached, or does not work now
   */
  Token fetch(Credential credential, @Nullable String refresh)
      throws IOException, InterruptedException {
    return switch (credential) {
      case ClientSecret secret ->
          granted(
              secret,
              scope(secret),
              new Form("grant_type", "client_credentials").with("client_secret", secret.secret()));
      case Certificate certificate ->
          granted(
              certificate,
              scope(certificate),
              new Form("grant_type", "client_credentials")
                  .with("client_assertion_type", ASSERTION_TYPE)
                  .with(
                      "client_assertion",
                      Assertion.sign(
                          certificate,
                          address(certificate, "token"),
                          RandomIds.next(time.random()),
                          time.instant())));
      case DeviceCode device -> person(device, refresh);
      case WorkloadIdentity workload ->
          granted(
              workload,
              scope(workload),
              new Form("grant_type", "client_credentials")
                  .with("client_assertion_type", ASSERTION_TYPE)
                  .with("client_assertion", Assertion.read(workload.tokenFile())));
      case ManagedIdentity managed -> ofPlatform(managed);
    };
  }

  private String scope(Credential credential) {
    return switch (credential) {
      case DeviceCode device ->
          "openid profile offline_access " + environment + "/user_impersonation";
      case ClientSecret secret -> environment + "/.default";
      case Certificate certificate -> environment + "/.default";
      case WorkloadIdentity workload -> environment + "/.default";
      case ManagedIdentity managed -> environment.toString();
    };
  }

  /** A grant that is given or refused at once. */
  private Token granted(Credential credential, String scope, Form form)
      throws IOException, InterruptedException {
    WebAnswer answer = post(credential, "token", form.with("scope", scope));
    JsonNode body = body(answer);
    if (answer.status() == 200) {
      return token(body, authority);
    }
    throw refused(credential, scope, answer.status(), SignInRefusal.of(body));
  }

  private IOException refused(
      Credential credential, String scope, int status, SignInRefusal refusal) {
    if (refusal.isUntold() && !refusal.passing(status)) {
      return new ConnectException(
          "%s answers with status %d and not as a sign-in service".formatted(authority, status));
    }
    if (refusal.passing(status)) {
      return new ConnectException(
          "the sign-in service does not work now (status %d %s %s)"
              .formatted(status, refusal.code(), refusal.error()));
    }
    SignInException refused = refusal.explained(credential, scope);
    String mismatch = Cloud.mismatch(environment, authority);
    return mismatch.isEmpty()
        ? refused
        : new SignInException(refused.code(), refused.getMessage() + "; " + mismatch);
  }

  /** A token from the endpoint that Azure puts beside a machine or an app. */
  private Token ofPlatform(ManagedIdentity identity) throws IOException, InterruptedException {
    boolean machine = identity.identityHeader().isEmpty();
    String endpoint =
        identity.endpoint().getScheme() + "://" + identity.endpoint().getRawAuthority();
    Form query =
        new Form("api-version", machine ? "2018-02-01" : "2019-08-01")
            .with("resource", scope(identity));
    if (!identity.clientId().isEmpty()) {
      query = query.with("client_id", identity.clientId());
    }
    WebRequest request =
        new WebRequest(
            "GET",
            URI.create(identity.endpoint() + "?" + query.text()),
            machine
                ? List.of("Metadata", "true")
                : List.of("X-IDENTITY-HEADER", identity.identityHeader()),
            new byte[0],
            TIMEOUT);
    WebAnswer answer;
    try {
      answer = transport.send(request);
    } catch (IOException e) {
      throw unreachable(
          e,
          "the managed identity endpoint %s does not answer: %s; it is there on Azure only, and not"
              + " behind a proxy",
          endpoint);
    }
    JsonNode body = body(answer);
    int status = answer.status();
    if (status == 200) {
      return token(body, endpoint);
    }
    SignInRefusal refusal = SignInRefusal.of(body);
    // 404 and 410: the endpoint is being started or updated.
    if (refusal.passing(status) || status == 404 || status == 410) {
      throw new ConnectException(
          "the managed identity endpoint %s gives no tokens now (status %d)"
              .formatted(endpoint, status));
    }
    String words =
        Stream.of(refusal.description(), body.path("message").asString(""), refusal.error())
            .flatMap(String::lines)
            .findFirst()
            .map(": "::concat)
            .orElse("");
    throw new SignInException(
        refusal.code(),
        "%s got no token from %s; check that it is assigned to this machine or app, and is an application user of the environment (status %d%s)"
            .formatted(identity, endpoint, status, words));
  }

  /** Whatever became of this request, the one that the token was for has not been sent. */
  private static ConnectException unreachable(IOException failure, String words, Object address) {
    // What the JDK cannot connect to often has no words, only a name.
    String reason =
        failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    ConnectException unreachable = new ConnectException(words.formatted(address, reason));
    unreachable.initCause(failure);
    return unreachable;
  }

  private Token person(DeviceCode device, @Nullable String refresh)
      throws IOException, InterruptedException {
    if (refresh != null) {
      try {
        return granted(
            device,
            scope(device),
            new Form("grant_type", "refresh_token").with("refresh_token", refresh));
      } catch (SignInException e) {
        // What was remembered no longer counts: the person is asked again.
      }
    }
    WebAnswer answer = post(device, "devicecode", new Form("scope", scope(device)));
    JsonNode offer = body(answer);
    if (answer.status() != 200) {
      throw refused(device, scope(device), answer.status(), SignInRefusal.of(offer));
    }
    prompt.accept(
        offer
            .path("message")
            .asString(
                "To sign in, open %s and enter the code %s"
                    .formatted(
                        offer.path("verification_uri").asString(""),
                        offer.path("user_code").asString(""))));
    return poll(device, offer);
  }

  private Token poll(DeviceCode device, JsonNode offer) throws IOException, InterruptedException {
    long deadline =
        time.deadline(
            Duration.ofSeconds(Math.clamp(offer.path("expires_in").asLong(900), 1, 86_400)));
    Duration pause = Duration.ofSeconds(Math.clamp(offer.path("interval").asLong(5), 1, 300));
    Form form =
        new Form("grant_type", DEVICE_GRANT)
            .with("device_code", offer.path("device_code").asString(""));
    while (true) {
      time.sleep(pause);
      WebAnswer answer = post(device, "token", form);
      JsonNode body = body(answer);
      if (answer.status() == 200) {
        return token(body, authority);
      }
      SignInRefusal refusal = SignInRefusal.of(body);
      boolean slower = refusal.error().equals("slow_down") || answer.status() == 429;
      boolean pending = slower || refusal.error().equals("authorization_pending");
      if (!pending && !refusal.passing(answer.status())) {
        throw refusal.explained(device, scope(device));
      }
      if (time.nanos() - deadline >= 0) {
        throw new SignInRefusal("expired_token", 0, "").explained(device, scope(device));
      }
      pause = slower ? pause.plus(SLOW_DOWN) : pause;
    }
  }

  private WebAnswer post(Credential credential, String endpoint, Form form)
      throws IOException, InterruptedException {
    WebRequest request =
        new WebRequest(
            "POST",
            address(credential, endpoint),
            List.of(
                "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json"),
            form.with("client_id", credential.clientId()).text().getBytes(UTF_8),
            TIMEOUT);
    try {
      return transport.send(request);
    } catch (IOException e) {
      throw unreachable(e, "the sign-in service at %s does not answer: %s", authority);
    }
  }

  private URI address(Credential credential, String endpoint) {
    return URI.create(
        "%s/%s/oauth2/v2.0/%s"
            .formatted(authority, URLEncoder.encode(credential.tenant(), UTF_8), endpoint));
  }

  private static JsonNode body(WebAnswer answer) {
    try {
      return JsonMapper.shared().readTree(answer.body());
    } catch (JacksonException e) {
      return JsonMapper.shared().createObjectNode(); // a gateway's page: its status says enough
    }
  }

  private Token token(JsonNode body, Object from) throws IOException {
    String text = body.path("access_token").asString("");
    if (text.isEmpty()) {
      throw new ConnectException(
          "%s does not answer as a sign-in service: its answer holds no token".formatted(from));
    }
    // Endpoints of apps tell only when it ends, in seconds since 1970; all endpoints tell in texts.
    long told =
        body.has("expires_in")
            ? body.path("expires_in").asLong(0)
            : body.path("expires_on").asLong(0) - time.instant().getEpochSecond();
    Duration life = Duration.ofSeconds(Math.max(SHORTEST_LIFE, told));
    Duration fifth = life.dividedBy(5);
    Duration lead = fifth.compareTo(LONGEST_LEAD) < 0 ? fifth : LONGEST_LEAD;
    long now = time.nanos();
    String refresh = body.path("refresh_token").asString("");
    return new Token(
        text,
        Time.after(now, life.minus(lead)),
        Time.after(now, life),
        refresh.isEmpty() ? null : refresh);
  }

  /** Fields of a form, encoded. */
  private record Form(String text) {
    Form(String name, String value) {
      this(field(name, value));
    }

    Form with(String name, String value) {
      return new Form(text + "&" + field(name, value));
    }

    private static String field(String name, String value) {
      return URLEncoder.encode(name, UTF_8) + "=" + URLEncoder.encode(value, UTF_8);
    }

    @Override
    public String toString() {
      return "form";
    }
  }
}
