package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.Header;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Checks credentials, and issues access tokens. Single-threaded; monotonic nanoseconds that do not
 * go back.
 */
final class Desk {
  private final Credentials credentials;
  private final SplittableRandom random;
  private final Map<String, Integer> accounts = new HashMap<>(); // by what a client must show
  private final Map<String, Access> tokens = new HashMap<>();

  Desk(Credentials credentials, long seed) {
    this.credentials = credentials;
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < credentials.count(); i++) {
      accounts.put(
          switch (credentials.kind()) {
            case BASIC, OAUTH2 -> Credentials.name(i) + ":" + Credentials.secret(i);
            default -> Credentials.secret(i);
          },
          i);
    }
  }

  /**
   * Whose call this is, counted from 0.
   *
   * @throws MistakenCall 401 if nobody's
   */
  int account(Call call, Target target, long now) {
    return switch (credentials.kind()) {
      case NONE -> 0;
      case BEARER -> known(scheme(call, "Bearer "));
      case BASIC -> known(basic(call));
      case HEADER -> known(call.header("X-Api-Key"));
      case QUERY -> known(target.parameter("api_key"));
      case OAUTH2 -> byToken(scheme(call, "Bearer "), now);
    };
  }

  private int known(Optional<String> shown) {
    return shown.map(accounts::get).orElseThrow(() -> refused("these credentials are not known"));
  }

  private int byToken(Optional<String> shown, long now) {
    Access access = shown.map(tokens::get).orElseThrow(() -> refused("this token is not known"));
    if (now - access.expiry() >= 0) {
      throw refused("this token has expired");
    }
    return access.account();
  }

  private static MistakenCall refused(String why) {
    return new MistakenCall(401, "invalid_credentials", why);
  }

  private static Optional<String> scheme(Call call, String scheme) {
    return call.header("Authorization")
        .filter(value -> value.regionMatches(true, 0, scheme, 0, scheme.length()))
        .map(value -> value.substring(scheme.length()).strip());
  }

  private static Optional<String> basic(Call call) {
    return scheme(call, "Basic ")
        .map(
            encoded -> {
              try {
                return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
              } catch (IllegalArgumentException garbled) {
                throw refused("the Basic credentials are not Base64");
              }
            });
  }

  /** Issues an access token for client credentials, in a form or in a Basic header. */
  Reply issue(Call call, long now) {
    if (credentials.kind() != Credentials.Kind.OAUTH2) {
      throw new MistakenCall(404, "not_found", "no tokens are issued here");
    }
    Map<String, String> form = Target.form(call.body());
    if (!"client_credentials".equals(form.get("grant_type"))) {
      throw new MistakenCall(
          400, "unsupported_grant_type", "grant_type must be client_credentials");
    }
    String shown = basic(call).orElse(form.get("client_id") + ":" + form.get("client_secret"));
    Integer account = accounts.get(shown);
    if (account == null) {
      throw refused("this client is not known");
    }
    tokens.values().removeIf(access -> now - access.expiry() >= 0);
    String token = "access-" + Long.toHexString(random.nextLong());
    tokens.put(token, new Access(account, now + credentials.tokenLifetime().toNanos()));
    return Reply.json(
            200,
            Json.write(
                Json.object(
                    "access_token",
                    token,
                    "token_type",
                    "Bearer",
                    "expires_in",
                    credentials.tokenLifetime().toSeconds())))
        .with(new Header("Cache-Control", "no-store"));
  }

  /** No token is good any more. */
  void expireTokens() {
    tokens.clear();
  }

  private record Access(int account, long expiry) {}
}
