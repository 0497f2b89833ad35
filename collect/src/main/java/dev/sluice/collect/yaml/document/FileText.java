package dev.sluice.collect.yaml.document;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a file that people write, of which no more is read than people write. */
public final class FileText {
  /** More than that is a mix-up, and reading it as YAML could take hours. */
  static final int MOST_BYTES = 1024 * 1024;

  static final String TOO_LARGE =
      "it is larger than 1 MiB, which is the most that is read; is it the right file?";

  private FileText() {}

  /**
   * Reads it.
   *
   * @throws java.nio.charset.CharacterCodingException if it is not UTF-8
   * @throws IOException if it cannot be read, or is too large
   */
  public static String read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException(TOO_LARGE);
      }
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
  }
}
