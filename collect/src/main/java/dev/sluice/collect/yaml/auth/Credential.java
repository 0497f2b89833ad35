package dev.sluice.collect.yaml.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.Authorization;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A proof, and what tells it from others without giving it away.
 *
 * @param fingerprint 12 hexadecimal digits of a SHA-256; empty if anybody may ask
 */
public record Credential(Authorization authorization, String fingerprint) {
  /** For providers that anybody may ask. */
  public static final Credential NONE = new Credential(Authorization.NONE, "");

  private static final int DIGITS = 12;

  public Credential {
    requireNonNull(authorization, "authorization");
    requireNonNull(fingerprint, "fingerprint");
  }

  /** A proof that is told from others by these secrets. */
  static Credential of(Authorization authorization, String... secrets) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String secret : secrets) {
        byte[] bytes = secret.getBytes(UTF_8);
        digest.update((bytes.length + ":").getBytes(UTF_8)); // so that "ab", "c" is not "a", "bc"
        digest.update(bytes);
      }
      String hex = HexFormat.of().formatHex(digest.digest());
      return new Credential(authorization, hex.substring(0, DIGITS));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
