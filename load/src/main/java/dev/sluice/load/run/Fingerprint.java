package dev.sluice.load.run;

import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.Input;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a file holds, as it lies on disk. Immutable.
 *
 * @param size in bytes
 * @param hash SHA-256 in hexadecimal digits
 */
public record Fingerprint(long size, String hash) {
  private static final int BUFFER = 1 << 16;

  /**
   * Reads a file for it.
   *
   * @throws BadInputException if it is not there, cannot be read, or can be read only once
   */
  static Fingerprint of(String source) throws IOException {
    MessageDigest digest = digest();
    long size = 0;
    try (InputStream in = Input.regularFile(source)) {
      byte[] buffer = new byte[BUFFER];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
        size += count;
      }
    }
    return new Fingerprint(size, HexFormat.of().formatHex(digest.digest()));
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
