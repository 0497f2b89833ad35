package dev.sluice.simulator.provider.http;

import java.time.Duration;

/**
 * Who may ask. The secrets are made up and the same everywhere, so that anybody can use them: they
 * guard nothing.
 *
 * @param kind how clients show who they are
 * @param count how many accounts there are, each with its own limit; 1 to 1,000
 * @param tokenLifetime how long an OAuth 2 access token lasts; positive
 */
public record Credentials(Kind kind, int count, Duration tokenLifetime) {
  /** Anybody may ask; all share one account. */
  public static final Credentials NONE = new Credentials(Kind.NONE, 1, Duration.ofHours(1));

  public Credentials {
    if (count < 1 || count > 1_000) {
      throw new IllegalArgumentException(
          "count is " + count + ", but must be 1 to 1,000 (accounts at the provider)");
    }
    if (kind == Kind.NONE && count != 1) {
      throw new IllegalArgumentException(
          "count is " + count + ", but without credentials there is one account");
    }
    if (!tokenLifetime.isPositive() || tokenLifetime.compareTo(Duration.ofDays(365)) > 0) {
      throw new IllegalArgumentException(
          "tokenLifetime is "
              + tokenLifetime
              + ", but must be positive, up to 365 days (how long an access token lasts)");
    }
  }

  /** So many accounts of a kind. */
  public static Credentials of(Kind kind, int count) {
    return new Credentials(kind, count, Duration.ofHours(1));
  }

  /** The user name, or client id, of an account, counted from 0. */
  public static String name(int account) {
    return "client-" + (account + 1);
  }

  /** The secret of an account, counted from 0: a token, a key, or a password. */
  public static String secret(int account) {
    return "simulated-secret-" + (account + 1);
  }

  /** How clients show who they are. */
  public enum Kind {
    /** Not at all. */
    NONE,
    /** {@code Authorization: Bearer} with a token that does not expire. */
    BEARER,
    /** {@code Authorization: Basic}. */
    BASIC,
    /** {@code X-Api-Key}. */
    HEADER,
    /** {@code ?api_key=}. */
    QUERY,
    /** A bearer token from {@code /oauth/token}, by client credentials; it expires. */
    OAUTH2
  }
}
