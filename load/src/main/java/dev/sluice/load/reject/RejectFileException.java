package dev.sluice.load.reject;

import java.io.IOException;
import java.nio.file.Path;

/** A reject file that cannot be kept; the message says what to do. */
public final class RejectFileException extends IOException {

  RejectFileException(Path file, Throwable cause) {
    super(
        ("%s cannot be written (%s); free some space or make it writable, then run the"
                + " same command again: it continues where it stopped")
            .formatted(file, cause.getMessage()),
        cause);
  }

  RejectFileException(Path file, String problem) {
    super(file + " " + problem);
  }
}
