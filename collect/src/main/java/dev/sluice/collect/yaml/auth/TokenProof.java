package dev.sluice.collect.yaml.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.NoProofException;
import dev.sluice.collect.connector.PageForPeople;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An access token that somebody else issues, asked for when there is none or the last one is about
 * to expire. Kept in memory alone. One request for it is under way at a time, because a refresh
 * token may be good for one request only: whoever comes meanwhile waits for what it brings, without
 * a lock.
 */
final class TokenProof implements Authorization {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration UNSAID_LIFETIME = Duration.ofMinutes(5);
  private static final Duration LONGEST_MARGIN = Duration.ofMinutes(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final URI address;
  private final Map<String, String> form;
  private final Transport transport;
  private final Time time;
  private final Signals signals = Signals.builder().build(); // its own: it learns a clock
  private final AtomicReference<@Nullable Token> held = new AtomicReference<>();
  private final AtomicReference<@Nullable String> refreshToken = new AtomicReference<>();
  private final AtomicReference<@Nullable Inquiry> underWay = new AtomicReference<>();

  /**
   * Has none yet.
   *
   * @param form what is sent for one
   */
  TokenProof(URI address, Map<String, String> form, Transport transport, Time time) {
    this.address = address;
    this.form = Map.copyOf(form);
    this.transport = transport;
    this.time = time;
  }

  @Override
  public WebRequest sign(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return HeaderProof.of("Authorization", token().proof()).sign(request);
  }

  private Token token() throws ProviderException, IOException, InterruptedException {
    while (true) {
      Token token = usable();
      if (token != null) {
        return token;
      }
      Inquiry own = new Inquiry(time);
      Inquiry other = underWay.compareAndExchange(null, own);
      if (other == null) {
        return inquire(own);
      }
      other.await();
    }
  }

  private @Nullable Token usable() {
    Token token = held.get();
    return token == null || token.expiry() - time.nanos() <= 0 ? null : token;
  }

  private Token inquire(Inquiry own) throws ProviderException, IOException, InterruptedException {
    try {
      Token token = usable(); // another inquiry may have ended since there was none
      if (token == null) {
        token = issued();
        held.set(token);
      }
      return token;
    } catch (ProviderException e) {
      own.refused(e);
      throw e;
    } catch (IOException e) {
      own.failed(e);
      throw e;
    } finally {
      underWay.set(null);
      own.end();
    }
  }

  @Override
  public boolean refused(WebRequest signed) {
    Token token = held.get();
    if (token != null && signed.headers().contains(token.proof())) {
      boolean unused = held.compareAndSet(token, null);
    }
    return true;
  }

  private Token issued() throws ProviderException, IOException, InterruptedException {
    Map<String, String> fields = new LinkedHashMap<>(form);
    String fresher = refreshToken.get();
    if (fresher != null) {
      fields.put("refresh_token", fresher);
    }
    String body =
        fields.entrySet().stream()
            .map(
                field ->
                    URLEncoder.encode(field.getKey(), UTF_8)
                        + "="
                        + URLEncoder.encode(field.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    WebRequest request =
        new WebRequest(
            "POST",
            address,
            List.of(
                "Content-Type", "application/x-www-form-urlencoded",
                "Accept", "application/json"),
            body.getBytes(UTF_8),
            TIMEOUT);
    long sent = time.nanos();
    WebAnswer answer = transport.send(request);
    Signal signal = meaning(answer, Duration.ofNanos(Math.max(0, time.nanos() - sent)));
    if (signal instanceof Signal.Throttled || signal instanceof Signal.Transient) {
      throw new NoProofException(
          "%s issues no tokens at the moment (%d)".formatted(address.getHost(), answer.status()),
          signal);
    }
    if (PageForPeople.in(request, answer).isPresent()) {
      throw new ProviderException(
          Reason.Failure.AUTH_FAILURE,
          answer.status(),
          "%s answered with a page for people (HTML), not with a token; check token-url"
              .formatted(address.getHost()));
    }
    return token(answer.status(), json(answer), answer.succeeded());
  }

  private Signal meaning(WebAnswer answer, Duration roundTrip) {
    return signals
        .read(
            Answer.of(answer.status(), answer.headers().map(), time.instant())
                .withRoundTrip(roundTrip))
        .signal();
  }

  private Token token(int status, JsonNode json, boolean succeeded) throws ProviderException {
    String text = json.path("access_token").asString("");
    if (!succeeded || text.isEmpty()) {
      String code = json.path("error").asString("");
      throw new ProviderException(
          Reason.Failure.AUTH_FAILURE,
          status,
          "%s issues no token%s; check the client's id, its secret and its scope"
              .formatted(address.getHost(), isShowable(code) ? " (" + code + ")" : ""));
    }
    String next = json.path("refresh_token").asString("");
    if (!next.isEmpty() && form.containsKey("refresh_token")) {
      refreshToken.set(next);
    }
    long seconds = json.path("expires_in").asLong(0);
    Duration life = seconds > 0 ? Duration.ofSeconds(seconds) : UNSAID_LIFETIME;
    Duration margin = life.dividedBy(10);
    return new Token(
        text,
        time.deadline(life.minus(margin.compareTo(LONGEST_MARGIN) > 0 ? LONGEST_MARGIN : margin)));
  }

  /** An error's name is for people, but not if it is what was sent. */
  private boolean isShowable(String code) {
    return code.matches("[a-z_]{1,40}") && form.values().stream().noneMatch(code::equals);
  }

  private static JsonNode json(WebAnswer answer) {
    try {
      return JSON.readTree(answer.text());
    } catch (JacksonException e) {
      return JSON.createObjectNode();
    }
  }

  @Override
  public String toString() {
    return "a token from " + address.getHost();
  }

  /** Not a record, which would print its text. */
  private static final class Token {
    private final String text;
    private final long expiry;

    Token(String text, long expiry) {
      this.text = text;
      this.expiry = expiry;
    }

    /** As it stands in a request. */
    String proof() {
      return "Bearer " + text;
    }

    long expiry() {
      return expiry;
    }
  }
}
