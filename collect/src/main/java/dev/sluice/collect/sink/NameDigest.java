package dev.sluice.collect.sink;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Tells names apart that look the same once what a file or a table cannot be called is left out.
 */
public final class NameDigest {
  private NameDigest() {}

  /** So many bytes of the SHA-256 of a name, as hexadecimal digits. */
  public static String of(String name, int bytes) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
