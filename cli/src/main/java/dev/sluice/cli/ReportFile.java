package dev.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a report is written: over an earlier one, and never over anything else. */
final class ReportFile {
  /** In the head of every report; by it an earlier one is recognised. */
  static final String HEAD =
      """
      <meta name="generator" content="Sluice">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      """;

  private static final int BEGINNING = 2_000;

  private ReportFile() {}

  /** Whether nothing is there, or an earlier report. */
  static boolean mayWrite(Path file) throws IOException {
    if (Files.notExists(file)) {
      return true;
    }
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BEGINNING), StandardCharsets.UTF_8)
          .contains(HEAD.lines().findFirst().orElseThrow());
    }
  }

  /** The name, or one with a number in it, if somebody else's file is called that. */
  static Path free(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    Path free = file;
    for (int i = 2; !mayWrite(free); i++) {
      free = file.resolveSibling(name.substring(0, dot) + "-" + i + name.substring(dot));
    }
    return free;
  }

  /**
   * Writes it.
   *
   * @throws IOException if it cannot be written, or something other than a report is there
   */
  static void write(Path file, String page) throws IOException {
    if (!mayWrite(file)) {
      throw new IOException(file + " exists and is no report of Sluice; choose another name");
    }
    Files.writeString(file, page);
  }
}
