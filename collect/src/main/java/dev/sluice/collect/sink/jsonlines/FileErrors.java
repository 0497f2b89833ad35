package dev.sluice.collect.sink.jsonlines;

import dev.sluice.collect.sink.SinkErrors;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Tells from what the file system says what is wrong with a file, and what can be done. */
final class FileErrors extends IOException {
  private static final long serialVersionUID = 1L;

  private FileErrors(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Does something with a file. */
  interface Step {
    void take() throws IOException;
  }

  static void tell(Path file, Step step) throws FileErrors {
    try {
      step.take();
    } catch (IOException e) {
      throw with(file, e);
    }
  }

  static FileErrors with(Path file, IOException e) {
    if (e instanceof FileErrors told) {
      return told;
    }
    String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (why.contains("no space left") || why.contains("quota exceeded")) {
      return new FileErrors(
          "the disk is full: %s cannot grow; make room and run the same command again, nothing"
                  .formatted(file)
              + " that was committed is lost",
          e);
    }
    if (e instanceof FileSystemException || why.contains("permission denied")) {
      return new FileErrors(
          "%s cannot be written (%s); its folder must exist or be creatable, and be writable for"
                  .formatted(file, reason(e))
              + " this user: change that, or name another folder",
          e);
    }
    return new FileErrors("%s cannot be written: %s".formatted(file, e.getMessage()), e);
  }

  /** Without the name of the file, which is told already. */
  private static String reason(IOException e) {
    String given = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
    return given == null ? "there is no such file, or it is not allowed" : given;
  }

  static FileErrors shorter(Track track, Path file, long committed, OptionalLong found) {
    return new FileErrors(
        "%s should have %d bytes that were committed, and %s; put the file back as it was. If its"
                .formatted(
                    file,
                    committed,
                    found.isPresent() ? "has " + found.getAsLong() : "is not there (nor a .part)")
            + " records are safe elsewhere, an empty file of that name will do. If they are lost,"
            + " let the stream begin anew, so that they are collected again: "
            + SinkErrors.beginAnew(track),
        null);
  }
}
