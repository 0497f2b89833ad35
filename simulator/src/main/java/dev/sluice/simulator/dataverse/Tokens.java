package dev.sluice.simulator.dataverse;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The tokens that were given out. Under the environment's lock; monotonic nanoseconds. */
final class Tokens {
  private static final int MANY = 1_000;

  private final RandomGenerator random;
  private final Map<String, Token> tokens = new HashMap<>();

  private record Token(int user, long expiresAt) {}

  Tokens(RandomGenerator random) {
    this.random = random;
  }

  /** A new token for a user: it looks like a JWT, and nobody has signed it. */
  String issue(int user, UUID clientId, Duration life, long now, Instant wallClock) {
    if (tokens.size() > MANY) {
      tokens.values().removeIf(token -> token.expiresAt() - now <= 0);
    }
    String claims =
        "{\"appid\":\"%s\",\"tid\":\"%s\",\"iat\":%d,\"exp\":%d}"
            .formatted(
                clientId,
                EnvironmentOptions.TENANT,
                wallClock.getEpochSecond(),
                wallClock.plus(life).getEpochSecond());
    String text =
        encoded("{\"typ\":\"JWT\",\"alg\":\"none\"}")
            + "."
            + encoded(claims)
            + "."
            + encoded(Chance.uuid(random).toString());
    tokens.put(text, new Token(user, now + life.toNanos()));
    return text;
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Whose token this is; null if it is nobody's, or no longer. */
  @Nullable Integer user(String token, long now) {
    Token found = tokens.get(token);
    return found == null || found.expiresAt() - now <= 0 ? null : (Integer) found.user();
  }

  /** Accepts a token no longer. */
  void revoke(String token) {
    tokens.remove(token);
  }

  /** Accepts none of the tokens any longer that were given out so far. */
  void revokeAll() {
    tokens.clear();
  }
}
